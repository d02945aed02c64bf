"""Draw a way for every card, such that each hidden movement gets as many cards as were seen to move.

Cards that the rules single out from a zone are not drawn: they follow from the rest, so they stay a hole.
The other cards are grouped into classes with the same possible ways, and a `plan` divides these so that every
assignment is equally likely.  If counting exceeds its limits, cards are dealt one by one to ways that still
need cards, which is only approximately uniform.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from trickproof.information.knowledge import Knowledge, Ways
from trickproof.information.plan import (
    MOST_MISSING,
    CardClass,
    Planner,
    TooManyNodesError,
    bits,
    divided,
    positions,
)
from trickproof.information.record import HOLE
from trickproof.information.stream import ALL, Stream
from trickproof_dsl.semantics.values import Key

MOST_TRIES = 5
"""Attempts at dealing cards one by one."""

MOST_SWAPPED = 62
"""Maximum number of hidden movements for which cards are swapped."""

MOST_REMEMBERED = 1 << 12
"""Number of answers remembered about ways, which recur from decision to decision and from hand to hand."""


def through_choices(knowledge: Knowledge) -> dict[frozenset[int], int]:
    """Cards by the masks of hidden movements that they may have gone through."""
    by_choice: dict[frozenset[int], int] = {}
    for ways, cards in knowledge.cards.items():
        key = _through(ways, knowledge.by_rules)
        by_choice[key] = by_choice.get(key, 0) | cards
    return by_choice


@lru_cache(MOST_REMEMBERED)
def _through(ways: Ways, by_rules: int) -> frozenset[int]:
    """The masks of hidden movements of some ways.

    Ways that differ only in what follows from the rules are merged into one, which has the movements common
    to all of them, so that every world is drawn in exactly one way.
    """
    merged: dict[int, int] = {}
    for _, through in ways:
        chosen = through & ~by_rules
        merged[chosen] = merged.get(chosen, through) & through
    return frozenset(merged.values())


@dataclass(frozen=True, slots=True)
class _Shape:
    """What situations with the same movements and ways have in common, whatever the cards.

    `alike` has for each hidden movement the first interchangeable one: same source and target, and the same possible
    cards.  `classes` are the ways with such movements merged, each way as a mask and as positions, and those that become them.
    `swapped` are the ways without what follows from the rules, of cards that have more than one.
    """

    alike: tuple[int, ...]
    classes: tuple[tuple[tuple[tuple[int, Sequence[int]], ...], tuple[frozenset[int], ...]], ...]
    swapped: Mapping[frozenset[int], tuple[int, ...]]


@lru_cache(MOST_REMEMBERED)
def _shape(places: tuple[tuple[Key, Key], ...], by_rules: int, choices: frozenset[frozenset[int]]) -> _Shape:
    alike = _alike(places, by_rules, choices)
    merged: dict[tuple[int, ...], list[frozenset[int]]] = {}
    swapped: dict[frozenset[int], tuple[int, ...]] = {}
    for through in choices:
        together = tuple(sorted({sum(1 << alike[h] for h in bits(x)) for x in through}))
        if together not in ((), (0,)):
            merged.setdefault(together, []).append(through)
        ways = sorted({way & ~by_rules for way in through})
        if len(ways) > 1 and len(places) <= MOST_SWAPPED:
            swapped[through] = (len(ways), *ways)
    classes = [(tuple((x, bits(x)) for x in ways), tuple(group)) for ways, group in merged.items()]
    return _Shape(alike, tuple(classes), swapped)


def _alike(
    places: tuple[tuple[Key, Key], ...], by_rules: int, choices: frozenset[frozenset[int]]
) -> tuple[int, ...]:
    alike: list[int] = []
    for h, place in enumerate(places):
        like = (
            g
            for g in dict.fromkeys(alike)
            if not (by_rules >> h | by_rules >> g) & 1
            and places[g] == place
            and all(_interchangeable(through, 1 << g, 1 << h) for through in choices)
        )
        alike.append(next(like, h))
    return tuple(alike)


def _interchangeable(through: frozenset[int], g: int, h: int) -> bool:
    """Whether swapping the two movements leaves a card's ways unchanged, and no way has both."""
    both = g | h
    exchanged = {x ^ both if x & both not in (0, both) else x for x in through}
    return {x & both for x in through} <= {0, g, h} and exchanged == through


def _ordered(ways: Sequence[tuple[int, Sequence[int]]], missing: Sequence[int]) -> tuple[int, ...]:
    """The most constrained ways first, which keeps the count small."""
    room = [
        missing[hs[0]] if len(hs) == 1 else min([missing[h] for h in hs], default=MOST_MISSING)
        for _, hs in ways
    ]
    return tuple([way for _, (way, _) in sorted(zip(room, ways, strict=True))])


