"""What the Python text of expressions and steps calls (`python_values`, `python_steps`): whatever can break down.

Each takes values, and last the part of the core program that it stands for, which tells where and what was expected.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import WORKED, Row, Value
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.faults import FaultError

LARGEST = 10**18
"""No number of a game goes beyond this, up or down: rules that go on multiplying are stopped."""

MOST_ROUNDS = 10_000
"""The longest range of numbers that can be gone through or chosen from."""

MOST_VALUES = 500_000
"""Elements gone through from one decision to the next, at most: sums of sums of sums are stopped."""

_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def given(value: Value, e: c.Expr) -> Any:
    """A player, rank or the like that must not be `none`."""
    if value is None:
        raise FaultError("nobody", f"a {e.type} is needed, there is none", e.span)
    return value


def entry(owners: tuple[Value, ...], row: Row, span: Span) -> int:
    """The place of an entry of a variable or zone, whose owners must not be `none`."""
    if None in owners:
        raise FaultError("nobody", f"whose `{row.name}` is asked for, there is none", span)
    place: int = row.first + sum([x * stride for x, stride in zip(owners, row.strides, strict=True)])
    return place


def card(value: Value, e: c.CardAttribute) -> Any:
    """A card that is asked for its suit or rank."""
    if value is None:
        raise FaultError("no-card", f"the {e.attribute} of no card is asked for", e.span)
    return value


def compared(left: Value, right: Value, e: c.Compare) -> bool:
    """Numbers or ranks compared."""
    if left is None or right is None:
        raise FaultError("nobody", "there is none to compare", e.span)
    return _RELATIONS[e.operator](left, right)


def reckoned(number: int, e: c.Arithmetic) -> int:
    """A number that is worked out, and must not be beyond all bounds."""
    if not -LARGEST <= number <= LARGEST:
        raise FaultError("bad-number", f"a number goes beyond {LARGEST}", e.span)
    return number


def divided(left: int, right: int, e: c.Arithmetic) -> int:
    """A quotient or remainder, rounded towards minus infinity."""
    if right == 0:
        raise FaultError("bad-number", "division by zero", e.span)
    return reckoned(left // right if e.operator == "div" else left % right, e)


def single(element: Value) -> frozenset[int]:
    """The set of one element; of none the empty set."""
    return frozenset() if element is None else frozenset((element,))


def only(found: frozenset[int], e: c.Only) -> int:
    """The element of a set that must have one."""
    if len(found) != 1:
        raise FaultError("not-single", f"expected one {e.type}, found {len(found)}", e.span)
    return next(iter(found))


def numbers(low: int, high: int, e: c.Range) -> frozenset[int]:
    """The integers from low to high."""
    return frozenset(numbers_up(low, high, e))


def numbers_up(low: int, high: int, e: c.Range) -> tuple[int, ...]:
    """The same in their order."""
    if high - low >= MOST_ROUNDS:
        raise FaultError("loop-bound", f"{low} to {high} are more than {MOST_ROUNDS} numbers", e.span)
    return tuple(range(low, high + 1))


def unspecified(e: c.UnspecifiedValue) -> Value:
    """What a missing rule would give."""
    raise FaultError("unspecified", f"nothing says what `{e.rule}` is", e.span)


def through(v: list[Value], elements: Collection[int], span: Span) -> Collection[int]:
    """What is gone through, which is counted."""
    v[WORKED] += len(elements)
    if v[WORKED] > MOST_VALUES:
        raise FaultError("loop-bound", f"not done after going through {MOST_VALUES} elements", span)
    return elements


def extreme(values: list[int], e: c.Extreme) -> int:
    """The highest or lowest value."""
    if not values:
        raise FaultError("empty-extreme", "the highest or lowest of nothing is asked for", e.span)
    return max(values) if e.highest else min(values)


def best(found: list[tuple[int, int]], highest: bool) -> frozenset[int]:
    """Of values and elements, the elements whose value is the highest or lowest."""
    if not found:
        return frozenset()
    reached, _ = max(found) if highest else min(found)
    return frozenset([x for value, x in found if value == reached])


def one_best(found: list[tuple[int, int]], highest: bool) -> int:
    """Of values and elements, the only element whose value is the highest or lowest.

    Raises ValueError when there are several, IndexError when there is none.
    """
    if len(found) != 1:
        found.sort(reverse=highest)
        if found[0][0] == found[1][0]:
            raise ValueError("several are best")
    return found[0][1]


def top(
    v: list[Value], count: int, elements: frozenset[int], key: Callable[[int], int], e: c.Top
) -> frozenset[int]:
    """So many elements with the best keys; of equals those of lower index."""
    among = sorted(through(v, elements, e.span))
    if not 0 <= count <= len(among):
        raise FaultError("bad-number", f"{count} of {len(among)} are asked for", e.span)
    return frozenset(sorted(among, key=key, reverse=e.highest)[:count])


def matching(
    deck: c.Deck,
    cards: frozenset[int],
    pattern: frozenset[int],
    wanted: frozenset[int] | None,
    highest: bool,
) -> frozenset[int]:
    """Suit by suit as many of the best cards as the pattern has; those that go with what is wanted of it."""
    taken: list[int] = []
    for suit in range(len(deck.suits)):
        pairs = zip(_ranked(deck, cards, suit, highest), _ranked(deck, pattern, suit, highest), strict=False)
        taken += [mine for mine, theirs in pairs if wanted is None or theirs in wanted]
    return frozenset(taken)


def _ranked(deck: c.Deck, cards: frozenset[int], suit: int, highest: bool) -> list[int]:
    """The cards of a suit, best first."""
    of_suit = [x for x in sorted(cards) if deck.card_suit[x] == suit]
    return sorted(of_suit, key=lambda x: deck.card_rank[x], reverse=highest)
