"""Draws ways for all cards, so that as many cards go through every hidden movement as were seen to go.

What the rules single out of a zone is not drawn: it follows from the rest, and is left a hole.  The other cards fall into classes
that may have taken the same ways.  How many assignments there are is counted by a dynamic programme
over the classes and the numbers still missing from each movement; so every assignment is drawn with the same probability.
Where there are too many numbers to count, cards are dealt one by one to ways that still need some: approximately so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from trickproof.information.knowledge import Knowledge
from trickproof.information.record import HOLE
from trickproof.information.stream import Stream

FIELD = 7
"""Bits that hold how many cards a movement still needs."""

MISSING = (1 << FIELD) - 1

MOST_STATES = 12_000
"""States of the dynamic programme, beyond which it is given up."""

PARTS = 1 << 63
"""Into so many parts probabilities are rounded for machine code."""

MOST_TRIES = 20
"""How often cards are dealt one by one until it comes out right."""


class TooManyStatesError(Exception):
    """There are more than can be counted."""


@dataclass(frozen=True, slots=True)
class _Class:
    """Cards (positions) that may have taken the same ways; `through` are the hidden movements of each."""

    cards: tuple[int, ...]
    through: tuple[int, ...]
    steps: tuple[int, ...]
    """What a card on each way takes off the numbers still missing."""
    onward: tuple[int, ...]
    """The movements of each way and of those after it."""


def _class(cards: tuple[int, ...], through: tuple[int, ...]) -> _Class:
    steps = tuple(sum(1 << FIELD * h for h in _bits(x)) for x in through)
    onward = list(through)
    for way in range(len(through) - 2, -1, -1):
        onward[way] |= onward[way + 1]
    return _Class(cards, through, steps, tuple(onward))


def through_choices(knowledge: Knowledge) -> dict[frozenset[int], int]:
    """Cards by the hidden movements that they may have gone through, as masks.

    Ways that differ only in what follows from the rules are one, with those movements that all of them have: so every world is
    drawn in one way.
    """
    by_choice: dict[frozenset[int], int] = {}
    for ways, cards in knowledge.cards.items():
        merged: dict[int, int] = {}
        for _, through in ways:
            chosen = through & ~knowledge.by_rules
            merged[chosen] = merged.get(chosen, through) & through
        key = frozenset(merged.values())
        by_choice[key] = by_choice.get(key, 0) | cards
    return by_choice


def _alike(knowledge: Knowledge, by_choice: dict[frozenset[int], int]) -> list[int]:
    """For each hidden movement the first one that is alike: from and to the same zone, and any card through either."""
    alike: list[int] = []
    for h, m in enumerate(knowledge.hidden):
        like = (
            g
            for g in dict.fromkeys(alike)
            if not (knowledge.by_rules >> h | knowledge.by_rules >> g) & 1
            and (knowledge.hidden[g].source, knowledge.hidden[g].target) == (m.source, m.target)
            and all(_interchangeable(through, 1 << g, 1 << h) for through in by_choice)
        )
        alike.append(next(like, h))
    return alike


def _interchangeable(through: frozenset[int], g: int, h: int) -> bool:
    """Whether no card knows one movement from the other."""
    both = g | h
    exchanged = {x ^ both if x & both not in (0, both) else x for x in through}
    return {x & both for x in through} <= {0, g, h} and exchanged == through


class Sampler:
    """Draws, for every hidden movement, the mask of its cards."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.number = len(knowledge.hidden)
        by_choice = through_choices(knowledge)
        self._alike = _alike(knowledge, by_choice)
        missing = [0] * self.number
        for h, m in enumerate(knowledge.hidden):
            missing[self._alike[h]] += m.number
        self._sizes = [m.number for m in knowledge.hidden]
        self.optional = sum(MISSING << FIELD * h for h in _bits(knowledge.by_rules))
        """Where it does not matter how many cards are still missing: they follow from the rules."""
        self.known = [HOLE if knowledge.by_rules >> h & 1 else 0 for h in range(self.number)]
        self.classes: list[_Class] = []
        groups: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        for ways, mask in sorted(self._merged(by_choice).items(), key=lambda pair: pair[1]):
            if not ways:
                continue
            cards = tuple(i for i in range(mask.bit_length()) if mask >> i & 1)
            if len(ways) == 1:
                for h in _bits(ways[0]):
                    self.known[h] |= mask if self.known[h] != HOLE else 0
                    missing[h] -= len(cards)
            else:
                groups.append((cards, ways))
        room = [max(n, 0) for n in missing]
        for cards, ways in groups:
            order = sorted(ways, key=lambda x: (min((room[h] for h in _bits(x)), default=len(cards)), x))
            self.classes.append(_class(cards, tuple(order)))
        self.classes.sort(key=lambda x: (len(x.through), x.cards))
        self._later = self._capacities()
        self._counts: dict[tuple[int, int, int, int], int] = {}
        self._split_at: dict[tuple[int, int, int, int], list[tuple[int, int]]] = {}
        self._needed = sum(n << FIELD * h for h, n in enumerate(missing))
        self.possible = all(n >= 0 for n in missing) and all(knowledge.cards)
        self.exact = self.possible
        if self.exact:
            try:
                self.total = self._count(0, 0, self._size(0), self._needed)
                self.possible = self.total > 0
            except TooManyStatesError:
                self.exact = False

    def _merged(self, by_choice: dict[frozenset[int], int]) -> dict[tuple[int, ...], int]:
        """Cards by the movements that they may have gone through, where movements that are alike count as one."""
        merged: dict[tuple[int, ...], int] = {}
        for possible, mask in by_choice.items():
            through = tuple(sorted({sum(1 << self._alike[h] for h in _bits(x)) for x in possible}))
            merged[through] = merged.get(through, 0) | mask
        return merged

    def _capacities(self) -> list[list[int]]:
        """By class, how many cards of later classes may go through each movement."""
        later = [[0] * self.number for _ in range(len(self.classes) + 1)]
        for k in range(len(self.classes) - 1, 0, -1):
            group = self.classes[k]
            later[k - 1] = [n + len(group.cards) * (group.onward[0] >> h & 1) for h, n in enumerate(later[k])]
        return later

    def shares(self) -> list[tuple[int, int, int]]:
        """What is drawn for movements that are alike goes to the first; then from it to another one so many cards."""
        return [
            (first, h, self._sizes[h]) for h, first in enumerate(self._alike) if first != h and self._sizes[h]
        ]

    def plan(self) -> list[int]:
        """How to draw, for machine code (see `simulate.script.sampling`).

        A word that says where the first node is; of a node the cards that are dealt from it on (0: those that are left), how many
        hidden movements they go through, which; then how the node goes on, one after the other: up to which number of 63 bits it
        does so, how many cards take this way, and where the next node is (0: all is done).
        """
        words, places = [0], dict[tuple[int, int, int, int], int]()
        waiting: list[tuple[int, tuple[int, int, int, int]]] = []

        def refer(at: int, key: tuple[int, int, int, int]) -> None:
            if key[0] < len(self.classes):
                waiting.append((at, key))

        refer(0, (0, 0, self._size(0), self._needed))
        while waiting:
            at, key = waiting.pop()
            if key not in places:
                places[key] = len(words)
                words += self._node(len(words), key, refer)
            words[at] = places[key]
        return words

    def _node(
        self, at: int, key: tuple[int, int, int, int], refer: Callable[[int, tuple[int, int, int, int]], None]
    ) -> list[int]:
        k, way, cards, needed = key
        group = self.classes[k]
        through = [h for h in _bits(group.through[way]) if self.known[h] != HOLE]
        dealt = sum(1 << card for card in group.cards) if way == 0 else 0
        words = [dealt, len(through), *through]
        splits = self._splits(k, way, cards, needed)
        total, below = sum(weight for _, weight in splits), 0
        last = way == len(group.steps) - 1
        for number, weight in splits:
            below += weight
            after = needed - number * group.steps[way]
            onward = (k + 1, 0, self._size(k + 1), after) if last else (k, way + 1, cards - number, after)
            refer(at + len(words) + 2, onward)
            words += [(below * PARTS) // total - 1, number, 0]
        return words

    def draw(self, stream: Stream) -> list[int] | None:
        """The masks; None where none came out right."""
        if not self.possible:
            return None
        masks = self._exactly(stream) if self.exact else self._dealt(stream)
        return None if masks is None else self._apart(masks, stream)

    def _apart(self, masks: list[int], stream: Stream) -> list[int]:
        """The cards of movements that are alike, divided among them at random."""
        for h, first in enumerate(self._alike):
            if first != h:
                cards = [1 << i for i in _bits(masks[first])]
                stream.shuffle(cards)
                masks[h] = sum(cards[: self._sizes[h]])
                masks[first] ^= masks[h]
        return masks

    # -------------------------------------------------------------------------------------------- counting

    def _size(self, k: int) -> int:
        return len(self.classes[k].cards) if k < len(self.classes) else 0

    def _most(self, step: int, through: int, needed: int, cards: int) -> int:
        """How many cards a way can take."""
        for h in _bits(through):
            cards = min(cards, needed >> FIELD * h & MISSING)
        return cards

    def _count(self, k: int, way: int, cards: int, needed: int) -> int:
        """Assignments of the cards of class k to its ways from `way` on, and of all later classes."""
        if k == len(self.classes):
            return int(needed & ~self.optional == 0)
        if self._hopeless(k, way, cards, needed):
            return 0
        key = k, way, cards, needed
        if key in self._counts:
            return self._counts[key]
        if len(self._counts) > MOST_STATES:
            raise TooManyStatesError
        total = sum(weight for _, weight in self._splits(k, way, cards, needed))
        self._counts[key] = total
        return total

    def _hopeless(self, k: int, way: int, cards: int, needed: int) -> bool:
        """Whether some movement needs more cards than can still go through it."""
        later, onward = self._later[k], self.classes[k].onward[way]
        needed &= ~self.optional
        h = 0
        while needed:
            if needed & MISSING > later[h] + (cards if onward >> h & 1 else 0):
                return True
            needed >>= FIELD
            h += 1
        return False

    def _splits(self, k: int, way: int, cards: int, needed: int) -> list[tuple[int, int]]:
        """How many cards may take a way, each number with how many assignments there are."""
        key = k, way, cards, needed
        if key not in self._split_at:
            self._split_at[key] = self._split(k, way, cards, needed)
        return self._split_at[key]

    def _split(self, k: int, way: int, cards: int, needed: int) -> list[tuple[int, int]]:
        group = self.classes[k]
        step, through = group.steps[way], group.through[way]
        most = self._most(step, through, needed, cards)
        if way == len(group.steps) - 1:
            if most < cards:
                return []
            return [(cards, self._count(k + 1, 0, self._size(k + 1), needed - cards * step))]
        later, onward = self._later[k], group.onward[way + 1]
        least = 0
        for h in _bits(through):
            if not (onward >> h & 1 or self.known[h] == HOLE):
                least = max(least, (needed >> FIELD * h & MISSING) - later[h])
        splits = [
            (n, comb(cards, n) * self._count(k, way + 1, cards - n, needed - n * step))
            for n in range(least, most + 1)
        ]
        return [split for split in splits if split[1]]

    def _exactly(self, stream: Stream) -> list[int]:
        masks, needed = list(self.known), self._needed
        for k, group in enumerate(self.classes):
            cards = list(group.cards)
            stream.shuffle(cards)
            at = 0
            for way, through in enumerate(group.through):
                number = self._drawn(stream, k, way, len(cards) - at, needed)
                if not number:
                    continue
                mask = 0
                for card in cards[at : at + number]:
                    mask |= 1 << card
                for h in _bits(through):
                    masks[h] |= mask if masks[h] != HOLE else 0
                at, needed = at + number, needed - number * group.steps[way]
        return masks

    def _drawn(self, stream: Stream, k: int, way: int, cards: int, needed: int) -> int:
        splits = self._splits(k, way, cards, needed)
        if len(splits) == 1:
            return splits[0][0]
        drawn = stream.below(sum(weight for _, weight in splits))
        for number, weight in splits:
            drawn -= weight
            if drawn < 0:
                return number
        raise AssertionError("the weights come to their sum")

    # ------------------------------------------------------------------------------------------ one by one

    def _dealt(self, stream: Stream) -> list[int] | None:
        for _ in range(MOST_TRIES):
            masks = self._deal_once(stream)
            if masks is not None:
                return masks
        return None

    def _deal_once(self, stream: Stream) -> list[int] | None:
        masks, needed = list(self.known), self._needed
        for group in self.classes:
            cards = list(group.cards)
            stream.shuffle(cards)
            for card in cards:
                room = [
                    self._most(step, through, needed, 64)
                    for step, through in zip(group.steps, group.through, strict=True)
                ]
                total = sum(room)
                if not total:
                    return None
                way, drawn = 0, stream.below(total)
                while drawn >= room[way]:
                    drawn -= room[way]
                    way += 1
                for h in _bits(group.through[way]):
                    masks[h] |= 1 << card if masks[h] != HOLE else 0
                needed -= group.steps[way]
        return masks if needed & ~self.optional == 0 else None


@lru_cache(4096)
def _bits(mask: int) -> Sequence[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]
