"""Runtime support for compiled expressions: operations that can fault or need more than a line.

Each function takes values, and last the part of the core program that it implements, which gives the place
and kind of a fault.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection

from trickproof_dsl import core as c
from trickproof_dsl.compiled.memory import Memory
from trickproof_dsl.compiled.slots import Row
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError

LARGEST = 10**18
"""Largest absolute value of a number in the compiled form."""

MOST_ROUNDS = 10_000
"""Longest range of numbers that can be iterated over or chosen from."""

MOST_ELEMENTS = 500_000
"""Maximum number of elements visited between two decisions."""

_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def given(value: int | None, e: c.Expr) -> int:
    """Check that a value of an index type is not `none`."""
    if value is None:
        raise FaultError("nobody", f"a {e.type} is needed, but there is none", e.span)
    return value


def owner(value: int | None, row: Row, span: Span) -> int:
    """Check that the owner of a variable or zone is not `none`."""
    if value is None:
        raise FaultError("nobody", f"the owner of `{row.name}` is `none`", span)
    return value


def entry(owners: tuple[int | None, ...], row: Row, span: Span) -> int:
    """The slot of an entry with several owners, all of which are evaluated before any is checked for `none`."""
    return row.first + sum([owner(x, row, span) * n for x, n in zip(owners, row.strides, strict=True)])


def card(value: int | None, e: c.CardAttribute) -> int:
    """Check that the card whose suit or rank is needed is not `none`."""
    if value is None:
        raise FaultError("no-card", f"the {e.attribute} of a card is needed, but there is none", e.span)
    return value


def compared(left: int | None, right: int | None, e: c.Compare) -> bool:
    """Compare numbers or ranks."""
    if left is None or right is None:
        raise FaultError("nobody", "there is nothing to compare", e.span)
    return _RELATIONS[e.operator](left, right)


def bounded(number: int, e: c.Arithmetic) -> int:
    """Check the result of arithmetic.  Raises EngineLimitError if it is beyond the engine's limit."""
    if not -LARGEST <= number <= LARGEST:
        raise EngineLimitError(f"a number goes beyond {LARGEST}", e.span)
    return number


def divided(left: int, right: int, e: c.Arithmetic) -> int:
    """A quotient or remainder, rounded towards minus infinity."""
    if right == 0:
        raise FaultError("bad-number", "division by zero", e.span)
    return bounded(left // right if e.operator == "div" else left % right, e)


def single(element: int | None) -> frozenset[int]:
    """A singleton, or the empty set for `none`."""
    return frozenset() if element is None else frozenset((element,))


def only(elements: frozenset[int], e: c.Only) -> int:
    """The single element of a set."""
    if len(elements) != 1:
        raise FaultError("not-single", f"expected one {e.type}, found {len(elements)}", e.span)
    return next(iter(elements))


def numbers(low: int, high: int, e: c.Range) -> frozenset[int]:
    """The integers from low to high."""
    if high - low >= MOST_ROUNDS:
        raise EngineLimitError(f"{low} to {high} are more than {MOST_ROUNDS} numbers", e.span)
    return frozenset(range(low, high + 1))


def unspecified(e: c.UnspecifiedValue) -> int:
    """Fault: the value would come from a missing rule."""
    raise FaultError("unspecified", f"nothing says what `{e.rule}` is", e.span)


def counted(s: Memory, elements: Collection[int], span: Span) -> Collection[int]:
    """Count the elements that are visited."""
    s.elements += len(elements)
    if s.elements > MOST_ELEMENTS:
        raise EngineLimitError(f"not done after going through {MOST_ELEMENTS} elements", span)
    return elements


def extreme(values: list[int], e: c.Extreme) -> int:
    """The highest or lowest value."""
    if not values:
        raise FaultError("empty-extreme", "the highest or lowest of an empty set", e.span)
    return max(values) if e.highest else min(values)


def best(pairs: list[tuple[int, int]], highest: bool) -> frozenset[int]:
    """The elements of (key, element) pairs whose key is the highest or lowest."""
    if not pairs:
        return frozenset()
    reached, _ = max(pairs) if highest else min(pairs)
    return frozenset([element for key, element in pairs if key == reached])


def top(
    s: Memory, count: int, elements: frozenset[int], key: Callable[[int], int], e: c.Top
) -> frozenset[int]:
    """The elements with the best keys, as many as requested; ties go to the lower index."""
    by_index = sorted(counted(s, elements, e.span))
    if not 0 <= count <= len(by_index):
        raise FaultError("bad-number", f"the first {count} of a set of {len(by_index)}", e.span)
    return frozenset(sorted(by_index, key=key, reverse=e.highest)[:count])


def matching(
    deck: c.Deck,
    cards: frozenset[int],
    pattern: frozenset[int],
    answering: frozenset[int] | None,
    highest: bool,
) -> frozenset[int]:
    """Suit by suit, as many of the best cards as the pattern has; with `answering`, those paired with its cards."""
    taken: list[int] = []
    for suit in range(len(deck.suits)):
        pairs = zip(_ranked(deck, cards, suit, highest), _ranked(deck, pattern, suit, highest), strict=False)
        taken += [mine for mine, theirs in pairs if answering is None or theirs in answering]
    return frozenset(taken)


def _ranked(deck: c.Deck, cards: frozenset[int], suit: int, highest: bool) -> list[int]:
    """The cards of a suit, best first."""
    of_suit = [x for x in sorted(cards) if deck.card_suit[x] == suit]
    return sorted(of_suit, key=lambda x: deck.card_rank[x], reverse=highest)
