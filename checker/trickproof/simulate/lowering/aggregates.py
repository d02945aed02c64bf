"""Lowering of quantified and aggregating expressions: unrolled for small sets, otherwise loops over masks."""

from __future__ import annotations

from collections.abc import Callable

from trickproof.simulate.ir.builder import Words
from trickproof.simulate.ir.calling_convention import BeyondError
from trickproof.simulate.ir.instructions import Expr, op
from trickproof.simulate.lowering import card_masks
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import stripped

SMALL = ("players", "suits", "ranks")
"""Kinds of sets whose iteration is unrolled."""

FAR = 1 << 62
"""A number larger than any in a game."""


def each(
    v: Expressions, domain: c.Expr, binder: str, act: Callable[[Expr, Expr, Expr], None], words: Words
) -> None:
    """Call `act` with every possible element, its index in the mask, and whether it is in the set."""
    if domain.type.kind in SMALL:
        mask = v.b.let(words[-1])
        for i in range(int(v.everything(domain.type.kind)).bit_length()):
            there = op("ne", op("and", mask, 1 << i), 0)
            if there != 0:
                v.names[binder] = (i,)
                act(i, i, there)
        return
    base = words[0] if len(words) == 2 else 0

    def bit(i: Expr) -> None:
        element = v.b.let(op("add", base, i))
        v.names[binder] = (element,)
        act(element, i, 1)

    v.b.bits(words[-1], bit)


def _is_small(domain: c.Expr) -> bool:
    return domain.type.kind in SMALL


def listable(e: c.Expr) -> bool:
    """Whether `numbers` can iterate over a set of numbers."""
    e = stripped(e)
    match e:
        case c.Filter():
            return listable(e.domain)
        case c.Conditional():
            return listable(e.then) and listable(e.otherwise)
    return isinstance(e, c.Range | c.Literal | c.Single)


def numbers(v: Expressions, e: c.Expr, body: Callable[[Expr], None]) -> None:
    """Call `body` with every element of a set of numbers, each range lowest first, however far apart they are."""
    e = stripped(e)
    match e:
        case c.Range():
            v.b.times(*v.ends(e), body)
        case c.Literal():
            assert isinstance(e.value, tuple)
            for x in e.value:
                body(x)
        case c.Single():
            body(v.b.let(v.word(e.element)))
        case c.Conditional():
            v.b.either(
                v.b.let(v.word(e.condition)),
                lambda: numbers(v, e.then, body),
                lambda: numbers(v, e.otherwise, body),
            )
        case c.Filter():

            def filtered_body(x: Expr) -> None:
                v.names[e.binder] = (x,)
                with v.b.when(v.b.let(v.word(e.condition))):
                    body(x)

            numbers(v, e.domain, filtered_body)
        case _:
            raise AssertionError(e)


def exists(v: Expressions, e: c.Exists) -> Expr:
    inner = stripped(e.domain)
    if isinstance(inner, c.Range):
        return _exists_in_range(v, e, inner)
    if e.domain.type == c.INTEGERS and listable(e.domain):
        holds_for_one = v.b.mutable(0)

        def test(x: Expr) -> None:
            v.names[e.binder] = (x,)
            with v.b.when(op("eq", holds_for_one, 0)):
                v.b.set(holds_for_one, v.word(e.condition))

        numbers(v, e.domain, test)
        return v.b.let(holds_for_one)
    domain = v.words(e.domain)
    if e.domain.type == c.CARDS and card_masks.at_once(e.condition, e.binder):
        return op("ne", card_masks.selected(v, e.condition, e.binder, domain[0]), 0)
    if _is_small(e.domain):
        some: list[Expr] = [0]

        def look(_: Expr, __: Expr, there: Expr) -> None:
            still = op("select", some[0], 0, there)
            (holds,) = v.b.under(still, lambda: v.words(e.condition))
            some[0] = v.b.let(op("select", there, op("select", some[0], 1, holds), some[0]))

        each(v, e.domain, e.binder, look, domain)
        return some[0]
    name = v.b.mutable(0)

    def one(_: Expr, __: Expr, ___: Expr) -> None:
        with v.b.when(op("eq", name, 0)):
            v.b.set(name, v.word(e.condition))

    each(v, e.domain, e.binder, one, domain)
    return v.b.let(name)