def _by_size(classes: list[CardClass]) -> list[CardClass]:
    """Classes with few cards first, and of as many, those with the lowest."""
    return sorted(classes, key=lambda x: (x.cards.bit_count(), f"{~x.cards & ALL:064b}"[::-1]))


class Sampler:
    """Draws the mask of cards of every hidden movement.

    `plan` (None if no division exists or counting exceeds its limits), `known`, `certain` and `shares` are what
    machine code needs to draw.
    """

    def __init__(self, knowledge: Knowledge, planner: Planner) -> None:
        self._planner = planner
        self.number = len(knowledge.hidden)
        by_choice = self._by_choice = through_choices(knowledge)
        places = tuple([(m.source, m.target) for m in knowledge.hidden])
        self._shape = _shape(places, knowledge.by_rules, frozenset(by_choice))
        self._sizes = [m.number for m in knowledge.hidden]
        self._optional = knowledge.by_rules
        self.known = [HOLE if knowledge.by_rules >> h & 1 else 0 for h in range(self.number)]
        """Cards of each movement that certainly went through it; a hole where the rules determine them."""
        self._by_rules = bits(knowledge.by_rules)
        self.certain = [0] * len(self._by_rules)
        """Cards that certainly went through each movement whose cards the rules determine."""
        missing = [0] * self.number
        for first, size in zip(self._shape.alike, self._sizes, strict=True):
            missing[first] += size
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

    def _planned(self) -> Sequence[int] | None:
        """The plan; if there is too much to count, classes are merged, at the price of more rejected worlds."""
        classes: list[CardClass] | None = self.classes
        while classes is not None:
            try:
                return self._planner(_by_size(classes), self._missing, self._optional)
            except TooManyNodesError:
                classes = self._coarser(classes)
        raise TooManyNodesError

    def _coarser(self, classes: list[CardClass]) -> list[CardClass] | None:
        """Merge a small class into one that has all its ways and as few more as possible; None if there is none."""
        pairs = [
            (len(set(large.through) - set(small.through)), small.cards.bit_count(), small, large)
            for small in classes
            for large in classes
            if small is not large and set(small.through) <= set(large.through)
        ]
        if not pairs:
            return None
        _, _, small, large = min(pairs, key=lambda x: x[:2])
        together = CardClass(small.cards | large.cards, large.through)
        return [x for x in classes if x is not small and x is not large] + [together]

    def _classes(self, by_choice: dict[frozenset[int], int], missing: list[int]) -> list[CardClass]:
        """The classes with more than one way; cards with only one are removed from `missing`."""
        groups = []
        for ways, merged in self._shape.classes:
            mask = sum([by_choice[through] for through in merged])
            if len(ways) > 1:
                groups.append((mask, ways))
                continue
            for h in ways[0][1]:
                missing[h] -= mask.bit_count()
                if self.known[h] != HOLE:
                    self.known[h] |= mask
                else:
                    self.certain[self._by_rules.index(h)] |= mask
        return _by_size([CardClass(mask, _ordered(ways, missing)) for mask, ways in groups])

    def shares(self) -> list[tuple[int, int, int]]:
        """How to redistribute the cards of interchangeable movements: (first, other, number of cards)."""
        alike = enumerate(self._shape.alike)
        return [(first, h, self._sizes[h]) for h, first in alike if first != h and self._sizes[h]]

    def swaps(self) -> list[int]:
        """Which cards may have taken each other's ways, as words for machine code.

        The number of hidden movements, the mask of those whose cards the rules determine, the mask of the cards, the
        number of all words, and for each class its cards, the number of their ways, and these as masks of movements.
        """
        cards, classes = 0, list[int]()
        by_choice, swapped = self._by_choice, self._shape.swapped
        for mask, through in sorted([(by_choice[through], through) for through in swapped]):
            cards |= mask
            classes += (mask, *swapped[through])
        if cards.bit_count() < 2:
            cards, classes = 0, []
        by_rules = self._optional & (1 << MOST_SWAPPED) - 1
        return [self.number, by_rules, cards, len(classes) + 4, *classes]

    def draw(self, stream: Stream) -> list[int] | None:
        """The masks, or None if no attempt succeeded."""
        if not self.possible:
            return None
        if self.plan is None:
            masks = self._dealt(stream)
        else:
            masks = divided(self.plan, [*self.known, *self.certain], stream)[: self.number]
        return None if masks is None else self._apart(masks, stream)

    def _apart(self, masks: list[int], stream: Stream) -> list[int]:
        """Divide the cards of interchangeable movements among them at random."""
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
            cards = list(positions(group.cards))
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
