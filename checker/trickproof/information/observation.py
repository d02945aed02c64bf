"""The record of a hand as one player sees it, with a hole for every word that the player has not seen.

A player sees the cards of a movement if the player sees into its source or its target; everybody sees how
many cards move.  Chosen values are public, simultaneous ones once all are chosen.  The alternatives another
player had are not visible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trickproof.analysis.information_flow import public_variables
from trickproof.analysis.observable_program import REVEALED, SHOWN
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
    Movement,
    RecordForm,
)
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key


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


class Observer:
    """What each player of a program sees."""

    def __init__(self, form: RecordForm) -> None:
        self.form, self.program = form, form.program
        self._seen_by = {name: zone.seen_by for name, zone in form.program.zones.items()}
        public = set(public_variables(form.program))
        assigned = public | {name for name, *_ in form.header if not form.program.variables[name].carried}
        self._secret = [
            i for i, (name, *_) in enumerate(form.header) if name not in assigned and self._changes(name)
        ]

    def _changes(self, name: str) -> bool:
        from trickproof.analysis.dependencies import variables_assigned

        program = self.program
        return name in variables_assigned(program.setup, program.hand, program.between)

    def sees(self, viewer: int, zone: Key) -> bool:
        """Whether a player sees into a zone."""
        seen_by = self._seen_by[zone[0]]
        return seen_by == "everyone" or (seen_by == "owner" and viewer in zone[1:])

    def observation(self, record: Sequence[int], viewer: int) -> Observation:
        """What a player has seen of a hand whose record ends where that player is to choose."""
        log = Log(self.form)
        log.read(record)
        return Watcher(self, viewer, log).observation()

    def without_secrets(self, header: list[int]) -> list[int]:
        """The header with 0 for carried variables that are not public."""
        for i in self._secret:
            header[i] = 0
        return header


class Log:
    """The items of a record, read as it grows; shared by those who watch the hand."""

    def __init__(self, form: RecordForm) -> None:
        self.form = form
        self.record: list[int] = []
        self.items: list[Item] = []
        """The complete ones."""
        self.movements: dict[int, Movement] = {}
        self.at = form.first
        """Position of the first item that is not complete."""
        self.last: Item | None = None
        """The last item, which may lack its chosen word."""
        self.choices = 0
        """The number of players' choices up to and including the last item."""

    def read(self, record: Sequence[int]) -> bool:
        """Read what has been added; False if the record is another one."""
        number = len(self.record)
        if record[:number] != self.record:
            return False
        self.record += record[number:]
        at, end, sites = self.at, len(record), self.form.sites
        if at < number:  # the last item has been counted
            self.choices -= sites[record[at]].of_player
        while at < end:
            site = sites[record[at]]
            self.last = item = Item(site, at)
            if site.moves:
                self.movements[at] = self.form.movement(record, item)
            elif site.of_player:
                self.choices += 1
            if at + site.size > end:
                break
            self.items.append(item)
            at += site.size
        self.at = at
        return True


class Watcher:
    """One player watching a hand; each observation reads only what has been added to its log."""

    def __init__(self, observer: Observer, viewer: int, log: Log) -> None:
        self.form, self.viewer, self.log = observer.form, viewer, log
        self.words = observer.without_secrets(log.record[: observer.form.first])
        self.sees = {zone: observer.sees(viewer, zone) for zone in observer.form.zones}
        self.unfilled, self.unheard = _Unfilled(), list[int]()
        self.movements: dict[int, Movement | HiddenMovement] = {}
        self.changed = 0
        """Position of the first word that is new, or was a hole in the last observation and is known now."""
        self._read, self._at = 0, log.form.first

    def observation(self) -> Observation:
        """What the player has seen of a hand whose record ends where the player is to choose."""
        log, words = self.log, self.words
        self.changed, self._at = self._at, log.at
        words += log.record[len(words) :]
        for item in log.items[self._read :]:
            site = item.site
            if site.moves:
                self._moved(item, log.movements[item.at])
            elif site.event:
                self._announcement(item)
            elif isinstance(site.node, c.ChooseCards):
                self._cards(item, site.node)
            else:
                self._value(item)
        self._read = len(log.items)
        if log.at < len(words):
            node = self.form.sites[words[log.at]].node
            if isinstance(node, c.ChooseCards) and node.blind:
                words[log.at + DOMAIN] = HOLE
        return Observation(self.viewer, words, log.items, self.movements)

    def _fill(self, word: int, value: int) -> None:
        """Fill the hole of a choice that is now known."""
        self.words[word] = value
        self.changed = min(self.changed, word)

    def _hide(self, item: Item, *words: int) -> None:
        for word in words:
            self.words[item.at + word] = HOLE

    def _cards(self, item: Item, node: c.ChooseCards) -> None:
        player = self.log.record[item.at + PLAYER]
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
        if self.log.record[item.at + PLAYER] == self.viewer:
            return
        self._hide(item, BASE, OPTIONS)
        if item.site.at_once:
            self._hide(item, item.site.chosen)
            self.unheard.append(item.at + item.site.chosen)

    def _announcement(self, item: Item) -> None:
        if item.site.event == REVEALED:
            for word in self.unheard:
                self._fill(word, self.log.record[word])
            self.unheard.clear()
        elif item.site.event == SHOWN:
            self._shown(item)

    def _shown(self, item: Item) -> None:
        player, to, cards = (
            self.log.record[item.at + item.site.word(key)] for key in ("player", "to", "cards")
        )
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
