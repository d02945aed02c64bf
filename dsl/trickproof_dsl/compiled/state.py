"""A match at one moment, as an immutable value, and where chance comes from.

Read by everything that plays; changed only by `machine.py`, which makes new ones.  A state is a list of values in the
places of its program (`places`); by name they are looked up when somebody asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled.decision import Decision, unchanging
from trickproof_dsl.compiled.event_log import VALUE_KEYS, Event, events_until, told
from trickproof_dsl.compiled.identity_memo import kept
from trickproof_dsl.compiled.slots import (
    CHANCE,
    DEALT,
    DECK,
    EVENTS,
    HEAD,
    WINNERS,
    Key,
    Places,
    Value,
    fresh_values,
    owner_keys,
    places_of,
    size_of,
)
from trickproof_dsl.semantics.faults import Fault

__all__ = [
    "DECK",
    "VALUE_KEYS",
    "Chance",
    "Decision",
    "Event",
    "Match",
    "State",
    "fresh_values",
    "initial",
    "owner_keys",
    "size_of",
]


@unchanging
class Chance:
    """Where chance comes from: a seed, or `given` cards by place (dealt in their order).

    Cards given for the deck are its order, top first, once all other given cards are dealt.
    `shuffles` counts; `dealt` records what went where since the last shuffle, each dealing in order of index.
    """

    seed: int = 0
    given: Mapping[Key, tuple[int, ...]] | None = None
    shuffles: int = 0
    dealt: Mapping[Key, tuple[int, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Match:
    """What stays the same throughout a match."""

    program: c.Program
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    places: Places = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.places = places_of(self.program)


class State:
    """Everything about a match at one moment.  Exactly one holds: a decision, a fault, or the hand is complete.

    `values` is a list in the places of the program, which nobody changes; `apply` and the like make new ones.
    """

    __slots__ = ("_bound", "_variables", "_zones", "decision", "fault", "match", "values")

    _bound: Mapping[str, Value]
    _variables: Mapping[Key, Value]
    _zones: Mapping[Key, tuple[int, ...]]

    def __init__(
        self, match: Match, values: list[Value], decision: Decision | None, fault: Fault | None = None
    ) -> None:
        self.match, self.values, self.decision, self.fault = match, values, decision, fault

    def __repr__(self) -> str:
        now = "match over" if self.match_over else "hand over"
        if self.fault is not None:
            now = f"fault {self.fault.kind}"
        elif self.decision is not None:
            now = f"player {self.decision.player} has to {self.decision.label}"
        return f"<State: {len(self.events)} events, {now}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._told() == other._told()

    def _told(self) -> tuple[object, ...]:
        known = (
            self.variables,
            self.zones,
            self.bound,
            self.under_way,
            self.chance,
            self.events,
            self.match_over,
        )
        return (*known, self.winners, self.decision, self.fault, self.match)

    def __getstate__(self) -> object:
        """Notes of what has happened are made events first: a long chain cannot be written."""
        events_until(self.values[EVENTS])
        return self.match, self.values, self.decision, self.fault, self.bound

    def __setstate__(self, known: Any) -> None:
        self.match, self.values, self.decision, self.fault, self._bound = known

    # ------------------------------------------------------------------------------------- what there is

    @property
    def program(self) -> c.Program:
        return self.match.program

    @property
    def parameters(self) -> Mapping[str, int]:
        return self.match.parameters

    @property
    def readings(self) -> Mapping[str, int]:
        """The readings taken of rules, by index; a rule that is not there is read the first way."""
        return self.match.readings

    @property
    def chance(self) -> Chance:
        chance: Chance = self.values[CHANCE]
        dealt: dict[Key, tuple[int, ...]] = {}
        for place, cards in self.values[DEALT]:
            key = self.match.places.zone_keys[place]
            dealt[key] = dealt.get(key, ()) + tuple(sorted(cards))
        return Chance(chance.seed, chance.given, chance.shuffles, dealt)

    @property
    def variables(self) -> Mapping[Key, Value]:
        """The values of all variables."""
        try:
            return self._variables
        except AttributeError:
            values = self.values
            self._variables = {key: values[at] for key, at in self.match.places.variables.items()}
            return self._variables

    @property
    def zones(self) -> Mapping[Key, tuple[int, ...]]:
        """The cards of all zones."""
        try:
            return self._zones
        except AttributeError:
            values = self.values
            self._zones = {key: values[at] for key, at in self.match.places.zones.items()}
            return self._zones

    @property
    def bound(self) -> Mapping[str, Value]:
        """What the steps under way have bound, by name."""
        try:
            return self._bound
        except AttributeError:
            code = None if self.decision is None else self.decision.question.code
            self._bound = {} if code is None else code.bound(self.values)
            return self._bound

    @property
    def under_way(self) -> tuple[Value, ...]:
        """How far the loops are in which a decision is asked: what is left to go through, or rounds."""
        code = None if self.decision is None else self.decision.question.code
        return () if code is None else code.under_way(self.values)

    @property
    def left(self) -> tuple[object, ...]:
        """The steps that may still come after the decision."""
        return () if self.decision is None else self.decision.question.left

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened in this hand."""
        return events_until(self.values[EVENTS])

    @property
    def match_over(self) -> bool:
        return self.values[WINNERS] is not None

    @property
    def winners(self) -> frozenset[int]:
        """Who has won the match; nobody while it is not over."""
        return self.values[WINNERS] or frozenset()

    @property
    def hand_over(self) -> bool:
        return self.decision is None and self.fault is None

    def variable(self, name: str, *owners: int) -> Value:
        return self.values[self.match.places.variables[(name, *owners)]]

    def cards(self, zone: str, *owners: int) -> tuple[int, ...]:
        cards: tuple[int, ...] = self.values[self.match.places.zones[(zone, *owners)]]
        return cards

    # ----------------------------------------------------------------------------------- another in its place

    def but(
        self,
        *,
        program: c.Program | None = None,
        readings: Mapping[str, int] | None = None,
        chance: Chance | None = None,
        variables: Mapping[Key, Value] | None = None,
        zones: Mapping[Key, tuple[int, ...]] | None = None,
        bound: Mapping[str, Value] | None = None,
        events: tuple[Event, ...] | None = None,
        decision: Decision | None = None,
    ) -> State:
        """The same moment with other contents: of variables and zones, those that are named.

        `bound` is what is bound around the steps that are run next.
        """
        match = self.match
        if program is not None or readings is not None:
            program, readings = program or match.program, match.readings if readings is None else readings
            match = Match(program, match.parameters, readings)
        places, values = match.places, [*self.values]
        if places is not self.match.places:
            values[: self.match.places.size] = places.listed(self.variables, self.zones)
            values[:HEAD] = self.values[:HEAD]
        for given, known in ((variables, places.variables), (zones, places.zones)):
            for key, value in (given or {}).items():
                if key in known:
                    values[known[key]] = value
        if chance is not None:
            _put_chance(values, chance, places)
        if events is not None:
            values[EVENTS] = told(events)
        made = State(match, values, decision or self.decision, self.fault)
        if bound is not None:
            made._bound = bound
        elif self.decision is None:
            made._bound = self.bound
        return made


