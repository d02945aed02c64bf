"""Cross-checks proofs with a second solver (`certificates/second_solver.py`).

A proof depends on queries that z3 answered with unsat (`solver.recording`). A second solver that answers one
of them with sat contradicts z3; one that cannot read it, or gives up within machine-independent limits, says
nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import cast

from trickproof.certificates.second_solver import Second, decided
from trickproof.checking.finding import Finding, Recheck
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import DisagreementError
from trickproof.proofs.kernel import Theorem

RESTING = ("proved", "bounded")
"""Verdicts that depend on unsatisfiable queries."""


def rechecked(session: ProofSession, finding: Finding, leaves: Sequence[Theorem]) -> Recheck | None:
    """What a second solver says about the queries of a proof; None if the finding is no proof.

    The `leaves` from unsatisfiable queries have their SMT-LIB text. Raises DisagreementError.
    """
    if finding.verdict not in RESTING:
        return None
    questions = [leaf.formula for leaf in leaves if leaf.formula is not None]
    seconds = [opinion(session, question) for question in dict.fromkeys(questions)]
    for second in seconds:
        if second.possible:
            raise DisagreementError(f"{second.solver} finds a case that z3 excluded in its proof")
    solvers = Counter(second.solver for second in seconds)
    gave_up = sum(second.possible is None for second in seconds)
    return Recheck(" and ".join(sorted(solvers)) or None, len(seconds), len(seconds) - gave_up, gave_up)


def opinion(session: ProofSession, question: str) -> Second:
    """What the solver for this kind of query says, memoised because proofs share many queries."""
    key = hashlib.sha256(question.encode()).hexdigest()
    if key not in session.opinions:
        session.opinions[key] = decided(question)
    return cast(Second, session.opinions[key])
