"""Loops over sets, in the order that the rules specify."""

from __future__ import annotations

from collections.abc import Callable

from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.instructions import Expr, load, number_of, op
from trickproof.simulate.lowering.data_layout import WORD
from trickproof.simulate.lowering.interfaces import Statements
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import stripped, walk

Body = Callable[[Expr], None]

MOST_UNROLLED = 60
"""Maximum number of statements of an unrolled loop over players."""


def ordered(steps: Statements, t: c.Loop) -> None:
    """A loop; its set and its keys are evaluated before the first iteration."""
    if t.order.keys:
        _by_keys(steps, t)
    elif any_order(t):
        _by_index(steps, t)
    elif t.order.start is not None:
        _in_a_circle(steps, t)
    else:
        _by_index(steps, t)


def any_order(t: c.Loop) -> bool:
    """Whether the iterations are independent: each assigns only its own entries, from its own entries."""
    if not all(isinstance(x, c.Assign) for x in t.body):
        return False
    assigned = {x.variable for x in t.body if isinstance(x, c.Assign)}
    mine = (c.Local, t.binder)
    entries = [x for x in walk(t.body) if isinstance(x, c.Assign | c.Variable)]
    return all(
        len(x.arguments) == 1 and (type(x.arguments[0]), getattr(x.arguments[0], "name", "")) == mine
        for x in entries
        if isinstance(x, c.Assign) or x.name in assigned
    )


def _body(steps: Statements, t: c.Loop) -> Body:
    def body(element: Expr) -> None:
        with steps.v.nullable.block(steps.b.level):
            steps.v.names[t.binder] = (element,)
            steps.block(t.body)

    return body


def _by_index(steps: Statements, t: c.Loop) -> None:
    v, b = steps.v, steps.b
    numbers = stripped(t.domain)
    if isinstance(numbers, c.Range):
        low, high = v.ends(numbers)
        b.times(low, high, _body(steps, t), steady=True)
        return
    words = v.words(t.domain)
    base = b.let(words[0]) if len(words) == 2 else 0
    mask, body = words[-1], _body(steps, t)
    if isinstance(mask, int) and t.domain.type.kind == "players":
        for i in range(mask.bit_length()):
            if mask >> i & 1:
                body(i)
        return
    b.bits(b.let(mask), lambda i: body(b.let(op("add", base, i))))


def _in_a_circle(steps: Statements, t: c.Loop) -> None:
    """The players in turn, from a starting seat."""
    v, b, order = steps.v, steps.b, t.order
    assert order.start is not None
    number = v.program.players
    domain = stripped(t.domain)
    mask: Expr = b.let(v.word(t.domain))
    start = b.let(v.given(order.start))
    skipped = _all_but_start(domain, order.start)
    first = 1 if skipped else 0
    everybody = skipped or isinstance(domain, c.Universe)
    body = _body(steps, t)

    circle = [start] if skipped else []

    def once(n: Expr) -> None:
        player = _seat(b, start, n, number, order.clockwise)
        circle.append(player)
        if everybody:
            body(player)
            return
        with b.when(op("ne", op("and", op("shr", mask, player), 1), 0)):
            body(player)

    with b.speculate() as copy:
        b.numbering.permutations.append(circle)
        once(first)
        copy.accepted = number_of(copy.body) * (number - first) <= MOST_UNROLLED
    if not copy.accepted:
        b.times(first, number - 1, once)
        return
    for n in range(first + 1, number):
        once(n)


def _all_but_start(domain: c.Expr, start: c.Expr) -> bool:
    """Whether the set is everybody except the player at whom the circle starts."""
    return (
        isinstance(domain, c.SetOperation)
        and domain.operator == "-"
        and isinstance(stripped(domain.left), c.Universe)
        and isinstance(single := stripped(domain.right), c.Single)
        and single.element == start
    )


def _seat(b: Builder, start: Expr, n: Expr, number: int, clockwise: bool) -> Expr:
    if clockwise:
        moved = b.let(op("add", start, n))
        return b.let(op("select", op("le", number, moved), op("sub", moved, number), moved))
    moved = b.let(op("sub", start, n))
    return b.let(op("select", op("lt", moved, 0), op("add", moved, number), moved))


def _by_keys(steps: Statements, t: c.Loop) -> None:
    """Evaluate the keys, then repeatedly take the best remaining element; ties go by seat or index."""
    v, b, order = steps.v, steps.b, t.order
    words = v.words(t.domain)
    base = b.let(words[0]) if len(words) == 2 else 0
    mask = b.let(words[-1])
    arrays = [b.array(f"keys.{t.binder}.{i}", WORD) for i in range(len(order.keys))]
    start = None if order.start is None else b.let(v.given(order.start))

    def work_out(i: Expr) -> None:
        element = b.let(op("add", base, i))
        for array, (highest, binder, e) in zip(arrays, order.keys, strict=True):
            v.names[binder] = (element,)
            key = b.let(v.given(e))
            b.store(array, i, key if not highest else op("sub", 0, key))

    b.bits(mask, work_out)
    if order.ties == "impossible":
        _no_ties(steps, t, mask, arrays)
    remaining, body = b.mutable(mask), _body(steps, t)

    def once() -> None:
        best = _best(steps, t, b.let(remaining), arrays, start)
        b.set(remaining, op("without", remaining, op("bit", best)))
        body(b.let(op("add", base, best)))

    b.loop(lambda: op("ne", remaining, 0), once)


def _no_ties(steps: Statements, t: c.Loop, mask: Expr, arrays: list[str]) -> None:
    b = steps.b

    def with_lower(i: Expr) -> None:
        def pair(k: Expr) -> None:
            same: Expr = 1
            for array in arrays:
                same = op("and", same, op("eq", load(array, i), load(array, k)))
            steps.v.fault(same, "tie", t.span)

        b.bits(b.let(op("and", mask, op("sub", op("bit", i), 1))), pair)

    b.bits(mask, with_lower)


def _best(steps: Statements, t: c.Loop, candidates: Expr, arrays: list[str], start: Expr | None) -> Expr:
    """The element of the mask with the lexicographically smallest keys."""
    b, number = steps.b, steps.v.program.players
    best = b.mutable(-1)

    def look(i: Expr) -> None:
        old = b.let(best)
        safe = b.let(op("select", op("lt", old, 0), i, old))
        better: Expr = 0
        if start is not None:
            better = op("lt", _turns(b, t, i, start, number), _turns(b, t, safe, start, number))
        for array in reversed(arrays):
            mine, theirs = b.let(load(array, i)), b.let(load(array, safe))
            better = op("or", op("lt", mine, theirs), op("and", op("eq", mine, theirs), better))
        b.set(best, op("select", op("lt", old, 0), i, op("select", better, i, old)))

    b.bits(candidates, look)
    return b.let(best)


def _turns(b: Builder, t: c.Loop, player: Expr, start: Expr, number: int) -> Expr:
    """Number of seats from the start of the circle to a player."""
    away = op("sub", player, start) if t.order.clockwise else op("sub", start, player)
    away = b.let(away)
    return b.let(op("select", op("lt", away, 0), op("add", away, number), away))
