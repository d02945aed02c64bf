"""Coverage goals at the table, whatever the rules: extreme choices, boundaries of standard concepts.

Vocabulary that a game does not use yields no goals. The goals of a decision count if the deal stops at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from trickproof.analysis.usage import program_usage
from trickproof.vectors.coverage_goal import Goal
from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.values import Value, size_of

TABLE = "at the table"
"""The part for goals that do not belong to any rule text."""


def at_table(case: str) -> Goal:
    return Goal(TABLE, case, None)


class Table:
    """The goals of one program at the table."""

    def __init__(self, program: c.Program) -> None:
        self.program = program
        self._words = frozenset(program.variables)
        usage = program_usage(program)
        self._plays_tricks = {"played", "led"} <= self._words and "play" in usage.labels
        self._trumps = "trump" in usage.assigns or any(
            isinstance(node, c.ChooseValue) and node.label == "trump" for node in walk(program.hand)
        )
        self._exchanges = {"over", "gift"} <= usage.reads and "give" in usage.labels

    # -------------------------------------------------------------------------------------------- goals

    def goals(self) -> Iterator[Goal]:
        """The goals that should be reached; others may be reached as well."""
        for node in walk(*self.program.phases):
            if isinstance(node, c.ChooseCards):
                yield from (self._choice(node, case) for case in self._cases_of_cards(node))
            elif isinstance(node, c.ChooseValue):
                yield from (self._choice(node, case) for case in self._cases_of_value(node))
        if "dealer" in self._words and self.program.variables["dealer"].carried:
            yield from (at_table(f"player {p} deals") for p in range(self.program.players))
        if "first-hand" in self._words:
            yield from map(at_table, ("the first deal of a match", "a later deal"))
        if self._exchanges:
            yield from map(at_table, self._exchange_cases())
        if self._plays_tricks:
            yield from map(at_table, self._trick_cases())
        yield from map(at_table, ("the match is over", "the match goes on"))

    def _choice(self, ask: c.Choice, case: str) -> Goal:
        return Goal("choice", case, ask.span, ask.rule)

    def _cases_of_cards(self, ask: c.ChooseCards) -> Iterator[str]:
        if ask.low != ask.high:
            yield from ("is done with the fewest cards", "is done with the most cards")
        if any(isinstance(node, c.Filter | c.Best | c.Top | c.Conditional) for node in walk(ask.domain)):
            yield from ("does not allow every card", "allows every card")

    def _cases_of_value(self, ask: c.ChooseValue) -> Iterator[str]:
        kind = ask.value_type
        if ask.or_none:
            yield "is answered with none"
        if kind == c.INTEGER:
            yield from ("is answered with the lowest number", "is answered with the highest number")
        elif kind.kind in ("suit", "option", "boolean") and not any(
            isinstance(node, c.Filter) for node in walk(ask.domain)
        ):
            yield from (f"is answered with {self._said(kind, v)}" for v in range(size_of(self.program, kind)))
        if not isinstance(ask.condition, c.Literal):
            yield "does not allow every value"

    def _exchange_cases(self) -> Iterator[str]:
        seats = self.program.players
        yield "nobody is up or down"
        yield from (f"{up} up and {down} down" for up in range(1, seats) for down in range(1, seats - up + 1))
        yield from ("two are equally up", "two are equally down")

    def _trick_cases(self) -> Iterator[str]:
        yield from (f"the trick is won by player {n} to play" for n in range(1, self.program.players + 1))
        yield "a player void in the suit led plays a side suit"
        if self._trumps:
            yield "a player void in the suit led plays a trump"
            yield "a trump wins when another suit was led"

    # ------------------------------------------------------------------------------------ goals reached

    def at_start(self, state: State) -> Iterator[Goal]:
        """Goals of the initial state, given the first state of a deal."""
        values = state.variables
        if values.get(("dealer",)) is not None:
            yield at_table(f"player {values[('dealer',)]} deals")
        if ("first-hand",) in values:
            yield at_table("the first deal of a match" if values[("first-hand",)] else "a later deal")
        if self._exchanges:
            over = [int(values.get(("over", p), 0)) for p in range(self.program.players)]
            ups, downs = (sorted(n for n in over if n > 0), sorted(n for n in over if n < 0))
            yield at_table(
                f"{len(ups)} up and {len(downs)} down" if ups and downs else "nobody is up or down"
            )
            if any(a == b for a, b in pairwise(ups)):
                yield at_table("two are equally up")
            if any(a == b for a, b in pairwise(downs)):
                yield at_table("two are equally down")

    def at_stop(self, state: State, decision: Decision) -> Iterator[Goal]:
        """Goals of a pending decision at which the deal stops."""
        if decision.type == c.CARDS:
            holder = decision.player if decision.whose is None else decision.whose
            held = state.zones.get(("hand", holder), ())
            narrowed = bool(set(held) - set(decision.legal))
            case = "does not allow every card" if narrowed else "allows every card"
            yield Goal("choice", case, decision.span, decision.rule)
            if len(decision.legal) == decision.low:
                yield Goal("choice", "leaves no choice", decision.span, decision.rule)
        elif self._narrowed(decision):
            yield Goal("choice", "does not allow every value", decision.span, decision.rule)

    def _narrowed(self, decision: Decision) -> bool:
        values: list[int] = [v for v in decision.legal if v is not None]
        if decision.type == c.INTEGER:
            return len(values) <= max(values) - min(values)
        return len(values) < size_of(self.program, decision.type)

    def after(self, state: State, decision: Decision, choice: Value, then: State) -> Iterator[Goal]:
        """Goals of a choice."""
        yield from self._chosen(decision, choice)
        if self._plays_tricks and decision.label == "play" and decision.type == c.CARDS:
            yield from self._played(state, decision, choice)
        order = self._order(state, decision)
        for event in then.events[len(state.events) :]:
            yield from self._event(event, state, then, order, choice)

    def _chosen(self, decision: Decision, choice: Any) -> Iterator[Goal]:
        cases = []
        if decision.type == c.CARDS:
            if decision.low < decision.high:
                cases = ["fewest"] * (len(choice) == decision.low) + ["most"] * (len(choice) == decision.high)
            cases = [f"is done with the {case} cards" for case in cases]
        elif choice is None:
            cases = ["is answered with none"]
        elif decision.type == c.INTEGER:
            lowest, highest = min(decision.legal), max(decision.legal)
            cases = ["lowest"] * (choice == lowest) + ["highest"] * (choice == highest)
            cases = [f"is answered with the {case} number" for case in cases]
        elif decision.type.kind in ("suit", "option", "boolean"):
            cases = [f"is answered with {self._said(decision.type, choice)}"]
        yield from (Goal("choice", case, decision.span, decision.rule) for case in cases)

    def _said(self, kind: c.Type, value: Any) -> str:
        if kind.kind == "suit":
            return str(self.program.deck.suits[value])
        if kind.kind == "option":
            return str(self.program.options[kind.option][value])
        return "yes" if value else "no"

    def _played(self, state: State, decision: Decision, choice: Any) -> Iterator[Goal]:
        led, deck = state.variables.get(("led",)), self.program.deck
        if led is None or len(choice) != 1 or not self._order(state, decision)[:-1]:
            return
        suits = {deck.card_suit[card] for card in state.zones.get(("hand", decision.player), ())}
        (suit,) = {deck.card_suit[card] for card in choice}
        if led not in suits:
            trump = suit == state.variables.get(("trump",))
            yield at_table(f"a player void in the suit led plays a {'trump' if trump else 'side suit'}")

    def _order(self, state: State, decision: Decision) -> list[int]:
        """The players to the trick in order, leader first, up to the one who plays now."""
        seats = self.program.players
        if "played" not in self._words or self.program.variables["played"].of != (c.PLAYER,):
            return [decision.player]
        turned = [(decision.player + n) % seats for n in range(1, seats)]
        variables = state.variables
        return [p for p in turned if variables.get(("played", p)) is not None] + [decision.player]

    def _event(
        self, event: Event, state: State, then: State, order: list[int], choice: Value
    ) -> Iterator[Goal]:
        fields = {key: value for key, _, value in event.fields}
        if event.name == "trick" and self._plays_tricks and fields.get("winner") in order:
            yield at_table(f"the trick is won by player {order.index(fields['winner']) + 1} to play")
            yield from self._trumped(state, fields["winner"], choice)
        elif event.name == "return" and self._exchanges and "to" in fields:
            cards = set(fields.get("cards") or {fields.get("card")})
            gift = then.variables.get(("gift", fields["to"], fields["player"]), frozenset())
            yield at_table("a card goes back to its giver" if cards & gift else "other cards go back")

    def _trumped(self, state: State, winner: int, choice: Any) -> Iterator[Goal]:
        trump, led = (state.variables.get((name,)) for name in ("trump", "led"))
        card = state.variables.get(("played", winner))
        cards = choice if card is None else {card}
        suits = (
            {self.program.deck.card_suit[x] for x in cards} if isinstance(cards, set | frozenset) else set()
        )
        if trump is not None and trump != led and trump in suits:
            yield at_table("a trump wins when another suit was led")

    def at_end(self, state: State) -> Iterator[Goal]:
        """Goals of a complete deal."""
        if state.hand_over:
            yield at_table("the match is over" if state.match_over else "the match goes on")
