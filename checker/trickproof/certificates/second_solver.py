"""Runs SMT-LIB queries on cvc5, or on Bitwuzla if they are pure bit-vector queries, within machine-independent limits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec

SOLVERS = ("cvc5", "bitwuzla")
"""The packages of the extra `recheck`."""

RESOURCES = 1_000_000
"""cvc5's resource limit for one query, a few seconds."""

CALLS = 100_000
"""How often Bitwuzla may poll its terminator during one query, a few seconds."""


@dataclass(frozen=True, slots=True)
class Second:
    """A second opinion: whether the query is satisfiable (None if the solver gave up), and the solver."""

    solver: str
    possible: bool | None


def missing() -> list[str]:
    """The second solvers that are not installed."""
    return [name for name in SOLVERS if find_spec(name) is None]


def decided(question: str) -> Second:
    """The answer of the solver for this kind of query."""
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
    except RuntimeError:  # a query that it cannot read
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
