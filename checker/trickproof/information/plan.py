"""What a plan is made of: it says how to draw a division of cards among hidden movements, each as likely.

A plan is a list of words, so that machine code can make it and walk it (`simulate.script.planning`, `.sampling`).  The first word says
where the first node is.  Of a node: the cards that are divided from it on (0: those that are left), through how many hidden movements
those go that take this way, and which; then how it may go on, one after the other: up to which number of 63 bits it does, how many
cards take the way, and where the next node is (0: all is done).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from trickproof.information.stream import Stream

PARTS = 1 << 63
"""Into so many parts probabilities are rounded."""

MOST_MISSING = 63
"""The most cards that can be missing from a movement."""


class TooManyNodesError(Exception):
    """There are more than can be counted."""


@dataclass(frozen=True, slots=True)
class CardClass:
    """Cards (positions) that may have taken the same ways; `through` are the hidden movements of each, as masks."""

    cards: tuple[int, ...]
    through: tuple[int, ...]


Planner = Callable[[Sequence[CardClass], Sequence[int], int], list[int] | None]
"""Gives the plan for classes of cards and the cards missing from each movement; None where there is no division.

Of the movements in the mask that comes last it does not matter how many cards are missing in the end, and nothing is said of them.
Raises TooManyNodesError.
"""


def divided(plan: Sequence[int], known: Sequence[int], stream: Stream) -> list[int]:
    """The cards of every movement, those that are known included; what the machine does, in Python."""
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
    """The positions in a mask, ascending."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]
