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
    Layout,
    Planner,
    bits,
    divided,
    layout_of,
    positions,
)
from trickproof.information.record import HOLE
from trickproof.information.stream import Stream
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
    cards.  `classes` are the ways with such movements merged, ascending, and those that become them; `layout` is for these.
    `swapped` are the ways without what follows from the rules, of cards that have more than one.
    """

    alike: tuple[int, ...]
    classes: tuple[tuple[tuple[int, ...], tuple[frozenset[int], ...]], ...]
    layout: Layout
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
    classes = tuple([(ways, tuple(group)) for ways, group in merged.items()])
    return _Shape(alike, classes, layout_of(alike, by_rules, tuple(merged)), swapped)


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


def _ordered(ways: Sequence[int], missing: Sequence[int]) -> tuple[int, ...]:
    """The most constrained ways first."""
    return tuple(sorted(ways, key=lambda x: (min([missing[h] for h in bits(x)], default=MOST_MISSING), x)))


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
        self._optional = knowledge.by_rules
        shape = self._shape = _shape(places, knowledge.by_rules, frozenset(by_choice))
        self._sizes = [m.number for m in knowledge.hidden]
        masks = [sum([by_choice[through] for through in merged]) for _, merged in shape.classes]
        planned = planner(shape.layout, self._sizes, masks)
        self.known, self.certain = planned.known, planned.certain
        """Cards of each movement that certainly went through it, a hole where the rules determine them; and
        of each of the latter, those that certainly went through it.
        """
        self.possible = self.exact = planned.enough and all(knowledge.cards)
        self.plan = planned.plan or None
        if self.possible and planned.plan is None:
            self._too_much(masks, planned.missing)
        else:
            self.possible = self.possible and self.plan is not None

    def _too_much(self, masks: Sequence[int], missing: Sequence[int]) -> None:
        """If there is too much to count, merge classes, at the price of more rejected worlds, or else deal one by one."""
        ways = [ways for ways, _ in self._shape.classes]
        single = [(mask, x) for mask, x in zip(masks, ways, strict=True) if len(x) == 1]
        several = [CardClass(mask, x) for mask, x in zip(masks, ways, strict=True) if len(x) > 1]
        several.sort(key=lambda x: (x.cards.bit_count(), x.cards & -x.cards))
        self.classes, self._missing = several, missing
        classes = several
        while classes := self._coarser(classes):
            together = [*single, *((x.cards, x.through) for x in classes)]
            layout = layout_of(self._shape.alike, self._optional, tuple([x for _, x in together]))
            plan = self._planner(layout, self._sizes, [mask for mask, _ in together]).plan
            if plan is not None:
                self.plan, self.possible = plan or None, bool(plan)
                return
        self.exact = False

    def _coarser(self, classes: list[CardClass]) -> list[CardClass]:
        """Merge a small class into one that has all its ways and as few more as possible; empty if there is none."""
        pairs = [
            (len(set(large.through) - set(small.through)), small.cards.bit_count(), small, large)
            for small in classes
            for large in classes
            if small is not large and set(small.through) <= set(large.through)
        ]
        if not pairs:
            return []
        _, _, small, large = min(pairs, key=lambda x: x[:2])
        together = CardClass(small.cards | large.cards, large.through)
        return [x for x in classes if x is not small and x is not large] + [together]

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
            ways = _ordered(group.through, self._missing)
            for card in cards:
                room = [min((needed[h] for h in bits(x)), default=64) for x in ways]
                total = sum(room)
                if not total:
                    return None
                way, drawn = 0, stream.below(total)
                while drawn >= room[way]:
                    drawn -= room[way]
                    way += 1
                for h in bits(ways[way]):
                    masks[h] |= 1 << card if masks[h] != HOLE else 0
                    needed[h] -= 1
        fits = not any(n for h, n in enumerate(needed) if not self._optional >> h & 1)
        return masks if fits else None
