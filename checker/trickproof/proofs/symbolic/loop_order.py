"""The key order of a loop as conditions: the rank of an element, and which of two elements comes first."""

from __future__ import annotations

from collections.abc import Sequence

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Int
from trickproof.proofs.symbolic.expressions import Encoder, NotEncodedError
from trickproof_dsl import core as c

Ranking = tuple[tuple[bool, Int], ...]
"""The keys of an element, most significant first, each with whether the highest comes first."""


def ranking(encoder: Encoder, order: c.Order, element: int, when: Bool = True) -> Ranking:
    """The sort keys of an element, assuming `when`, the condition under which it is iterated over; raises NotEncodedError."""
    return tuple((highest, _number(encoder, binder, element, when, e)) for highest, binder, e in order.keys)


def _number(encoder: Encoder, binder: str, element: int, when: Bool, e: c.Expr) -> Int:
    key = encoder.with_bound(binder, element, when, e)
    if not y.is_number(key):
        raise NotEncodedError("a key of the order is not a number", e.span)
    return key


def precedes(one: Ranking, other: Ranking) -> Bool:
    """Whether one element comes before another by their keys."""
    before: Bool = False
    for (highest, a), (_, b) in reversed(list(zip(one, other, strict=True))):
        strictly = y.compare(">" if highest else "<", a, b)
        before = y.disj(strictly, y.conj(y.compare("=", a, b), before))
    return before


def tied(one: Ranking, other: Ranking) -> Bool:
    """Whether the keys leave open which of two elements comes first."""
    return y.conj(*(y.compare("=", a, b) for (_, a), (_, b) in zip(one, other, strict=True)))


def in_places(elements: Sequence[tuple[int, Bool]], rankings: Sequence[Ranking]) -> list[tuple[int, Bool]]:
    """Each element at each position that it can have, with the condition for it; ties go to the element given first."""
    earlier = [
        y.total(y.number(_earlier(elements, rankings, j, i), 1) for j in range(len(elements)) if j != i)
        for i in range(len(elements))
    ]
    return [
        (x, y.conj(when, y.compare("=", before, place)))
        for place in range(len(elements))
        for (x, when), before in zip(elements, earlier, strict=True)
    ]


def _earlier(elements: Sequence[tuple[int, Bool]], rankings: Sequence[Ranking], one: int, other: int) -> Bool:
    """Whether an element is iterated over, and before another."""
    first = precedes(rankings[one], rankings[other])
    if one < other:
        first = y.disj(first, tied(rankings[one], rankings[other]))
    return y.conj(elements[one][1], first)
