"""`if some x has A then the best of those with A else the best of those with B`, in one go.

That is how trick winners are told: a trump if there is one, else a card of the suit led.  Whoever has A beats whoever
has only B, so one comparison of keys does for both; that is what a person would write by hand.  Where something in it
might break down, the whole is worked out step by step, as it is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trickproof.simulate.going_through import SMALL
from trickproof.simulate.ir import Expr, Guard, If, Let, Set, Stmt, op
from trickproof.simulate.static import bounds, stripped
from trickproof_dsl import core as c
from trickproof_dsl.core.binders import rename

if TYPE_CHECKING:
    from trickproof.simulate.values import Values

NONE = -1
"""The key of an element that has neither."""


@dataclass(frozen=True)
class Contest:
    """Conditions and keys on one bound element of a domain; keys lie between 0 and `most`."""

    domain: c.Expr
    first: tuple[str, c.Expr]
    second: tuple[str, c.Expr]
    keys: tuple[tuple[str, c.Expr], tuple[str, c.Expr]]
    most: int


def contest(e: c.Conditional) -> Contest | None:
    """The value as such a contest, if it is one."""
    some, then, otherwise = stripped(e.condition), stripped(e.then), stripped(e.otherwise)
    if not isinstance(some, c.Exists) or some.domain.type.kind not in SMALL:
        return None
    if not (
        isinstance(then, c.Best) and isinstance(otherwise, c.Best) and then.highest and otherwise.highest
    ):
        return None
    first, second = stripped(then.domain), stripped(otherwise.domain)
    if not (isinstance(first, c.Filter) and isinstance(second, c.Filter)):
        return None
    same = first.domain == some.domain == second.domain
    if not same or rename(some.condition, {some.binder: first.binder}) != first.condition:
        return None
    limits = bounds(then.key), bounds(otherwise.key)
    if limits[0] is None or limits[1] is None or min(limits[0][0], limits[1][0]) < 0:
        return None
    keys = (then.binder, then.key), (otherwise.binder, otherwise.key)
    most = max(limits[0][1], limits[1][1])
    return Contest(
        first.domain, (first.binder, first.condition), (second.binder, second.condition), keys, most
    )


def winners(v: Values, found: Contest, step_by_step: c.Conditional) -> Expr | None:
    """Writes the contest; None (and nothing is written) where it cannot be told at once."""
    fast: list[Stmt] = []
    with v.b.into(fast):
        v.b.depth += 1
        fastest = _at_once(v, found)
        v.b.depth -= 1
    if not all(isinstance(t, Let | Guard) for t in fast):
        return None
    doubts: Expr = 0
    for t in fast:
        if isinstance(t, Guard):
            doubts = op("or", doubts, t.condition)
        else:
            v.b.out.append(t)
    if doubts == 0:
        return fastest
    name = v.b.begun(fastest)
    slow: list[Stmt] = []
    with v.b.into(slow):
        (value,) = v.by_steps(step_by_step)
        slow.append(Set(name, value))
    v.b.out.append(If(doubts, slow, [], seldom=True))
    return v.b.let(name)


def _at_once(v: Values, found: Contest) -> Expr:
    mask = v.b.let(v.word(found.domain))
    everybody = v.everything(found.domain.type.kind)
    keys: dict[int, Expr] = {}
    best: Expr = NONE
    for i in range(everybody.bit_length()):
        (key,) = v.b.under(op("ne", op("and", mask, 1 << i), 0), lambda i=i: (_key(v, found, i),))  # type: ignore[misc]
        key = op("select", op("ne", op("and", mask, 1 << i), 0), key, NONE)
        keys[i] = v.b.let(key)
        best = v.b.let(op("select", op("lt", best, keys[i]), keys[i], best)) if i else keys[i]
    same: Expr = 0
    for i, key in keys.items():
        same = op("or", same, op("select", op("eq", key, best), 1 << i, 0))
    return v.b.let(op("select", op("lt", best, 0), 0, same))


def _key(v: Values, found: Contest, i: int) -> Expr:
    """The key of one element: above all others if it has A, NONE if it has neither."""
    values: list[Expr] = []
    for binder, e in (found.first, found.second, *found.keys):
        v.names[binder] = (i,)
        values.append(v.b.let(v.word(e)))
    first, second, high, low = values
    return op("select", first, op("add", high, found.most + 1), op("select", second, low, NONE))