def _exists_in_range(v: Expressions, e: c.Exists, numbers: c.Range) -> Expr:
    low, high = v.ends(numbers)
    name, at = v.b.mutable(0), v.b.mutable(low)

    def once() -> None:
        v.names[e.binder] = (v.b.let(at),)
        v.b.set(name, v.word(e.condition))
        v.b.set(at, op("add", at, 1))

    v.b.loop(lambda: op("and", op("le", at, high), op("eq", name, 0)), once)
    return v.b.let(name)


def filtered(v: Expressions, e: c.Filter) -> Words:
    domain = v.words(e.domain)
    if e.domain.type == c.CARDS and card_masks.at_once(e.condition, e.binder):
        return (card_masks.selected(v, e.condition, e.binder, domain[0]),)
    mask = _masks(v, e.domain, e.binder, domain, lambda: v.word(e.condition))
    return (*domain[:-1], mask)


def _masks(v: Expressions, domain: c.Expr, binder: str, words: Words, holds: Callable[[], Expr]) -> Expr:
    """The mask of the elements that satisfy a condition."""
    if _is_small(domain):
        parts: list[Expr] = [0]

        def add(_: Expr, i: Expr, there: Expr) -> None:
            assert isinstance(i, int)
            (yes,) = v.b.under(there, lambda: (holds(),))
            parts[0] = v.b.let(op("or", parts[0], op("select", there, op("select", yes, 1 << i, 0), 0)))

        each(v, domain, binder, add, words)
        return parts[0]
    name = v.b.mutable(0)

    def one(_: Expr, i: Expr, __: Expr) -> None:
        v.b.set(name, op("or", name, op("select", holds(), op("bit", i), 0)))

    each(v, domain, binder, one, words)
    return v.b.let(name)


def _folded(
    v: Expressions,
    domain: c.Expr,
    binder: str,
    value: c.Expr,
    start: int,
    fold: Callable[[Expr, Expr], Expr],
    given: bool = False,
) -> Expr:
    """Fold the values of all elements; an absent element counts as `start`."""
    words = v.words(domain)

    def worked() -> Expr:
        return v.given(value) if given else v.word(value)

    if _is_small(domain):
        total: list[Expr] = [start]

        def add(_: Expr, __: Expr, there: Expr) -> None:
            (x,) = v.b.under(there, lambda: (worked(),))
            total[0] = v.b.let(fold(total[0], op("select", there, x, start)))

        each(v, domain, binder, add, words)
        return total[0]
    name = v.b.mutable(start)

    def one(_: Expr, __: Expr, ___: Expr) -> None:
        x = worked()
        v.b.set(name, fold(name, v.b.let(x)))

    each(v, domain, binder, one, words)
    return v.b.let(name)


def total(v: Expressions, e: c.Sum) -> Expr:
    if e.domain.type == c.INTEGERS and listable(e.domain):
        return _over_numbers(v, e.domain, e.binder, lambda: v.word(e.value), 0, lambda a, b: op("add", a, b))
    if e.domain.type == c.CARDS and (by_count := _counted(v, e)) is not None:
        return by_count
    return _folded(v, e.domain, e.binder, e.value, 0, lambda a, b: op("add", a, b))


def _over_numbers(
    v: Expressions,
    domain: c.Expr,
    binder: str,
    value: Callable[[], Expr],
    start: int,
    fold: Callable[[Expr, Expr], Expr],
) -> Expr:
    name = v.b.mutable(start)

    def one(x: Expr) -> None:
        v.names[binder] = (x,)
        v.b.set(name, fold(name, v.b.let(value())))

    numbers(v, domain, one)
    return v.b.let(name)


def _counted(v: Expressions, e: c.Sum) -> Expr | None:
    """A sum over cards of a number where a condition holds and 0 elsewhere (or similar), by counting."""
    value = stripped(e.value)
    if not isinstance(value, c.Conditional) or not card_masks.at_once(value.condition, e.binder):
        return None
    then, otherwise = stripped(value.then), stripped(value.otherwise)
    if not (isinstance(then, c.Literal) and isinstance(otherwise, c.Literal)):
        return None
    assert isinstance(then.value, int)
    assert isinstance(otherwise.value, int)
    domain = v.b.let(v.word(e.domain))
    holds = v.b.let(card_masks.selected(v, value.condition, e.binder, domain))
    rest = op("count", op("without", domain, holds))
    return op("add", op("mul", op("count", holds), int(then.value)), op("mul", rest, int(otherwise.value)))


