"""Draws ways for all cards, so that as many cards go through every hidden movement as were seen to go.

What the rules single out of a zone is not drawn: it follows from the rest, and is left a hole.  The other cards fall into classes
that may have taken the same ways, and a `plan` divides them so that every assignment is as likely.  Where there are too many
numbers to count, cards are dealt one by one to ways that still need some: approximately so.
"""

from __future__ import annotations

from collections.abc import Iterable

from trickproof.information.knowledge import Knowledge
from trickproof.information.plan import (
    MOST_MISSING,
    CardClass,
    Planner,
    TooManyNodesError,
    bits,
    divided,
)
from trickproof.information.record import HOLE
from trickproof.information.stream import Stream

MOST_TRIES = 5
"""How often cards are dealt one by one until it comes out right."""


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


def _by_size(classes: list[CardClass]) -> list[CardClass]:
    return sorted(classes, key=lambda x: (len(x.cards), x.cards))


class Sampler:
    """Draws, for every hidden movement, the mask of its cards.

    `plan` (None where there is none, or too much to count), `known` and `shares` are what machine code needs to draw.
    """

    def __init__(self, knowledge: Knowledge, planner: Planner) -> None:
        self._planner = planner
        self.number = len(knowledge.hidden)
        by_choice = through_choices(knowledge)
        self._alike = _alike(knowledge, by_choice)
        self._sizes = [m.number for m in knowledge.hidden]
        self._optional = knowledge.by_rules
        self.known = [HOLE if knowledge.by_rules >> h & 1 else 0 for h in range(self.number)]
        """Cards of each movement that surely went through it; a hole where the rules say."""
        missing = [0] * self.number
        for h in range(self.number):
            missing[self._alike[h]] += self._sizes[h]
        self.classes = self._classes(by_choice, missing)
        self._missing = missing
        self.possible = all(n >= 0 for n in missing) and all(knowledge.cards)
        self.exact, self.plan = self.possible, None
        if self.possible:
            try:
                self.plan = self._planned()
                self.possible = self.plan is not None
            except TooManyNodesError:
                self.exact = False

    def _planned(self) -> list[int] | None:
        """The plan; where there is too much to count, classes are put together: more worlds are refused then."""
        classes: list[CardClass] | None = self.classes
        while classes is not None:
            try:
                return self._planner(_by_size(classes), self._missing, self._optional)
            except TooManyNodesError:
                classes = self._coarser(classes)
        raise TooManyNodesError

    def _coarser(self, classes: list[CardClass]) -> list[CardClass] | None:
        """A class of few cards put to one whose ways are as many and more, in which they are few; None where there is none."""
        pairs = [
            (len(set(large.through) - set(small.through)), len(small.cards), small, large)
            for small in classes
            for large in classes
            if small is not large and set(small.through) <= set(large.through)
        ]
        if not pairs:
            return None
        _, _, small, large = min(pairs, key=lambda x: x[:2])
        together = CardClass(tuple(sorted(small.cards + large.cards)), large.through)
        return [x for x in classes if x is not small and x is not large] + [together]

    def _classes(self, by_choice: dict[frozenset[int], int], missing: list[int]) -> list[CardClass]:
        """The cards that may have taken several ways; those that surely went through a movement are no longer missing."""
        groups: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        for ways, mask in sorted(self._merged(by_choice).items(), key=lambda pair: pair[1]):
            cards = tuple(bits(mask))
            if len(ways) > 1:
                groups.append((cards, ways))
            for h in bits(ways[0]) if len(ways) == 1 else ():
                self.known[h] |= mask if self.known[h] != HOLE else 0
                missing[h] -= len(cards)
        return _by_size([CardClass(cards, self._ordered(ways, missing)) for cards, ways in groups])

    def _ordered(self, ways: Iterable[int], missing: list[int]) -> tuple[int, ...]:
        """Ways that few cards can take come first: so there is less to count."""
        room = {x: min((max(missing[h], 0) for h in bits(x)), default=MOST_MISSING) for x in ways}
        return tuple(sorted(ways, key=lambda x: (room[x], x)))

    def _merged(self, by_choice: dict[frozenset[int], int]) -> dict[tuple[int, ...], int]:
        """Cards by the movements that they may have gone through, where movements that are alike count as one."""
        merged: dict[tuple[int, ...], int] = {}
        for possible, mask in by_choice.items():
            through = tuple(sorted({sum(1 << self._alike[h] for h in bits(x)) for x in possible}))
            if through:
                merged[through] = merged.get(through, 0) | mask
        return merged

    def shares(self) -> list[tuple[int, int, int]]:
        """What is drawn for movements that are alike goes to the first; then from it to another one so many cards."""
        return [
            (first, h, self._sizes[h]) for h, first in enumerate(self._alike) if first != h and self._sizes[h]
        ]

    def draw(self, stream: Stream) -> list[int] | None:
        """The masks; None where none came out right."""
        if not self.possible:
            return None
        masks = self._dealt(stream) if self.plan is None else divided(self.plan, self.known, stream)
        return None if masks is None else self._apart(masks, stream)

    def _apart(self, masks: list[int], stream: Stream) -> list[int]:
        """The cards of movements that are alike, divided among them at random."""
        for first, h, size in self.shares():
            cards = [1 << i for i in bits(masks[first])]
            stream.shuffle(cards)
            masks[h] = sum(cards[:size])
            masks[first] ^= masks[h]
        return masks

    # ------------------------------------------------------------------------------------------ one by one

    def _dealt(self, stream: Stream) -> list[int] | None:
        for _ in range(MOST_TRIES):
            masks = self._deal_once(stream)
            if masks is not None:
                return masks
        return None

    def _deal_once(self, stream: Stream) -> list[int] | None:
        masks, needed = list(self.known), list(self._missing)
        for group in self.classes:
            cards = list(group.cards)
            stream.shuffle(cards)
            for card in cards:
                room = [min((needed[h] for h in bits(x)), default=64) for x in group.through]
                total = sum(room)
                if not total:
                    return None
                way, drawn = 0, stream.below(total)
                while drawn >= room[way]:
                    drawn -= room[way]
                    way += 1
                for h in bits(group.through[way]):
                    masks[h] |= 1 << card if masks[h] != HOLE else 0
                    needed[h] -= 1
        fits = not any(n for h, n in enumerate(needed) if not self._optional >> h & 1)
        return masks if fits else None
