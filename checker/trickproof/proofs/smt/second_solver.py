"""Proofs decided again by a second solver (`certificates/second_solver.py`).

A proof rests on questions that z3 answered with no (`solver.recording`).  A second solver that answers one of them with
yes contradicts z3; one that gives up, within bounds that do not depend on the machine, or cannot read it, says nothing.
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
"""Verdicts that rest on answers of no."""


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
        session.opinions[key] = decided(question)
    return cast(Second, session.opinions[key])