def union(v: Expressions, e: c.UnionOf) -> Expr:
    if e.type == c.INTEGERS:
        raise BeyondError("a union of sets of numbers is not simulated", e.span)
    return _folded(v, e.domain, e.binder, e.value, 0, lambda a, b: op("or", a, b))


def _better(highest: bool) -> Callable[[Expr, Expr], Expr]:
    def fold(a: Expr, b: Expr) -> Expr:
        return op("select", op("lt", a, b) if highest else op("lt", b, a), b, a)

    return fold


def extreme(v: Expressions, e: c.Extreme) -> Expr:
    none = -FAR if e.highest else FAR
    if e.domain.type == c.INTEGERS and listable(e.domain):
        value = _over_numbers(v, e.domain, e.binder, lambda: v.given(e.value), none, _better(e.highest))
        v.fault(op("eq", value, none), "empty-extreme", e.span)
        return value
    folded = v.b.let(_folded(v, e.domain, e.binder, e.value, none, _better(e.highest), given=True))
    v.fault(op("eq", folded, none), "empty-extreme", e.span)
    return folded


def best(v: Expressions, e: c.Best) -> Words:
    words, none = v.words(e.domain), -FAR if e.highest else FAR
    mask = v.b.let(words[-1])
    words = (*words[:-1], mask)
    fold = _better(e.highest)
    if _is_small(e.domain):
        keys: dict[int, Expr] = {}
        reached: list[Expr] = [none]

        def look(_: Expr, i: Expr, there: Expr) -> None:
            assert isinstance(i, int)
            (key,) = v.b.under(there, lambda: (v.given(e.key),))
            keys[i] = v.b.let(op("select", there, key, none))
            reached[0] = v.b.let(fold(reached[0], keys[i]))

        each(v, e.domain, e.binder, look, words)
        same: Expr = 0
        for i, key in keys.items():
            same = op("or", same, op("select", op("eq", key, reached[0]), 1 << i, 0))
        return (*words[:-1], v.b.let(op("and", same, mask)))
    best_key, best_mask = v.b.mutable(none), v.b.mutable(0)

    def one(_: Expr, i: Expr, __: Expr) -> None:
        key = v.b.let(v.given(e.key))
        bit, old = op("bit", i), v.b.let(best_key)
        better = op("lt", old, key) if e.highest else op("lt", key, old)
        more = op("select", op("eq", key, old), op("or", best_mask, bit), best_mask)
        v.b.set(best_mask, op("select", better, bit, more))
        v.b.set(best_key, fold(old, key))

    each(v, e.domain, e.binder, one, words)
    return (*words[:-1], v.b.let(best_mask))


def top(v: Expressions, e: c.Top) -> Expr:
    """Take the best element repeatedly; ties go to the lowest index."""
    if e.type == c.INTEGERS:
        raise BeyondError("the best of a set of numbers is not simulated", e.span)
    number, operand = v.b.let(v.word(e.count)), v.b.let(v.word(e.operand))
    bad = op("or", op("lt", number, 0), op("lt", op("count", operand), number))
    v.fault(bad, "bad-number", e.span)
    remaining, taken = v.b.mutable(operand), v.b.mutable(0)

    def once(_: Expr) -> None:
        best_key, best_bit = v.b.mutable(-FAR if e.highest else FAR), v.b.mutable(0)

        def look(i: Expr) -> None:
            v.names[e.binder] = (i,)
            key, old = v.b.let(v.given(e.key)), v.b.let(best_key)
            better = v.b.let(op("lt", old, key) if e.highest else op("lt", key, old))
            v.b.set(best_key, op("select", better, key, old))
            v.b.set(best_bit, op("select", better, op("bit", i), best_bit))

        v.b.bits(remaining, look)
        v.b.set(taken, op("or", taken, best_bit))
        v.b.set(remaining, op("without", remaining, best_bit))

    v.b.times(1, number, once)
    return v.b.let(taken)
