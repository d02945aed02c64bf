"""A player's observations: words with perfect recall, words for the present, numbers for the present.

Nothing here reads cards from the state: they come from `Knowledge`, the player's own choice and public
variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from trickproof.adapters.game_state import Play, Terms
from trickproof.adapters.information_state import listed, place_name
from trickproof.analysis.information_flow import public_variables
from trickproof.analysis.observable_program import DEALING
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.scenarios.json_values import value_json
from trickproof_dsl.semantics.values import Key, Value, as_number, owner_keys, size_of

Piece = tuple[str, tuple[int, ...]]
"""A part of the numbers: its name, and its shape."""


class View:
    """Views of the plays under given terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.program, self.witnesses = terms, terms.program, terms.witnesses
        program = terms.ruleset.program
        self.variables: list[tuple[Key, c.Type]] = [
            ((name, *owners), program.variables[name].type)
            for name in public_variables(program)
            for owners in owner_keys(program, program.variables[name].of)
        ]
        nodes = walk(*program.phases)
        choices = (x for x in nodes if isinstance(x, c.Choice))
        self.labels = sorted({x.label for x in choices})
        self.zones: list[Key] = terms.witnesses.zones

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The parts of `numbers`, in order."""
        players, cards, zones = self.program.players, len(self.program.deck.cards), len(self.zones)
        fixed: list[Piece] = [
            ("player", (players,)),
            ("asked", (len(self.labels),)),
            ("picked", (cards,)),
            ("known_cards", (zones, cards)),
            ("cards_in_zones", (zones,)),
        ]
        return (*fixed, *((place_name(key), (self._width(kind),)) for key, kind in self.variables))

    @cached_property
    def size(self) -> int:
        """The length of `numbers`."""
        total = 0
        for _, shape in self.pieces:
            count = 1
            for n in shape:
                count *= n
            total += count
        return total

    # ------------------------------------------------------------------------------------------- words

    def remembered(self, play: Play, player: int) -> str:
        """Everything the player has seen, heard and chosen, and the player's pending decision."""
        return "\n".join([*listed(play.known.logs[player]), *self._question(play, player)])

    def now(self, play: Play, player: int) -> str:
        """What the player sees now, and the known locations of cards."""
        lines = [f"player {player}"]
        for key, cards in zip(self.zones, self.cards_known(play, player), strict=True):
            many = play.known.sizes[key]
            if many:
                hidden = f" and {many - len(cards)} unknown" if many > len(cards) and cards else ""
                content = self.witnesses.cards(cards) + hidden if cards else f"{many} unknown"
                lines.append(f"{place_name(key)}: {content}")
        for key, kind in self.variables:
            value = value_json(self.program, kind, play.state.variables[key])
            if value not in (None, 0, False, []):
                lines.append(f"{place_name(key)} = {value}")
        return "\n".join(lines + self._question(play, player))

    def _question(self, play: Play, player: int) -> list[str]:
        if play.over:
            return ["over"]
        decision = play.decision
        if decision.player != player or decision.label == DEALING:
            # What another player is asked, and that they are asked, can reveal their cards.
            return ["others choose"]
        if decision.blind:
            return [f"you have to {decision.label}, {len(play.picked)} drawn"]
        return [f"you have to {decision.label}: {self.witnesses.cards(play.picked)}"]

    # ----------------------------------------------------------------------------------------- numbers

    def numbers(self, play: Play, player: int) -> list[float]:
        """The content of `now`, as numbers from -1 to 1 in the order of `pieces`."""
        players = range(self.program.players)
        decision = None if play.over else play.decision
        own = (
            decision
            if decision is not None and decision.player == player and decision.label != DEALING
            else None
        )
        numbers = [1.0 if p == player else 0.0 for p in players]
        numbers += [1.0 if own is not None and label == own.label else 0.0 for label in self.labels]
        numbers += self._many(play.picked if own is not None and not own.blind else ())
        for cards in self.cards_known(play, player):
            numbers += self._many(cards)
        most = float(len(self.program.deck.cards))
        numbers += [play.known.sizes[key] / most for key in self.zones]
        for key, kind in self.variables:
            numbers += self._value(kind, play.state.variables[key])
        return numbers

    def cards_known(self, play: Play, player: int) -> Iterator[list[int]]:
        """For each zone, the cards that the player knows to be there."""
        places = play.known.places[player]
        by_zone: dict[Key, list[int]] = {key: [] for key in self.zones}
        for card, place in places.items():
            by_zone[place].append(card)
        return (sorted(by_zone[key]) for key in self.zones)

    def _many(self, cards: Iterable[int]) -> list[float]:
        flags = [0.0] * len(self.program.deck.cards)
        for card in cards:
            flags[card] = 1.0
        return flags

    def _width(self, kind: c.Type) -> int:
        if kind.kind in c.SETS:
            return size_of(self.program, c.Type(c.SETS[kind.kind]))
        return 1 if kind in (c.INTEGER, c.BOOLEAN) else size_of(self.program, kind)

    def _value(self, kind: c.Type, value: Value) -> list[float]:
        if kind == c.INTEGER:
            # Between -1 and 1 for any integer; ±0.5 at the number of cards.
            number = as_number(value)
            return [number / (abs(number) + len(self.program.deck.cards))]
        if kind == c.BOOLEAN:
            return [float(bool(value))]
        flags = [0.0] * self._width(kind)
        for x in sorted(value) if isinstance(value, frozenset) else [] if value is None else [value]:
            flags[x] = 1.0
        return flags
