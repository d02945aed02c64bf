"""Memoised answers to repeated queries; many rulesets share most of their rules.

A query is keyed by the identities of all its terms. The cost of an answer counts each time it is used, so
that giving up does not depend on what else the session has computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, cast

import z3

from trickproof.checking.proof_session import ProofSession
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt import terms
from trickproof.proofs.smt.solver import keep, recording, spent
from trickproof.proofs.smt.symbolic_values import Bool

T = TypeVar("T")

MOST_TERMS = 500_000
"""Approximate number of terms kept; a proof of one ruleset uses a few tens of thousands."""


def identity(session: ProofSession, term: object) -> object:
    """A key that identifies a term, a truth value or a number."""
    if isinstance(term, z3.AstRef):
        place: int = term.ast.value  # memory address: as good as an id while the term lives, and faster
        session.terms.setdefault(place, term)
        return place
    return str(term)


def memoised(session: ProofSession, kind: str, words: Iterable[object], work_out: Callable[[], T]) -> T:
    """The memoised answer of `work_out` about terms given by `identity`; recomputed only while queries are being written down."""
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
    identity(session, term)  # keeps it, and with it all its parts
    known, stack = session.unknowns, [term.ast.value]
    while stack:
        here = stack[-1]
        parts = () if here in known else terms.parts(here)
        if new := [part for part in parts if part not in known]:
            stack += new
            continue
        stack.pop()
        if here not in known:
            own = (here,) if not parts and terms.is_unknown(here) else ()
            known[here] = frozenset(own).union(*(known[part] for part in parts))
    return known[term.ast.value]


def forget_much(session: ProofSession) -> None:
    """Clear the memo if it is large; call only when no query is in progress."""
    if len(session.terms) > MOST_TERMS:
        for memory in (session.terms, session.unknowns, session.answers):
            memory.clear()


def effort(session: ProofSession) -> int:
    """z3's resources for all answers so far, counting a memoised answer each time it is used."""
    return spent() + session.saved
