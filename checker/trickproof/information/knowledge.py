"""The ways each card may have taken, as far as one player can tell.

A way is a card's current zone together with the hidden movements that brought it there.  A visible movement
fixes the way of the cards that move and rules it out for the others; a hidden movement adds a way for every
card that could have taken part.  A card cannot be in a player's hand if holding it would have made that
player's visible choice illegal, both with the fewest and with the most other cards the player can have held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from trickproof.analysis.observable_program import REVEALED, SHUFFLED
from trickproof.information.observation import HiddenMovement, Observation
from trickproof.information.record import HOLE, PLAYER, Item, Movement, RecordForm
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import DECK, Key

Way = tuple[Key, int]
"""A zone, and the mask of hidden movements through which a card came there."""

Ways = frozenset[Way]

MOST_WAYS = 200
"""Maximum number of ways tracked per card."""


MOST_REMEMBERED = 1 << 12
"""Number of answers remembered about ways, which recur from decision to decision and from hand to hand."""

NEVER = 1 << 10
"""More than the number of hidden movements."""


class TooManyWaysError(Exception):
    """A card may have taken more than `MOST_WAYS` ways."""


class Prober(Protocol):
    """Answers what the rules would have allowed with other cards."""

    def zone(self, item: Item) -> str | None:
        """The private zone on whose cards the choice depends; None if that cannot be determined."""

    def allowed(self, item: Item, hands: list[int]) -> list[int]:
        """For each hypothetical hand, the cards that could have been chosen or would have moved."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Cards grouped by their possible ways, and the hidden movements in bit order."""

    cards: Mapping[Ways, int]
    hidden: tuple[HiddenMovement, ...]
    by_rules: int
    """Mask of the hidden movements whose cards the rules single out from a zone."""

    def possible(self, zone: Key) -> int:
        """The cards that may be in a zone."""
        return sum([mask for ways, mask in self.cards.items() if _maybe_in(ways, zone)])


def known(form: RecordForm, seen: Observation, deck: int, prober: Prober | None = None) -> Knowledge:
    """What follows from what a player has seen; `deck` is the mask of all cards.  Raises TooManyWaysError."""
    return KnowledgeReader(form, deck).knowledge(seen, prober, 0)


