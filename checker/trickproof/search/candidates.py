"""Candidates for a decision: every value or single card; for sets, random ones, then variations of the best.

Nothing here depends on the game: a set is a set.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from trickproof.information.record import BASE, DOMAIN, FAR, HIGH, LOW, NTH, OPTIONS, Site
from trickproof.information.stream import Stream
from trickproof.simulate.script.sets import Drawer
from trickproof_dsl import core as c

FEW_SETS = 30
"""Maximum number of sets that are enumerated exhaustively."""

RANDOM_SETS = 24
"""Number of random sets drawn when there are more."""

CHANGED_SETS = 24
"""Maximum number of variations of the best set tried after that."""

MOST_NUMBERS = 48
"""Maximum number of values tried when they are too far apart for a mask."""


class Question(NamedTuple):
    """What a player must choose: one of `options`, or if these are empty, `low` to `high` cards of `domain`."""

    options: tuple[int, ...] = ()
    domain: int = 0
    low: int = 1
    high: int = 1
    blind: bool = False

    @property
    def of_sets(self) -> bool:
        """Whether the options are sets that are not all enumerated."""
        return not self.options


def question(site: Site, words: Sequence[int]) -> Question:
    """The question posed by the last item of a record."""
    node = site.node
    if isinstance(node, c.ChooseCards):
        domain, low, high = words[DOMAIN], words[LOW], words[HIGH]
        if node.blind:
            return Question((), domain, low, high, True)
        cards, rest = [], domain
        while rest:
            cards.append(rest & -rest)
            rest &= rest - 1
        if low == high == 1:
            return Question(tuple(cards))
        number = sum(comb(len(cards), n) for n in range(low, high + 1))
        if number <= FEW_SETS:
            return Question(tuple(x for n in range(low, high + 1) for x in _sets(cards, n)))
        return Question((), domain, low, high)
    if words[BASE] == FAR:
        numbers = [NTH - i for i in _spread(words[OPTIONS])]
    else:
        numbers = [words[BASE] + i for i in range(words[OPTIONS].bit_length()) if words[OPTIONS] >> i & 1]
    or_none = isinstance(node, c.ChooseValue) and node.or_none
    return Question(tuple(numbers + [-1] * or_none))


def _spread(count: int) -> list[int]:
    """Positions among `count` options: all of them, or `MOST_NUMBERS` from the first to the last, evenly spaced."""
    number = min(count, MOST_NUMBERS)
    return [i * (count - 1) // max(1, number - 1) for i in range(number)]


def _sets(cards: Sequence[int], number: int) -> list[int]:
    if number == 0:
        return [0]
    return [card | rest for i, card in enumerate(cards) for rest in _sets(cards[i + 1 :], number - 1)]


def random_set(asked: Question, draw: Drawer, stream: Stream) -> int:
    """A uniform size between the minimum and the maximum, then a uniform set of that size."""
    return draw(asked.domain, asked.low, asked.high, None, 1, 1, stream)[0]


def random_sets(asked: Question, draw: Drawer, stream: Stream) -> tuple[int, ...]:
    """Distinct random sets."""
    return draw(asked.domain, asked.low, asked.high, None, RANDOM_SETS, RANDOM_SETS, stream)


def changed_sets(asked: Question, draw: Drawer, best: int, stream: Stream) -> tuple[int, ...]:
    """The best set so far, and sets one or two changes away from it, of other sizes where allowed."""
    return draw(asked.domain, asked.low, asked.high, best, CHANGED_SETS + 1, 3 * CHANGED_SETS, stream)
