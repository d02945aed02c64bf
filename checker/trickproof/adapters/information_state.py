"""Each player's information state: the known locations of cards, and everything that happened, in words.

A player sees the cards of a move if they can see into the source or the target zone; everybody sees how many
there are. All players hear a choice when it is made; simultaneous choices, when all are made. All hear what
the rules announce.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from trickproof.analysis import observable_program as t
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.scenarios.json_values import value_json
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.values import DECK, Key, owner_keys

Log = tuple["Log", str] | None
"""A linked list of words: the last one, and the rest."""

Places = Mapping[int, Key]
"""The zones of the cards whose location a player knows."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """`places` and `logs` by player; the `sizes` of zones are public; `waiting` are choices not yet revealed."""

    places: tuple[Places, ...]
    logs: tuple[Log, ...]
    sizes: Mapping[Key, int]
    waiting: tuple[tuple[int, str], ...] = ()


class Witnesses:
    """Who sees what in a program."""

    def __init__(self, program: c.Program) -> None:
        self.program, self.players = program, range(program.players)
        nodes = list(walk(*program.phases))
        moves = {x.label for x in nodes if isinstance(x, c.Move | c.Show)}
        self.announced = {x.event for x in nodes if isinstance(x, c.Announce)} - moves | {"end"}
        self.zones: list[Key] = [
            (name, *o) for name, zone in program.zones.items() for o in owner_keys(program, zone.of)
        ]

    def at_first(self) -> Knowledge:
        """The initial knowledge: everybody knows the pack, nobody the order of its cards."""
        return Knowledge(
            tuple({} for _ in self.players),
            tuple((None, f"player {p}") for p in self.players),
            self._all_in_deck(),
        )

    def _all_in_deck(self) -> dict[Key, int]:
        return {**dict.fromkeys(self.zones, 0), (DECK,): len(self.program.deck.cards)}

    def sees(self, player: int, zone: Key) -> bool:
        """Whether a player sees into a zone."""
        seen_by = self.program.zones[zone[0]].seen_by
        return seen_by == "everyone" or (seen_by == "owner" and player in zone[1:])

    def chose(self, known: Knowledge, player: int, what: str, aloud: bool, at_once: bool) -> Knowledge:
        """The knowledge after a player's choice.

        If `aloud`, the others hear it, and with `at_once` only when all have chosen.
        """
        logs = list(known.logs)
        logs[player] = (logs[player], f"you chose {what}")
        heard = f"{player} chose {what}"
        if aloud and not at_once:
            logs = [log if p == player else (log, heard) for p, log in enumerate(logs)]
        waiting = (*known.waiting, (player, heard)) if aloud and at_once else known.waiting
        return replace(known, logs=tuple(logs), waiting=waiting)

    def heard(self, known: Knowledge, events: Iterable[Event]) -> Knowledge:
        """The knowledge after events, except those that `chose` handles."""
        after = _After(self, known)
        for event in events:
            if event.name == t.SHUFFLED:
                after.shuffled()
            elif event.name == t.REVEALED:
                after.revealed()
            elif event.name == t.SHOWN:
                after.shown(event)
            elif event.name.startswith(t.MOVED):
                after.moved(t.movement(event))
            elif event.name in self.announced:
                after.everybody_hears(self._announcement(event))
        return Knowledge(tuple(after.places), tuple(after.logs), after.sizes, after.waiting)

    def cards(self, cards: Iterable[int]) -> str:
        """Card codes."""
        return " ".join(self.program.deck.cards[card] for card in sorted(cards))

    def _announcement(self, event: Event) -> str:
        fields = [f"{key} {_said(value_json(self.program, kind, v))}" for key, kind, v in event.fields]
        return f"{event.name}: {', '.join(fields)}"


def _said(value: object) -> str:
    return " ".join(map(_said, value)) if isinstance(value, list) else str(value)


class _After:
    """Knowledge under construction."""

    def __init__(self, witnesses: Witnesses, known: Knowledge) -> None:
        self.witnesses = witnesses
        self.places: list[dict[int, Key]] = [dict(places) for places in known.places]
        self.logs, self.sizes, self.waiting = list(known.logs), dict(known.sizes), known.waiting
        self.chosen_from: list[Places] = [{} for _ in self.places]
        """The known locations of cards when simultaneous choices were made; they move right afterwards."""

    def everybody_hears(self, text: str, but: int | None = None) -> None:
        self.logs = [log if p == but else (log, text) for p, log in enumerate(self.logs)]

    def shuffled(self) -> None:
        self.places = [{} for _ in self.places]
        self.sizes = self.witnesses._all_in_deck()
        self.everybody_hears("shuffle")

    def revealed(self) -> None:
        for player, text in self.waiting:
            self.everybody_hears(text, but=player)
        self.waiting = ()
        self.chosen_from = [dict(places) for places in self.places]

    def shown(self, event: Event) -> None:
        fields = {key: value for key, _, value in event.fields}
        actor, audience, cards = fields["player"], fields["to"], fields["cards"]
        for player in self.witnesses.players if cards else ():
            codes = self.witnesses.cards(cards)
            said = codes if player == actor or player in audience else f"{len(cards)} cards"
            to = " ".join(map(str, sorted(audience)))
            self.logs[player] = (self.logs[player], f"{actor} shows {said} to {to}")

    def moved(self, m: t.Movement) -> None:
        if not m.cards or m.source not in self.sizes or m.target not in self.sizes:
            return
        everything = self.sizes[m.source] == len(m.cards)
        who = "" if m.player is None else f"{m.player} {m.label}: "
        route = f": {place_name(m.source)} > {place_name(m.target)}"
        for player, places in enumerate(self.places):
            seen = self.witnesses.sees(player, m.source) or self.witnesses.sees(player, m.target)
            here = [card for card, place in places.items() if place == m.source]
            if m.at_once:
                here = [card for card in here if self.chosen_from[player].get(card) == m.source]
            if seen:
                places.update(dict.fromkeys(m.cards, m.target))
            elif everything and not m.at_once:
                places.update(dict.fromkeys(here, m.target))
            else:
                for card in here:
                    del places[card]
            said = self.witnesses.cards(m.cards) if seen else f"{len(m.cards)} cards"
            self.logs[player] = (self.logs[player], who + said + route)
        self.sizes[m.source] -= len(m.cards)
        self.sizes[m.target] += len(m.cards)


def place_name(key: Key) -> str:
    """A zone or variable with its owners: `hand of 0`."""
    return " of ".join(map(str, key))


def listed(chain: Any) -> list[Any]:
    """The items of a linked list, such as a log, first to last."""
    things = []
    while chain is not None:
        chain, thing = chain
        things.append(thing)
    return things[::-1]
