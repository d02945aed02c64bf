"""What a player has seen and knows of a hand, in plain Python, read from its beginning: what `simulate.script.looking` must find."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from trickproof.analysis.observable_program import REVEALED, SHOWN, SHUFFLED
from trickproof.information.plan import EDGE, NAMES_HEAD, NODE_HEAD, SHIFTED, TAKING, bits
from trickproof.information.record import (
    BASE,
    DOMAIN,
    HIGH,
    HOLE,
    LOW,
    OPTIONS,
    PLAYER,
    SIZED_HOLE,
    Item,
    RecordForm,
)
from trickproof.information.stream import Stream
from trickproof.search.engine import SearchEngine
from trickproof.simulate.script.machine import Job
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import DECK, Key

Way = tuple[Key, int]
"""A zone, and the mask of hidden movements through which a card came there."""

Ways = frozenset[Way]


class Movement(NamedTuple):
    """A decoded movement; `at_once` means that its cards were chosen before any of the simultaneous movements."""

    player: int
    source: Key
    target: Key
    cards: int
    at_once: bool


def movement_of(words: Sequence[int], item: Item) -> Movement:
    """Decode an item as a movement."""
    at = item.at
    source, sources, target, targets, player, word, at_once = item.site.moving
    return Movement(
        words[at + player] if player else -1,
        (source, *[words[at + w] for w in sources]),
        (target, *[words[at + w] for w in targets]),
        words[at + word],
        at_once,
    )


@dataclass(frozen=True, slots=True)
class HiddenMovement:
    """A movement whose cards are not seen; `words` are the positions in the record that hold these cards.

    `forced` means that nobody chose them: the rules determine the cards, or the whole zone moves.
    """

    source: Key
    target: Key
    number: int
    words: tuple[int, ...]
    at_once: bool
    forced: bool


@dataclass(frozen=True, slots=True)
class Observation:
    """What a player has seen of a hand, until that player next looks.

    `words` is the record with holes; `items` are the complete ones; `movements` maps the position of an item to
    its visible (`Movement`) or hidden movement.
    """

    viewer: int
    words: list[int]
    items: list[Item]
    movements: dict[int, Movement | HiddenMovement]


@dataclass
class _Unfilled:
    """Positions of chosen cards that are not known yet, by site, or by site and player."""

    latest: dict[tuple[int, int | None], int] = field(default_factory=dict)

    def add(self, item: Item, player: int) -> None:
        key = item.site.number, player if item.site.at_once else None
        self.latest[key] = item.at + item.site.chosen

    def take(self, form: RecordForm, number: int, player: int) -> int | None:
        """Remove and return the position of cards chosen at a site, now that they visibly move or are shown."""
        if number < 0:
            return None
        return self.latest.pop((number, player if form.sites[number].at_once else None), None)


class Watcher:
    """One player watching a hand."""

    def __init__(self, form: RecordForm, viewer: int, record: Sequence[int]) -> None:
        self.form, self.viewer, self.record = form, viewer, record
        self.words = [0 if i in form.secret else word for i, word in enumerate(record)]
        self.sees = {zone: form.sees(viewer, zone) for zone in form.zones}
        self.unfilled, self.unheard = _Unfilled(), list[int]()
        self.movements: dict[int, Movement | HiddenMovement] = {}

    def observation(self) -> Observation:
        """What the player has seen of a hand whose record ends where the player is to choose."""
        words = self.words
        items = [x for x in self.form.items(self.record) if x.at + x.site.size <= len(words)]
        for item in items:
            site = item.site
            if site.moves:
                self._moved(item, movement_of(self.record, item))
            elif site.event:
                self._announcement(item)
            elif isinstance(site.node, c.ChooseCards):
                self._cards(item, site.node)
            else:
                self._value(item)
        last = self.form.last(self.record)
        if isinstance(last.site.node, c.ChooseCards) and last.site.node.blind:
            words[last.at + DOMAIN] = HOLE
        return Observation(self.viewer, words, items, self.movements)

    def _fill(self, word: int, value: int) -> None:
        """Fill the hole of a choice that is now known."""
        self.words[word] = value

    def _hide(self, item: Item, *words: int) -> None:
        for word in words:
            self.words[item.at + word] = HOLE

    def _cards(self, item: Item, node: c.ChooseCards) -> None:
        player = self.record[item.at + PLAYER]
        if item.site.chance:
            self._hide(item, DOMAIN, item.site.chosen)
        elif player != self.viewer:
            self._hide(item, DOMAIN, LOW, HIGH, item.site.chosen)
        elif node.blind:
            self._hide(item, DOMAIN, item.site.chosen)
        else:
            return
        self.unfilled.add(item, player)

    def _value(self, item: Item) -> None:
        if self.record[item.at + PLAYER] == self.viewer:
            return
        self._hide(item, BASE, OPTIONS)
        if item.site.at_once:
            self._hide(item, item.site.chosen)
            self.unheard.append(item.at + item.site.chosen)

    def _announcement(self, item: Item) -> None:
        if item.site.event == REVEALED:
            for word in self.unheard:
                self._fill(word, self.record[word])
            self.unheard.clear()
        elif item.site.event == SHOWN:
            self._shown(item)

    def _shown(self, item: Item) -> None:
        player, to, cards = (self.record[item.at + item.site.word(key)] for key in ("player", "to", "cards"))
        if cards and player != self.viewer and not to >> self.viewer & 1:
            self.words[item.at + item.site.word("cards")] = SIZED_HOLE - cards.bit_count()
            return
        chosen = self.unfilled.take(self.form, item.site.chosen_by, player)
        if chosen is not None:
            self._fill(chosen, cards)

    def _moved(self, item: Item, movement: Movement) -> None:
        chosen = self.unfilled.take(self.form, item.site.chosen_by, movement.player)
        if not movement.cards or self.sees[movement.source] or self.sees[movement.target]:
            self.movements[item.at] = movement
            if chosen is not None:
                self._fill(chosen, movement.cards)
            return
        word = item.at + item.site.word("cards")
        self.words[word] = HOLE
        words = (word,) if chosen is None else (chosen, word)
        number = movement.cards.bit_count()
        forced = chosen is None
        self.movements[item.at] = HiddenMovement(
            movement.source, movement.target, number, words, movement.at_once, forced
        )


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


class Prober:
    """Asks what the rules would have allowed with other cards."""

    def __init__(self, engine: SearchEngine, record: Sequence[int]) -> None:
        self.engine, self.record = engine, record

    def zone(self, item: Item) -> str | None:
        """The private zone on whose cards the choice depends; None if that cannot be determined."""
        node = item.site.node
        return self.engine.form.decided_by(node) if isinstance(node, c.ChooseCards) else None

    def allowed(self, item: Item, hands: list[int]) -> list[int]:
        """For each hypothetical hand, the cards that could have been chosen or would have moved."""
        first = self.engine.form.first
        jobs = [Job(0, HOLE, 0, item.at - first, hand) for hand in hands]
        results = self.engine.machine.play(self.record[:first], [self.record[first:]], jobs)
        return [x.answer if x.answered else hand for x, hand in zip(results, hands, strict=True)]


def looked(engine: SearchEngine, record: Sequence[int], viewer: int) -> tuple[Observation, Knowledge]:
    """What a player has seen, and what follows from it."""
    seen = Watcher(engine.form, viewer, record).observation()
    return seen, known(seen, engine.deck, Prober(engine, record))


def known(seen: Observation, deck: int, prober: Prober | None = None) -> Knowledge:
    """What follows from what a player has seen; `deck` is the mask of all cards."""
    reader = KnowledgeReader(seen, deck, prober)
    for item in seen.items:
        reader.item(item)
    return Knowledge(reader.cards, tuple(reader.hidden), reader.by_rules)


class KnowledgeReader:
    """What one player knows about a hand, item by item."""

    def __init__(self, seen: Observation, deck: int, prober: Prober | None) -> None:
        self.seen, self.deck, self.prober = seen, deck, prober
        self._shuffled()

    def _shuffled(self) -> None:
        """All cards are back in the deck, so earlier knowledge is dropped."""
        self.cards: dict[Ways, int] = {frozenset([((DECK,), 0)]): self.deck}
        self.sizes: dict[Key, int] = {(DECK,): self.deck.bit_count()}
        self.hidden: list[HiddenMovement] = []
        self.by_rules = 0
        self._revealed()

    def _revealed(self) -> None:
        """Simultaneous choices move now; a card that has moved since this point cannot be one of those chosen."""
        self.revealed_at, self.arrived = len(self.hidden), 0

    def item(self, item: Item) -> None:
        """Read an item."""
        site = item.site
        if site.moves:
            movement = self.seen.movements[item.at]
            if isinstance(movement, HiddenMovement):
                self._hidden(movement)
            else:
                if site.moved_from is not None:
                    self._singled_out(item, movement.source, movement.cards)
                self._moved(movement)
        elif site.event:
            if site.event == SHUFFLED:
                self._shuffled()
            elif site.event == REVEALED:
                self._revealed()
            elif site.event == SHOWN:
                self._shown(item)
        elif isinstance(site.node, c.ChooseCards):
            self._chosen(item)
            self._lie(item, item.at + site.chosen)

    def _lie(self, item: Item, at: int) -> None:
        """Cards that are shown lie in the zone they are shown from, and if that has no more, no others do."""
        words = self.seen.words
        if item.site.lie_in is None or at >= len(words) or words[at] <= 0:
            return
        cards, (name, owners) = words[at], item.site.lie_in
        zone: Key = (name, *[words[item.at + w] for w in owners])
        alone = self.sizes.get(zone, 0) == cards.bit_count()
        after: dict[Ways, int] = {}
        for ways, mask in self.cards.items():
            here = frozenset(way for way in ways if way[0] == zone)
            self._change(here, mask & cards, after)
            self._change(ways - here if alone else ways, mask & ~cards, after)
        self.cards = after

    @staticmethod
    def _change(ways: Ways, cards: int, into: dict[Ways, int]) -> None:
        if cards:
            into[ways] = into.get(ways, 0) | cards

    def _moved(self, m: Movement) -> None:
        all_of_it = self._resize(m.source, m.target, m.cards.bit_count()) and not m.at_once
        after: dict[Ways, int] = {}
        for ways, cards in self.cards.items():
            self._change(_elsewhere(ways, m.source) if all_of_it else ways, cards & ~m.cards, after)
            for moving in (cards & m.cards & self.arrived, cards & m.cards & ~self.arrived):
                self._change(self._after(ways, moving, m, 0), moving, after)
        self.cards = after
        self.arrived |= m.cards

    def _hidden(self, m: HiddenMovement) -> None:
        bit = 1 << len(self.hidden)
        self.hidden.append(m)
        after: dict[Ways, int] = {}
        all_of_it = self._resize(m.source, m.target, m.number) and not m.at_once
        self.by_rules |= bit if m.forced and not all_of_it else 0
        for ways, cards in self.cards.items():
            for mask in (cards & self.arrived, cards & ~self.arrived):
                if mask:
                    stayed = _elsewhere(ways, m.source) if all_of_it else ways
                    after_all = self._after(ways, mask, m, bit) | stayed
                    after[after_all] = after.get(after_all, 0) | mask
        self.cards = after

    def _after(self, ways: Ways, cards: int, m: Movement | HiddenMovement, bit: int) -> Ways:
        """The ways if cards took part in a movement; all of `cards` must have moved visibly since choices were revealed, or none."""
        if m.at_once and cards & self.arrived:
            return frozenset()
        return _carried(ways, m.source, m.target, self.revealed_at if m.at_once else len(self.hidden), bit)

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

    def _shown(self, item: Item) -> None:
        at, cards = item.at + item.site.word("cards"), self.seen.words[item.at + item.site.word("cards")]
        if item.site.moved_from is not None and cards >= 0:
            self._singled_out(
                item, (item.site.moved_from, self.seen.words[item.at + item.site.player]), cards
            )
        self._lie(item, at)

    def _singled_out(self, item: Item, source: Key, cards: int) -> None:
        """Rule out the cards that would have moved instead, or been shown."""
        if self.prober is None or (item.site.moves and not cards):
            return
        words, viewer = self.seen.words, self.seen.viewer
        kept = [x for x in self.seen.items if x.site.number in item.site.kept_from and x.at < item.at]
        if viewer in source[1:] or any(words[x.at + x.site.chosen] == HOLE for x in kept):
            return
        if self.prober.allowed(item, [self._possible(source) | cards])[0] != cards:
            self._exclude(source, self._misfits(item, source, cards, lambda moved: moved != cards))

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
        return sum([cards for ways, cards in self.cards.items() if _maybe_in(ways, zone)])

    def _exclude(self, zone: Key, cards: int) -> None:
        after: dict[Ways, int] = {}
        for ways, mask in self.cards.items():
            elsewhere = _elsewhere(ways, zone)
            self._change(ways, mask & ~cards if elsewhere else mask, after)
            if elsewhere:
                self._change(elsewhere, mask & cards, after)
        self.cards = after


def _elsewhere(ways: Ways, zone: Key) -> Ways:
    return frozenset(way for way in ways if way[0] != zone)


def _maybe_in(ways: Ways, zone: Key) -> bool:
    return any(at == zone for at, _ in ways)


def _surely_in(ways: Ways, zone: Key) -> bool:
    return all(at == zone for at, _ in ways)


def _carried(ways: Ways, source: Key, target: Key, since: int, bit: int) -> Ways:
    """The ways after a movement of cards that were in its source and in no hidden movement from `since` on."""
    return frozenset((target, way[1] | bit) for way in ways if way[0] == source and not way[1] >> since)


def divided(plan: Sequence[int], known: Sequence[int], stream: Stream) -> list[int]:
    """The cards of every movement, known ones included; the Python counterpart of what the machine code does."""
    masks, at, rest = list(known), plan[0], list[int]()
    while at:
        cards, names = plan[at : at + NODE_HEAD]
        number, others = plan[names : names + NAMES_HEAD]
        if cards:
            rest = list(bits(cards))
            stream.shuffle(rest)
        names += NAMES_HEAD
        split, drawn = at + NODE_HEAD, stream.word() >> 1
        while plan[split] < drawn:
            split += EDGE
        at, taking = plan[split + 1] >> SHIFTED, plan[split + 1] & TAKING
        taken, rest = rest[:taking], rest[taking:]
        for h in plan[names : names + number]:
            masks[h] |= sum(1 << card for card in taken)
        if others >= 0:
            stream.word()  # as if it were drawn that all the others go there
        for h in plan[names + number : names + number + max(others, 0)]:
            masks[h] |= sum(1 << card for card in rest)
    return masks
