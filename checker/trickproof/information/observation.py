"""The record of a hand as one player sees it: a hole for every word that the player has not seen.

A player sees the cards of a movement who sees into the zone they leave or the zone they come to; everybody sees how many they
are.  Values that are chosen are heard by all, those chosen at once when all are chosen.  What somebody else could have chosen
instead is not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trickproof.analysis.information_flow import public_variables
from trickproof.analysis.observable_program import MOVED, REVEALED, SHOWN
from trickproof.information.record import (
    BASE,
    DOMAIN,
    HIGH,
    HOLE,
    LOW,
    OPTIONS,
    PLAYER,
    Item,
    Movement,
    RecordForm,
)
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key


@dataclass(frozen=True, slots=True)
class HiddenMovement:
    """A movement whose cards are not seen: from where to where, how many, and the words of the record that are these cards.

    `forced` where nobody has chosen them: the rules say which cards they are, or all of a zone moves.
    """

    source: Key
    target: Key
    number: int
    words: tuple[int, ...]
    at_once: bool
    forced: bool


@dataclass(frozen=True, slots=True)
class Observation:
    """What a player has seen of a hand.

    `words` is the record with holes; `movements` are all, by the place of the item: seen (a `Movement`) or hidden.
    """

    viewer: int
    words: list[int]
    items: list[Item]
    movements: dict[int, Movement | HiddenMovement]


@dataclass
class _Unfilled:
    """Words of chosen cards that are not known yet: by site, and by site and player."""

    latest: dict[tuple[int, int | None], int] = field(default_factory=dict)

    def add(self, item: Item, player: int) -> None:
        key = item.site.number, player if item.site.at_once else None
        self.latest[key] = item.at + item.site.chosen

    def take(self, form: RecordForm, number: int, player: int) -> int | None:
        """The word of the cards that were chosen at a site and now are seen to move or are shown."""
        if number < 0:
            return None
        return self.latest.pop((number, player if form.sites[number].at_once else None), None)


class Observer:
    """What each player of a program sees."""

    def __init__(self, form: RecordForm) -> None:
        self.form, self.program = form, form.program
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
        seen_by = self.program.zones[zone[0]].seen_by
        return seen_by == "everyone" or (seen_by == "owner" and viewer in zone[1:])

    def observation(self, record: Sequence[int], viewer: int) -> Observation:
        """What a player has seen of a hand whose record ends where he is asked."""
        return _Reader(self, record, viewer).read()

    def without_secrets(self, header: list[int]) -> list[int]:
        """The header with 0 for what is carried from hand to hand and not known to all."""
        for i in self._secret:
            header[i] = 0
        return header


class _Reader:
    """One reading of a record."""

    def __init__(self, observer: Observer, record: Sequence[int], viewer: int) -> None:
        self.observer, self.form, self.viewer = observer, observer.form, viewer
        self.record, self.words = record, list(record)
        self.unfilled, self.unheard = _Unfilled(), list[int]()
        self.movements: dict[int, Movement | HiddenMovement] = {}

    def read(self) -> Observation:
        first = self.form.first
        self.words[:first] = self.observer.without_secrets(self.words[:first])
        items = list(self.form.items(self.record))
        for item in items:
            match item.site.node:
                case c.ChooseCards():
                    self._cards(item)
                case c.ChooseValue():
                    self._value(item)
                case c.Announce():
                    self._announcement(item)
        return Observation(self.viewer, self.words, items, self.movements)

    def _hide(self, item: Item, *words: int) -> None:
        for word in words:
            if item.at + word < len(self.words):
                self.words[item.at + word] = HOLE

    def _cards(self, item: Item) -> None:
        node = item.site.node
        assert isinstance(node, c.ChooseCards)
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
                self.words[word] = self.record[word]
            self.unheard.clear()
        elif item.site.event == SHOWN:
            self._shown(item)
        elif item.site.event.startswith(MOVED):
            self._moved(item)

    def _shown(self, item: Item) -> None:
        player, to, cards = (self.record[item.at + item.site.word(key)] for key in ("player", "to", "cards"))
        if cards and player != self.viewer and not to >> self.viewer & 1:
            self._hide(item, item.site.word("cards"))
            return
        chosen = self.unfilled.take(self.form, item.site.chosen_by, player)
        if chosen is not None:
            self.words[chosen] = cards

    def _moved(self, item: Item) -> None:
        movement = self.form.movement(self.record, item)
        chosen = self.unfilled.take(self.form, item.site.chosen_by, movement.player)
        sees = self.observer.sees
        if not movement.cards or sees(self.viewer, movement.source) or sees(self.viewer, movement.target):
            self.movements[item.at] = movement
            if chosen is not None:
                self.words[chosen] = movement.cards
            return
        word = item.at + item.site.word("cards")
        self.words[word] = HOLE
        words = (word,) if chosen is None else (chosen, word)
        number = movement.cards.bit_count()
        forced = chosen is None
        self.movements[item.at] = HiddenMovement(
            movement.source, movement.target, number, words, movement.at_once, forced
        )
