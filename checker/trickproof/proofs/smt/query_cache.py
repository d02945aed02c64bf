"""Answers to questions that were asked before in the same words; many rulesets have most of their rules in common.

A question is told by the identities of all terms in it.  Terms that were asked about are kept, as z3 would give their
identities to others.  What an answer took is counted each time, so that giving up does not depend on what
else the process has worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import z3

from trickproof.proofs.smt.solver import is_recording, spent
from trickproof.proofs.smt.symbolic_values import Bool

T = TypeVar("T")

MOST_TERMS = 500_000
"""Terms that are kept, about; a proof of one ruleset asks about some tens of thousands."""

_terms: dict[int, z3.AstRef] = {}
_unknowns: dict[object, frozenset[object]] = {}
_answers: dict[tuple[object, ...], tuple[Any, int]] = {}
_saved = [0]


def identity(term: object) -> object:
    """What tells a term, a truth value or a number from all others."""
    if isinstance(term, z3.AstRef):
        number: int = (
            term.ast.value
        )  # its place in memory: as good as its number while it is kept, and told sooner
        _terms.setdefault(number, term)
        return number
    return str(term)


def memoised(kind: str, words: Iterable[object], work_out: Callable[[], T]) -> T:
    """What `work_out` answers about some terms, told by `identity`; not worked out again unless somebody wants the questions written down."""
    key = (kind, *words)
    if key in _answers and not is_recording():
        answer, cost = _answers[key]
        _saved[0] += cost
        return answer  # type: ignore[no-any-return]
    before = spent()
    answer = work_out()
    _answers[key] = answer, spent() - before
    return answer


def unknowns(term: Bool) -> frozenset[object]:
    """The unknowns in a term."""
    if isinstance(term, bool):
        return frozenset()
    left: list[z3.ExprRef] = [term]
    while left:
        here = left[-1]
        name = identity(here)
        parts = [] if name in _unknowns else here.children()
        new = [part for part in parts if identity(part) not in _unknowns]
        if new:
            left += new
            continue
        left.pop()
        if name not in _unknowns:
            is_unknown = not parts and here.decl().kind() == z3.Z3_OP_UNINTERPRETED
            inside = (_unknowns[identity(part)] for part in parts)
            _unknowns[name] = frozenset((name,)) if is_unknown else frozenset().union(*inside)
    return _unknowns[identity(term)]


def forget_much() -> None:
    """Begins anew if there is much to remember; for moments at which no question is open."""
    if len(_terms) > MOST_TERMS:
        for kept in (_terms, _unknowns, _answers):
            kept.clear()


def effort() -> int:
    """z3's resources that all answers so far have taken, each time they were given."""
    return spent() + _saved[0]