def initial(
    program: c.Program,
    chance: Chance | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    variables: Mapping[Key, Value] | None = None,
) -> State:
    """A match before its first step: every variable initial (or as given), every card in the deck."""
    chosen = {name: values[0] for name, values in program.parameters.items()} | dict(parameters or {})
    match = Match(program, chosen, dict(readings or {}))
    values = _beginning(program).copy()
    _put_chance(values, chance or Chance(), match.places)
    known = match.places.variables
    for key, value in (variables or {}).items():
        if key in known:
            values[known[key]] = value
    return State(match, values, None)


def _put_chance(values: list[Value], chance: Chance, places: Places) -> None:
    """Puts chance where the steps look for it."""
    values[CHANCE], values[DEALT] = chance, ()
    if chance.dealt:
        values[CHANCE] = Chance(chance.seed, chance.given, chance.shuffles)
        values[DEALT] = tuple([(places.zones[key], cards) for key, cards in chance.dealt.items()])


@kept(1000)
def _beginning(program: c.Program) -> list[Value]:
    """Every variable as it begins, every card in the deck."""
    places = places_of(program)
    variables = {k: v for info in program.variables.values() for k, v in fresh_values(program, info)}
    zones: dict[Key, tuple[int, ...]] = dict.fromkeys(places.zones, ())
    return places.listed(variables, zones | {(DECK,): tuple(range(len(program.deck.cards)))})
