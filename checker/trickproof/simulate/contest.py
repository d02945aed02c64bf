"""`if some x has A then the best of those with A else the best of those with B`, in one go.

That is how trick winners are told: a trump if there is one, else a card of the suit led.  Whoever has A beats whoever
has only B, so one comparison of keys does for both; that is what a person would write by hand.  Where something in it
might break down, the whole is worked out step by step, as it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trickproof.simulate.going_through import SMALL
from trickproof.simulate.ir import Expr, Guard, If, Let, Op, Set, Stmt, op
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
    fast = _fast(v, found)
    if fast is None:
        return None
    keys, best, doubts = fast
    same: Expr = 0
    for i, key in keys.items():
        same = op("or", same, op("select", op("eq", key, best), 1 << i, 0))
    mask = v.b.let(op("select", op("lt", best, 0), 0, same))
    return _unless(v, doubts, mask, lambda: v.by_steps(step_by_step)[0])


def winner(v: Values, found: Contest, only: c.Only) -> Expr | None:
    """The only winner of a contest, told by comparing; None where it cannot be told at once."""
    fast = _fast(v, found)
    if fast is None:
        return None
    keys, _, doubts = fast
    first: Expr = 0
    reached: Expr = keys[0]
    tied: Expr = 0
    for i in range(1, len(keys)):
        better = v.b.let(op("lt", reached, keys[i]))
        tied = v.b.let(op("select", better, 0, op("or", tied, op("eq", reached, keys[i]))))
        first = v.b.let(op("select", better, i, first))
        reached = v.b.let(op("select", better, keys[i], reached))
    doubts = op("or", op("or", doubts, tied), op("lt", reached, 0))
    return _unless(v, doubts, first, lambda: v.only_by_steps(only))


def _fast(v: Values, found: Contest) -> tuple[dict[int, Expr], Expr, Expr] | None:
    """Keys, the best of them, and whether anything breaks down, in which case the others are worth nothing."""
    fast: list[Stmt] = []
    with v.b.into(fast):
        v.b.depth += 1
        v.trusting = True
        keys, best = _at_once(v, found)
        v.trusting = False
        v.b.depth -= 1
    if not all(isinstance(t, Let | Guard) and _steady(t) for t in fast):
        return None
    doubts: Expr = 0
    for t in fast:
        if isinstance(t, Guard):
            doubts = op("or", doubts, t.condition)
        else:
            v.b.out.append(t)
    return keys, best, doubts


def _steady(t: Stmt) -> bool:
    """Whether a statement reads arrays only where that does no harm, whatever was worked out before."""
    inside = [t.value if isinstance(t, Let) else t.condition] if isinstance(t, Let | Guard) else []
    while inside:
        e = inside.pop()
        if isinstance(e, Op):
            if e.name == "load" and not isinstance(e.args[1], int):
                return False
            inside += e.args
    return True


def _unless(v: Values, doubts: Expr, fastest: Expr, slowly: Callable[[], Expr]) -> Expr:
    """The value told at once, or step by step where something may break down."""
    if doubts == 0:
        return fastest
    name = v.b.begun(fastest)
    slow: list[Stmt] = []
    with v.b.into(slow):
        value = slowly()
        slow.append(Set(name, value))
    v.b.out.append(If(doubts, slow, [], seldom=True))
    return v.b.let(name)


def _at_once(v: Values, found: Contest) -> tuple[dict[int, Expr], Expr]:
    mask = v.b.let(v.word(found.domain))
    everybody = v.everything(found.domain.type.kind)
    keys: dict[int, Expr] = {}
    best: Expr = NONE
    for i in range(everybody.bit_length()):
        there = op("ne", op("and", mask, 1 << i), 0)
        (key,) = v.b.under(there, lambda i=i: (_key(v, found, i),))  # type: ignore[misc]
        keys[i] = v.b.let(op("select", there, key, NONE))
        best = v.b.let(op("select", op("lt", best, keys[i]), keys[i], best)) if i else keys[i]
    return keys, best


def _key(v: Values, found: Contest, i: int) -> Expr:
    """The key of one element: above all others if it has A, NONE if it has neither."""
    values: list[Expr] = []
    for binder, e in (found.first, found.second, *found.keys):
        v.names[binder] = (i,)
        values.append(v.b.let(v.word(e)))
    first, second, high, low = values
    return op("select", first, op("add", high, found.most + 1), op("select", second, low, NONE))
