"""The format of plans, which tell how to divide cards among hidden movements uniformly at random.

A plan is a list of words, so that machine code can build and walk it (`simulate.script.planning`,
`.sampling`).  The first word is the position of the first node.  A node holds the cards to be divided from
there on (0: those left over), and the position of the names that it shares with the other nodes for this way: the number of
hidden movements on this way, and on the last way by which all other cards go (-1: there are more ways than these two), and
those movements; then its edges, one after the other: the upper bound of the edge's share of a 63-bit random number, and in one word how
many cards take the way and, `SHIFTED` bits higher, the position of the next node (0: done).

What a planner is asked is a list of words as well, of which most depend only on the ways (`Layout`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from trickproof.information.record import HOLE

NODE_HEAD, NAMES_HEAD, EDGE = 2, 2, 2
"""Words of a node before its edges, of names before the movements, and of an edge."""

SHIFTED = 7
"""Bits of the number of cards in an edge."""

TAKING = (1 << SHIFTED) - 1
"""The mask of these bits."""

PARTS = 1 << 63
"""Denominator of the rounded probabilities."""

MOST_MISSING = 63
"""Maximum number of cards that can be missing from a movement."""


@dataclass(frozen=True, slots=True)
class CardClass:
    """Cards (a mask) that may have taken the same ways; `through` has the mask of hidden movements of each way."""

    cards: int
    through: tuple[int, ...]


GROUPS, MOVEMENTS, OPTIONALS, WIDTH, SINGLES, MOST, STALE, DONE, RESULT, HEAD = range(10)
"""What a planner is asked begins with the number of classes of cards with several ways, of hidden movements, of optional ones,
the number of words that hold the fields, and the number of classes with one way; then come the maximum number of
nodes, and the number up to which hash table entries are stale; then two answers: the number of words of the plan, and how
planning ended.
"""

SIZE, ALIKE, MISSING, OPTIONAL, WORD, SHIFT, MOVEMENT = range(7)
"""For each movement: the number of its cards; the first interchangeable one, where these are counted; an answer, the number of
cards that are missing from these but for those that certainly went there; whether the final number of missing cards is
unconstrained; and the field in which it is counted (word -1 if in none, as no card with several ways may have gone there).

Then come an answer, the cards that certainly went through each movement (a hole for optional ones) and those that certainly
went through each optional one; the fields of the movements that must be complete in the end (all bits set); the classes with one way:
their cards, the number of movements on this way, and for each its number and the position of the answer about it; and the other
classes.
"""

FIELD, FIELDS = 7, 9
"""Bits per field: the number of cards missing from a movement, and a guard bit that is 0; and the number of
fields per word.
"""

CARDS, WAYS, CLASS = range(3)
"""A class: its cards, and the number of its ways, which follow in ascending order."""

LISTS, LIMITS, TOLD, WAY = range(4)
"""A way: the position of its lists, the number of fields it counts in (for each, the word and the shift), and the number of movements
listed in the plan; then the fields in which a card that takes the way counts.  The lists come after all classes.
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """What problems with the same ways have in common: the words of the problem, with 0 for the numbers and cards of each.

    `masks` are the positions of the cards of each class, in the order given; `rows` is the number of ways of classes with several.
    """

    words: array[int]
    masks: tuple[int, ...]
    rows: int
    movements: int
    width: int
    answers: tuple[int, int, int]
    """The positions of what certainly went through movements, and through optional ones, and where this ends."""


@lru_cache(1 << 12)
def layout_of(alike: tuple[int, ...], optional: int, classes: tuple[tuple[int, ...], ...]) -> Layout:
    """The layout for classes with the mask of hidden movements of each of their ways, ascending."""
    movements, optionals = len(alike), bits(optional)
    several = [ways for ways in classes if len(ways) > 1]
    active = bits(reduce(or_, (x for ways in several for x in ways), 0))
    field = {h: (i // FIELDS, FIELD * (i % FIELDS)) for i, h in enumerate(active)}
    width = max(1, -(-len(active) // FIELDS))
    words = [len(several), movements, len(optionals), width, len(classes) - len(several), 0, 0, 0, 0]
    for h, first in enumerate(alike):
        words += (0, first, 0, optional >> h & 1, *field.get(h, (-1, 0)))
    certain = len(words)
    known = [HOLE if optional >> h & 1 else 0 for h in range(movements)]
    words += [*known, *[0] * len(optionals)]
    end = len(words)
    words += _fields([field[h] for h in active if h not in optionals], width, MOST_MISSING)
    masks = [0] * len(classes)
    for i, ways in enumerate(classes):
        if len(ways) == 1:
            masks[i] = len(words)
            words += (0, len(bits(ways[0])))
            for h in bits(ways[0]):
                words += (h, certain + (movements + optionals.index(h) if optional >> h & 1 else h))
    lists, at = list[int](), len(words) + sum(CLASS + len(ways) * (WAY + width) for ways in several)
    for i, ways in enumerate(classes):
        if len(ways) > 1:
            masks[i] = len(words)
            words += (0, len(ways))
            for way in ways:
                words += (at + len(lists), way.bit_count(), way.bit_count())
                words += _fields([field[h] for h in bits(way)], width, 1)
                lists += [x for h in bits(way) for x in field[h]]
                lists += bits(way & ~optional)
                lists += [movements + i for i, h in enumerate(optionals) if way >> h & 1]
    answers = certain, certain + movements, end
    return Layout(array("q", words + lists), tuple(masks), sum(map(len, several)), movements, width, answers)


def _fields(fields: Sequence[tuple[int, int]], width: int, number: int) -> list[int]:
    """Words with a number in some of their fields."""
    words = [0] * width
    for word, shift in fields:
        words[word] |= number << shift
    return words


class Planned(NamedTuple):
    """What a planner answers: the plan (empty if no division exists, None if there is too much to count), and whether cards are left
    for every movement to be complete; the cards that certainly went through each movement (a hole for optional ones), those
    that certainly went through each optional one; and the numbers of cards still missing.
    """

    plan: Sequence[int] | None
    enough: bool
    known: list[int]
    certain: list[int]
    missing: list[int]


Planner = Callable[[Layout, Sequence[int], Sequence[int]], Planned]
"""Computes the plan for the numbers of cards of each movement, and the cards of each class of a layout.

The plan collects the cards that certainly went through optional movements behind all movements, in order.
"""


@lru_cache(4096)
def bits(mask: int) -> Sequence[int]:
    """The positions in a mask, ascending; remembered, which pays for masks that recur."""
    return positions(mask)


def positions(mask: int) -> tuple[int, ...]:
    """The positions in a mask, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)
