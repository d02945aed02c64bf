"""Proofs decided again by a second solver: cvc5, or bitwuzla where everything is bits.

A proof rests on questions that z3 answered with no (`solver.recording`).  A second solver that answers one of them with
yes contradicts z3; one that gives up, within bounds that do not depend on the machine, or cannot read it, says nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import cast

from trickproof.checking.finding import Finding, Recheck
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import DisagreementError
from trickproof.proofs.kernel import Theorem

SOLVERS = ("cvc5", "bitwuzla")
"""Packages of the extra `recheck`."""

RESOURCES = 1_000_000
"""cvc5's resources for one question; some seconds."""

CALLS = 100_000
"""How often bitwuzla may ask whether to go on, for one question; some seconds."""

RESTING = ("proved", "bounded")
"""Verdicts that rest on answers of no."""


@dataclass(frozen=True, slots=True)
class Second:
    """A second opinion: whether the question has a solution (None: gave up), and whose opinion it is."""

    solver: str
    possible: bool | None


def missing() -> list[str]:
    """The second solvers that are not installed."""
    return [name for name in SOLVERS if find_spec(name) is None]


def rechecked(session: ProofSession, finding: Finding, leaves: Sequence[Theorem]) -> Recheck | None:
    """What a second solver says about the questions of a proof; None if it is no proof.

    The `leaves` answered no have their questions in SMT-LIB.  Raises DisagreementError.
    """
    if finding.verdict not in RESTING:
        return None
    questions = [leaf.formula for leaf in leaves if leaf.formula is not None]
    seconds = [opinion(session, question) for question in dict.fromkeys(questions)]
    for second in seconds:
        if second.possible:
            raise DisagreementError(f"{second.solver} finds possible what z3 found impossible in its proof")
    solvers = Counter(second.solver for second in seconds)
    gave_up = sum(second.possible is None for second in seconds)
    return Recheck(" and ".join(sorted(solvers)) or None, len(seconds), len(seconds) - gave_up, gave_up)


def opinion(session: ProofSession, question: str) -> Second:
    """What the solver for this kind of question says; proofs share many."""
    key = hashlib.sha256(question.encode()).hexdigest()
    if key not in session.opinions:
        session.opinions[key] = _decided(question)
    return cast(Second, session.opinions[key])


def _decided(question: str) -> Second:
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
