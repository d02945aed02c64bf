"""The format of plans, which tell how to divide cards among hidden movements uniformly at random.

A plan is a list of words, so that machine code can build and walk it (`simulate.script.planning`,
`.sampling`).  The first word is the position of the first node.  A node holds the cards to be divided from
there on (0: those left over), the number of hidden movements on this way, and those movements; then its
edges, one after the other: the upper bound of the edge's share of a 63-bit random number, how many cards take
the way, and the position of the next node (0: done).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from trickproof.information.stream import Stream

PARTS = 1 << 63
"""Denominator of the rounded probabilities."""

MOST_MISSING = 63
"""Maximum number of cards that can be missing from a movement."""


class TooManyNodesError(Exception):
    """The plan would have more nodes than the limit."""


@dataclass(frozen=True, slots=True)
class CardClass:
    """Cards (a mask) that may have taken the same ways; `through` has the mask of hidden movements of each way."""

    cards: int
    through: tuple[int, ...]


Planner = Callable[[Sequence[CardClass], Sequence[int], int], Sequence[int] | None]
"""Compute the plan for classes of cards and the number of cards missing from each movement; None if no division
exists.

The last argument is a mask of movements whose final number of missing cards is unconstrained; the plan
collects the cards that certainly went through them behind all movements, in order.  Raises TooManyNodesError.
"""


def divided(plan: Sequence[int], known: Sequence[int], stream: Stream) -> list[int]:
    """The cards of every movement, known ones included; the Python counterpart of what the machine code does."""
    masks, at, rest = list(known), plan[0], list[int]()
    while at:
        cards, number = plan[at], plan[at + 1]
        if cards:
            rest = list(bits(cards))
            stream.shuffle(rest)
        split, drawn = at + 2 + number, stream.word() >> 1
        while plan[split] < drawn:
            split += 3
        taken, rest = rest[: plan[split + 1]], rest[plan[split + 1] :]
        for h in plan[at + 2 : at + 2 + number]:
            masks[h] |= sum(1 << card for card in taken)
        at = plan[split + 2]
    return masks


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
