"""Answers to questions that were asked before in the same words; many rulesets have most of their rules in common.

A question is told by the identities of all terms in it.  What an answer took is counted each time, so that giving up
does not depend on what else the session has worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, cast

import z3

from trickproof.checking.proof_session import ProofSession
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt.solver import keep, recording, spent
from trickproof.proofs.smt.symbolic_values import Bool

T = TypeVar("T")

MOST_TERMS = 500_000
"""Terms that are kept, about; a proof of one ruleset asks about some tens of thousands."""


def identity(session: ProofSession, term: object) -> object:
    """What tells a term, a truth value or a number from all others."""
    if isinstance(term, z3.AstRef):
        place: int = term.ast.value  # in memory: as good as its number while it is kept, and told sooner
        session.terms.setdefault(place, term)
        return place
    return str(term)


def memoised(session: ProofSession, kind: str, words: Iterable[object], work_out: Callable[[], T]) -> T:
    """What `work_out` answers about terms told by `identity`; worked out again only while questions are written down."""
    key = (kind, *words)
    if key in session.answers and not session.writing:
        answer, cost, leaves = session.answers[key]
        session.saved += cost
        keep(session, cast(Sequence[Theorem], leaves))
        return cast(T, answer)
    before = spent()
    with recording(session) as new:
        fresh = work_out()
    session.answers[key] = fresh, spent() - before, new
    return fresh


def unknowns(session: ProofSession, term: Bool) -> frozenset[object]:
    """The unknowns in a term."""
    if isinstance(term, bool):
        return frozenset()
    known = session.unknowns
    stack: list[z3.ExprRef] = [term]
    while stack:
        here = stack[-1]
        name = identity(session, here)
        parts = [] if name in known else here.children()
        new = [part for part in parts if identity(session, part) not in known]
        if new:
            stack += new
            continue
        stack.pop()
        if name not in known:
            is_unknown = not parts and here.decl().kind() == z3.Z3_OP_UNINTERPRETED
            inside = (known[identity(session, part)] for part in parts)
            known[name] = frozenset((name,)) if is_unknown else frozenset().union(*inside)
    return known[identity(session, term)]


def forget_much(session: ProofSession) -> None:
    """Begins anew if there is much to remember; for moments at which no question is open."""
    if len(session.terms) > MOST_TERMS:
        for memory in (session.terms, session.unknowns, session.answers):
            memory.clear()


def effort(session: ProofSession) -> int:
    """z3's resources that all answers so far have taken, each time they were given."""
    return spent() + session.saved
