"""Draw a way for every card, such that each hidden movement gets as many cards as were seen to move.

Cards that the rules single out from a zone are not drawn: they follow from the rest, so they stay a hole.
The other cards are grouped into classes with the same possible ways, and a `plan` divides these so that every
assignment is equally likely.  If counting exceeds its limits, cards are dealt one by one to ways that still
need cards, which is only approximately uniform.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from trickproof.information.plan import (
    MOST_MISSING,
    CardClass,
    Layout,
    Planner,
    bits,
    layout_of,
    positions,
)
from trickproof.information.record import HOLE
from trickproof.information.stream import Stream

MOST_TRIES = 5
"""Attempts at dealing cards one by one."""

MOST_SWAPPED = 62
"""Maximum number of hidden movements for which cards are swapped."""

MOST_REMEMBERED = 1 << 12
"""Number of shapes remembered, which recur from decision to decision and from hand to hand."""


def _through(ways: Sequence[int], by_rules: int) -> frozenset[int]:
    """The masks of hidden movements of some ways, by which choices brought cards there.

    Ways that differ only in what follows from the rules are merged into one, which has the movements common
    to all of them, so that every world is drawn in exactly one way.
    """
    merged: dict[int, int] = {}
    for through in ways:
        chosen = through & ~by_rules
        merged[chosen] = merged.get(chosen, through) & through
    return frozenset(merged.values())


@dataclass(frozen=True, slots=True)
class Shape:
    """What situations with the same movements and ways have in common, whatever the cards.

    `by_rules` are the hidden movements whose cards the rules single out from a zone, as a mask; `fits` says whether all classes have ways.
    `alike` has for each hidden movement the first interchangeable one: same source and target, and the same possible
    cards; `shared` those that have another, with that one first.  `ways` are those of classes with such movements merged, ascending, and `merged` the numbers of the classes that become them; `layout`
    is for these.  `swapped` has classes with more than one way, and their ways without what follows from the rules.
    """

    by_rules: int
    fits: bool
    alike: tuple[int, ...]
    shared: tuple[tuple[int, int], ...]
    ways: tuple[tuple[int, ...], ...]
    merged: tuple[tuple[int, ...], ...]
    layout: Layout
    swapped: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


@lru_cache(MOST_REMEMBERED)
def shape_of(key: bytes) -> Shape:
    """The shape described by the words of a key: `by_rules`, the number of hidden movements, source and target of each, and for
    every class of cards the number of its ways, with the mask of hidden movements of each.
    """
    by_rules, number, *words = array("q", key)
    places = tuple(zip(words[: 2 * number : 2], words[1 : 2 * number : 2], strict=True))
    choices: dict[frozenset[int], list[int]] = {}
    at, nth, fits = 2 * number, 0, True
    while at < len(words):
        ways = words[at + 1 : at + 1 + words[at]]
        fits = fits and bool(ways)
        choices.setdefault(_through(ways, by_rules), []).append(nth)
        at, nth = at + 1 + len(ways), nth + 1
    alike = _alike(places, by_rules, choices)
    merged: dict[tuple[int, ...], list[int]] = {}
    swapped: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for through, classes in choices.items():
        together = tuple(sorted({sum(1 << alike[h] for h in bits(x)) for x in through}))
        if together not in ((), (0,)):
            merged.setdefault(together, []).extend(classes)
        by_choice = sorted({way & ~by_rules for way in through})
        if len(by_choice) > 1 and number <= MOST_SWAPPED:
            swapped.append((tuple(classes), (len(by_choice), *by_choice)))
    groups = tuple(map(tuple, merged.values()))
    layout = layout_of(alike, by_rules, tuple(merged))
    shared = tuple([(first, h) for h, first in enumerate(alike) if first != h])
    return Shape(by_rules, fits, alike, shared, tuple(merged), groups, layout, tuple(swapped))


def _alike(
    places: Sequence[tuple[int, int]], by_rules: int, choices: Mapping[frozenset[int], object]
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
    """Draws the mask of cards of every hidden movement, given the cards of each class and the size of each movement.

    `plan` (None if no division exists or counting exceeds its limits), `known`, `certain` and `shares` are what
    machine code needs to draw.
    """

    def __init__(self, shape: Shape, classes: Sequence[int], sizes: Sequence[int], planner: Planner) -> None:
        self._planner, self._shape, self._classes, self._sizes = planner, shape, classes, sizes
        masks = self._masks(shape.merged)
        planned = planner(shape.layout, sizes, masks)
        self.known, self.certain = planned.known, planned.certain
        """Cards of each movement that certainly went through it, a hole where the rules determine them; and
        of each of the latter, those that certainly went through it.
        """
        self.possible = self.exact = planned.enough and shape.fits
        self.plan = planned.plan or None
        if self.possible and planned.plan is None:
            self._too_much(masks, planned.missing)
        else:
            self.possible = self.possible and self.plan is not None

    def _masks(self, groups: Sequence[tuple[int, ...]]) -> list[int]:
        """The cards of groups of classes."""
        classes = self._classes
        return [sum([classes[i] for i in group]) if group[1:] else classes[group[0]] for group in groups]

    def _too_much(self, masks: Sequence[int], missing: Sequence[int]) -> None:
        """If there is too much to count, merge classes, at the price of more rejected worlds, or else deal one by one."""
        ways = self._shape.ways
        single = [(mask, x) for mask, x in zip(masks, ways, strict=True) if len(x) == 1]
        several = [CardClass(mask, x) for mask, x in zip(masks, ways, strict=True) if len(x) > 1]
        several.sort(key=lambda x: (x.cards.bit_count(), x.cards & -x.cards))
        self.classes, self._missing = several, missing
        classes = several
        while classes := self._coarser(classes):
            together = [*single, *((x.cards, x.through) for x in classes)]
            layout = layout_of(self._shape.alike, self._shape.by_rules, tuple([x for _, x in together]))
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

    def shares(self) -> list[int]:
        """How to redistribute the cards of interchangeable movements: for each but the first, that one, its own number, and how many cards."""
        shares: list[int] = []
        for first, h in self._shape.shared:
            if self._sizes[h]:
                shares += (first, h, self._sizes[h])
        return shares

    def swaps(self) -> list[int]:
        """Which cards may have taken each other's ways, as words for machine code.

        The number of hidden movements, the mask of those whose cards the rules determine, the mask of the cards, the
        number of all words, and for each class its cards, the number of their ways, and these as masks of movements.
        """
        swapped = self._shape.swapped
        masks = self._masks([group for group, _ in swapped])
        cards, words = sum(masks), list[int]()
        for mask, (_, ways) in sorted(zip(masks, swapped, strict=True)):
            words += (mask, *ways)
        if cards.bit_count() < 2:
            cards, words = 0, []
        by_rules = self._shape.by_rules & (1 << MOST_SWAPPED) - 1
        return [len(self._sizes), by_rules, cards, len(words) + 4, *words]

    def draw(self, stream: Stream) -> list[int] | None:
        """The masks if there is no plan, or None if no attempt succeeded."""
        masks = self._dealt(stream) if self.possible else None
        return None if masks is None else self.apart(masks, stream)

    def apart(self, masks: list[int], stream: Stream) -> list[int]:
        """Divide the cards of interchangeable movements among them at random."""
        shares = iter(self.shares())
        for first, h, size in zip(shares, shares, shares, strict=True):
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
        fits = not any(n for h, n in enumerate(needed) if not self._shape.by_rules >> h & 1)
        return masks if fits else None
