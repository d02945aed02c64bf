"""Questions in SMT-LIB to cvc5, or to bitwuzla where everything is bits, within bounds that do not depend on the machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec

SOLVERS = ("cvc5", "bitwuzla")
"""Packages of the extra `recheck`."""

RESOURCES = 1_000_000
"""cvc5's resources for one question; some seconds."""

CALLS = 100_000
"""How often bitwuzla may ask whether to go on, for one question; some seconds."""


@dataclass(frozen=True, slots=True)
class Second:
    """A second opinion: whether the question has a solution (None: gave up), and whose opinion it is."""

    solver: str
    possible: bool | None


def missing() -> list[str]:
    """The second solvers that are not installed."""
    return [name for name in SOLVERS if find_spec(name) is None]


def decided(question: str) -> Second:
    """What the solver for this kind of question says."""
    whole_numbers = re.search(r"\b(?:Int|Real)\b", question) is not None
    return Second("cvc5", _cvc5(question)) if whole_numbers else Second("bitwuzla", _bitwuzla(question))


def _cvc5(question: str) -> bool | None:
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("rlimit", str(RESOURCES))
    try:
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)\n{question}", "question")
        symbols, said = parser.getSymbolManager(), ""
        while not (command := parser.nextCommand()).isNull():
            said += str(command.invoke(solver, symbols))
    except RuntimeError:  # what it cannot read
        return None
    return {"sat": True, "unsat": False}.get(said.strip())


def _bitwuzla(question: str) -> bool | None:
    import bitwuzla

    calls = iter(range(CALLS))
    terms = bitwuzla.TermManager()
    try:
        parser = bitwuzla.Parser(terms, bitwuzla.Options())
        parser.parse(question.replace("(check-sat)", ""), True, False)
        solver = parser.bitwuzla()
        solver.configure_terminator(lambda: next(calls, None) is None)
        said = solver.check_sat()
    except bitwuzla.BitwuzlaException:
        return None
    return {bitwuzla.Result.SAT: True, bitwuzla.Result.UNSAT: False}.get(said)
