"""Counts how cards can be divided among hidden movements, and says how to draw one such division, each as likely.

A plan is a list of words, so that machine code can walk it (`simulate.script.sampling`).  The first word says where the first node is.
Of a node: the cards that are divided from it on (0: those that are left), through how many hidden movements those go that take this way,
and which; then how it may go on, one after the other: up to which number of 63 bits it does, how many cards take the way, and
where the next node is (0: all is done).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from trickproof.information.stream import Stream

FIELD = 8
"""Bits that hold how many cards a movement still needs; the highest is 0."""

MISSING = (1 << FIELD - 1) - 1

PARTS = 1 << 63
"""Into so many parts probabilities are rounded."""

MOST_NODES = 4_000
"""Nodes of a plan, beyond which it is given up."""


class TooManyNodesError(Exception):
    """There are more than can be counted."""


@dataclass(frozen=True, slots=True)
class CardClass:
    """Cards (positions) that may have taken the same ways; `through` are the hidden movements of each, as masks."""

    cards: tuple[int, ...]
    through: tuple[int, ...]


def plan_of(classes: Sequence[CardClass], missing: Sequence[int], optional: int) -> list[int] | None:
    """The plan for classes of cards and the cards missing from each movement; None where there is no division.

    Of the movements in the mask `optional` it does not matter how many cards are missing in the end, and nothing is said of them.
    Raises TooManyNodesError.
    """
    planner = _Planner(classes, missing, optional)
    total, first = planner.node(0, 0, planner.size(0), packed(missing))
    planner.words[0] = first
    return planner.words if total else None


class _Planner:
    """A dynamic programme over the classes, their ways, and the numbers still missing."""

    def __init__(self, classes: Sequence[CardClass], missing: Sequence[int], optional: int) -> None:
        self.classes, self.words = classes, [0]
        number = len(missing)
        self.guards = packed([MISSING + 1] * number)
        self.mandatory = packed([0 if optional >> h & 1 else MISSING for h in range(number)])
        self.steps = [[packed_bits(x) for x in group.through] for group in classes]
        self.fields = [[[FIELD * h for h in bits(x)] for x in group.through] for group in classes]
        self.told = [
            [[h for h in bits(x) if not optional >> h & 1] for x in group.through] for group in classes
        ]
        self.onward = [_onward(group) for group in classes]
        self.later = self._capacities()
        self.known: dict[tuple[int, int, int, int], tuple[int, int]] = {}

    def size(self, k: int) -> int:
        return len(self.classes[k].cards) if k < len(self.classes) else 0

    def _capacities(self) -> list[int]:
        """By class, how many cards of later classes may go through each movement."""
        later = [0] * (len(self.classes) + 1)
        for k in range(len(self.classes) - 1, 0, -1):
            later[k - 1] = later[k] + len(self.classes[k].cards) * self.onward[k][0]
        return later

    def node(self, k: int, way: int, cards: int, needed: int) -> tuple[int, int]:
        """In how many ways `cards` cards of class k can take its ways from `way` on, and later classes theirs; and the node."""
        if k == len(self.classes):
            return int(needed & self.mandatory == 0), 0
        most = self.later[k] + cards * self.onward[k][way]
        if ((most | self.guards) - (needed & self.mandatory)) & self.guards != self.guards:
            return 0, 0
        key = k, way, cards, needed
        if key not in self.known:
            if len(self.known) > MOST_NODES:
                raise TooManyNodesError
            self.known[key] = self._made(k, way, cards, needed)
        return self.known[key]

    def _made(self, k: int, way: int, cards: int, needed: int) -> tuple[int, int]:
        step, most = self.steps[k][way], cards
        for shift in self.fields[k][way]:
            here = needed >> shift & MISSING
            most = here if here < most else most
        if way == len(self.steps[k]) - 1:
            if most < cards:
                return 0, 0
            total, after = self.node(k + 1, 0, self.size(k + 1), needed - cards * step)
            return (total, self._written(k, way, total, [(cards, total, after)])) if total else (0, 0)
        guards, mandatory, known = self.guards, self.mandatory, self.known
        later, onward = self.later[k], self.onward[k][way + 1]
        splits: list[tuple[int, int, int]] = []
        total, rest, remaining = 0, needed, cards
        for n in range(most + 1):
            if ((later + remaining * onward | guards) - (rest & mandatory)) & guards == guards:
                count, after = known.get((k, way + 1, remaining, rest)) or self.node(
                    k, way + 1, remaining, rest
                )
                if count:
                    weight = comb(cards, n) * count
                    total += weight
                    splits.append((n, weight, after))
            rest -= step
            remaining -= 1
        return (total, self._written(k, way, total, splits)) if total else (0, 0)

    def _written(self, k: int, way: int, total: int, splits: list[tuple[int, int, int]]) -> int:
        words, through = self.words, self.told[k][way]
        at = len(words)
        words.append(0 if way else sum(1 << card for card in self.classes[k].cards))
        words.append(len(through))
        words += through
        if len(splits) == 1:
            number, _, after = splits[0]
            words += (PARTS - 1, number, after)
            return at
        below = 0
        for number, weight, after in splits:
            below += weight
            words += (below * PARTS // total - 1, number, after)
        return at


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


def packed(numbers: Sequence[int]) -> int:
    """Numbers in fields of a word."""
    return sum(n << FIELD * h for h, n in enumerate(numbers))


def packed_bits(mask: int) -> int:
    """1 in the fields of the bits of a mask."""
    return sum(1 << FIELD * h for h in bits(mask))


def _onward(group: CardClass) -> list[int]:
    """The movements of each way and of those after it, as fields."""
    onward, masks = 0, []
    for through in reversed(group.through):
        onward |= through
        masks.append(packed_bits(onward))
    return masks[::-1]


@lru_cache(4096)
def bits(mask: int) -> Sequence[int]:
    """The positions in a mask, ascending."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]