class KnowledgeReader:
    """What one player knows about a hand, updated incrementally as the record grows."""

    def __init__(self, form: RecordForm, deck: int) -> None:
        self.form, self.deck = form, deck
        self._begin()

    def _begin(self) -> None:
        self._read, self._up_to = 0, 0
        """Number of items read, and the position after the last of them."""
        self._shuffled()

    def _shuffled(self) -> None:
        """All cards are back in the deck, so earlier knowledge is dropped."""
        self.cards: dict[Ways, int] = {frozenset([((DECK,), 0)]): self.deck}
        self.sizes: dict[Key, int] = {(DECK,): self.deck.bit_count()}
        self.hidden: list[HiddenMovement] = []
        self.by_rules = 0
        self.unsure: set[Key] = {(DECK,)}
        """The zones that cards may be in or not."""
        self._maybe_in: dict[Key, int] = {}
        """The cards that may be in a zone, of those zones that were asked about."""
        self._revealed()

    def _revealed(self) -> None:
        """Simultaneous choices move now; a card that has moved since this point cannot be one of those chosen."""
        self.revealed_at, self.arrived = len(self.hidden), 0

    def knowledge(self, seen: Observation, prober: Prober | None, changed: int) -> Knowledge:
        """What follows from an observation of the same hand; `changed` is the first word newly known.

        Raises TooManyWaysError, after which the record must be read from the beginning.
        """
        if changed < self._up_to:
            self._begin()
        self.seen, self.prober = seen, prober
        for item in seen.items[self._read :]:
            self._item(item)
        self._read = len(seen.items)
        if seen.items:
            last = seen.items[-1]
            self._up_to = last.at + last.site.size
        return Knowledge(dict(self.cards), tuple(self.hidden), self.by_rules)

    def _item(self, item: Item) -> None:
        site = item.site
        if site.moves:
            movement = self.seen.movements[item.at]
            if isinstance(movement, HiddenMovement):
                self._hidden(movement)
            else:
                if site.moved_from is not None:
                    self._singled_out(item, movement)
                self._moved(movement)
        elif site.event:
            if site.event == SHUFFLED:
                self._shuffled()
            elif site.event == REVEALED:
                self._revealed()
        elif isinstance(site.node, c.ChooseCards):
            self._chosen(item)

    @staticmethod
    def _change(ways: Ways, cards: int, into: dict[Ways, int]) -> None:
        if cards:
            into[ways] = into.get(ways, 0) | cards

    def _moved(self, m: Movement) -> None:
        all_of_it = self._resize(m.source, m.target, m.cards.bit_count()) and not m.at_once
        moving, maybe_in = m.cards, self._maybe_in
        before = [x for x in self.cards.items() if x[1] & moving]
        for ways, cards in before:
            if cards & ~moving:
                self.cards[ways] = cards & ~moving
            else:
                del self.cards[ways]
        if all_of_it and m.source in self.unsure:
            stayed, self.cards = self.cards, {}
            for ways, cards in stayed.items():
                self._change(_elsewhere(ways, m.source), cards, self.cards)
            maybe_in[m.source] = 0
        for zone in maybe_in:
            maybe_in[zone] &= ~moving
        for ways, cards in before:
            after = self._after(ways, cards, m, 0)
            self._change(after, cards & moving, self.cards)
            if after and m.target in maybe_in:
                maybe_in[m.target] |= cards & moving
        self.arrived |= moving

    def _hidden(self, m: HiddenMovement) -> None:
        bit = 1 << len(self.hidden)
        self.hidden.append(m)
        self.unsure |= {m.source, m.target}
        self._maybe_in.clear()
        after: dict[Ways, int] = {}
        all_of_it = self._resize(m.source, m.target, m.number) and not m.at_once
        self.by_rules |= bit if m.forced and not all_of_it else 0
        for ways, cards in self.cards.items():
            for mask in (cards & self.arrived, cards & ~self.arrived):
                if mask:
                    stayed = _elsewhere(ways, m.source) if all_of_it else ways
                    after_all = self._after(ways, mask, m, bit) | stayed
                    if len(after_all) > MOST_WAYS:
                        raise TooManyWaysError
                    after[after_all] = after.get(after_all, 0) | mask
        self.cards = after

    def _after(self, ways: Ways, cards: int, m: Movement | HiddenMovement, bit: int) -> Ways:
        """The ways if cards took part in a movement; all of `cards` must have moved visibly, or none."""
        if m.at_once and cards & self.arrived:
            return frozenset()
        return _carried(ways, m.source, m.target, self.revealed_at if m.at_once else NEVER, bit)

    def _resize(self, source: Key, target: Key, number: int) -> bool:
        """Update the zone sizes; return whether the movement empties its source."""
        all_of_it = self.sizes.get(source, 0) == number
        self.sizes[source] = self.sizes.get(source, 0) - number
        self.sizes[target] = self.sizes.get(target, 0) + number
        return all_of_it

    # ------------------------------------------------------------------------------------- choices seen

    def _chosen(self, item: Item) -> None:
        """Rule out the cards that would have made a choice illegal."""
        at = item.at + item.site.chosen
        words = self.seen.words
        if self.prober is None or at >= len(words) or words[at] == HOLE or not words[at]:
            return
        player, chosen = words[item.at + PLAYER], words[at]
        name = None if player == self.seen.viewer else self.prober.zone(item)
        if name is None:
            return
        zone: Key = (name, player)
        possible = self._possible(zone) | chosen
        if chosen & ~self.prober.allowed(item, [possible])[0]:
            self._exclude(zone, self._misfits(item, zone, chosen, lambda allowed: bool(chosen & ~allowed)))

    def _singled_out(self, item: Item, m: Movement) -> None:
        """Rule out the cards that would have moved instead."""
        if self.prober is None or not m.cards:
            return
        words, viewer = self.seen.words, self.seen.viewer
        kept = [x for x in self.seen.items if x.site.number in item.site.kept_from and x.at < item.at]
        if viewer in m.source[1:] or any(words[x.at + x.site.chosen] == HOLE for x in kept):
            return
        if self.prober.allowed(item, [self._possible(m.source) | m.cards])[0] != m.cards:
            other = self._misfits(item, m.source, m.cards, lambda moved: moved != m.cards)
            self._exclude(m.source, other)

    def _misfits(self, item: Item, zone: Key, cards: int, wrong: Callable[[int], bool]) -> int:
        """The cards that, added to the fewest the player can have held, contradict what was seen."""
        assert self.prober is not None
        least, possible = self._certain(zone) | cards, self._possible(zone)
        others = [1 << i for i in range(possible.bit_length()) if (possible & ~least) >> i & 1]
        alone, *answers = self.prober.allowed(item, [least, *(least | card for card in others)])
        if wrong(alone):
            return 0
        return sum(card for card, answer in zip(others, answers, strict=True) if wrong(answer))

    def _certain(self, zone: Key) -> int:
        return sum([cards for ways, cards in self.cards.items() if _surely_in(ways, zone)])

    def _possible(self, zone: Key) -> int:
        cards = self._maybe_in.get(zone)
        if cards is None:
            cards = sum([cards for ways, cards in self.cards.items() if _maybe_in(ways, zone)])
            self._maybe_in[zone] = cards
        return cards

    def _exclude(self, zone: Key, cards: int) -> None:
        after: dict[Ways, int] = {}
        for ways, mask in self.cards.items():
            elsewhere = _elsewhere(ways, zone)
            self._change(ways, mask & ~cards if elsewhere else mask, after)
            if elsewhere:
                self._change(elsewhere, mask & cards, after)
        self.cards = after
        self._maybe_in.pop(zone, None)


@lru_cache(MOST_REMEMBERED)
def _elsewhere(ways: Ways, zone: Key) -> Ways:
    return frozenset(way for way in ways if way[0] != zone)


@lru_cache(MOST_REMEMBERED)
def _maybe_in(ways: Ways, zone: Key) -> bool:
    return any(at == zone for at, _ in ways)


@lru_cache(MOST_REMEMBERED)
def _surely_in(ways: Ways, zone: Key) -> bool:
    return all(at == zone for at, _ in ways)


@lru_cache(MOST_REMEMBERED)
def _carried(ways: Ways, source: Key, target: Key, since: int, bit: int) -> Ways:
    """The ways after a movement of cards that were in its source and in no hidden movement from `since` on."""
    return frozenset((target, way[1] | bit) for way in ways if way[0] == source and not way[1] >> since)
