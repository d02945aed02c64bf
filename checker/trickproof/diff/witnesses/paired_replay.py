"""One scenario under two rulesets: equal cards and moves, in whatever order each ruleset asks for them.

If only one ruleset asks a player, a move is added that the other leaves unused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from trickproof.checking.engines import State
from trickproof.checking.played_hand import HandPlayed, following_hand
from trickproof.checking.verdict import DisagreementError
from trickproof.testing.random_play import pick
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as compiled
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, ScenarioError, event_json, variable_json
from trickproof_dsl.scenarios.moves import IllegalMoveError, fitting, read_move
from trickproof_dsl.scenarios.replay import replay_in
from trickproof_dsl.scenarios.situation import Machine, start_in
from trickproof_dsl.scenarios.writing import LIMIT, decision_json, move_json, state_json
from trickproof_dsl.semantics import machine as reference
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.state import State as ReferenceState

BETWEEN = "between deals"
"""The name under which the events between two deals are given with the values that begin the next; no variable has it."""

FAILS = "the rules fail"
"""The last event between two deals if the rules fail there; no announcement has this name."""

Scenario = dict[str, Any]
Stops = Callable[[State], bool]
S = TypeVar("S", compiled.State, ReferenceState)


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of both rulesets to one scenario (the JSON of `replay`).

    `later` is what differs in the initial state of the next deal or in the events before it, if nothing
    differs earlier.
    """

    scenario: Scenario
    a: dict[str, Any]
    b: dict[str, Any]
    later: tuple[dict[str, Json], dict[str, Json]] | None = None

    @property
    def part(self) -> bool:
        """Whether the events or states differ; a difference in who leads shows up when that player is asked."""
        if self.a["ok"] != self.b["ok"] or self.event is not None:
            return True
        states = [
            {key: x for key, x in side["state"].items() if key != "leader"} for side in (self.a, self.b)
        ]
        return bool(states[0] != states[1])

    @property
    def ask(self) -> bool:
        """Whether the pending decisions differ."""
        return bool(self.a["next"] != self.b["next"])

    @property
    def count(self) -> bool:
        """Whether a variable differs that neither events nor state show."""
        shared = self.a["variables"].keys() & self.b["variables"].keys()
        return any(self.a["variables"][name] != self.b["variables"][name] for name in shared)

    @property
    def event(self) -> int | None:
        """The index of the first event that differs; None if all events are the same."""
        mine, theirs = (list(map(_in_cards, side["events"])) for side in (self.a, self.b))
        both = zip(mine, theirs, strict=False)
        if len(mine) != len(theirs) or mine != theirs:
            return next((i for i, (x, z) in enumerate(both) if x != z), min(len(mine), len(theirs)))
        return None


def told_alike(mine: Sequence[Event], theirs: Sequence[Event]) -> bool:
    """Whether the same events are told, whichever way a number of cards is worded."""
    return mine == theirs or list(map(_of_cards, mine)) == list(map(_of_cards, theirs))


def _of_cards(event: Event) -> Event:
    """What `_in_cards` makes of the JSON of an event."""
    if event.fields[:1] and event.fields[0][0] == "player" and event.fields[-1][:2] == ("card", c.CARD):
        return replace(
            event, fields=(*event.fields[:-1], ("cards", c.CARDS, frozenset((event.fields[-1][2],))))
        )
    return event


def _in_cards(event: dict[str, Json]) -> dict[str, Json]:
    """A move of a card as one of cards: which of the two is written down depends on the wording of the number."""
    if "player" not in event or not isinstance(event.get("card"), str):
        return event
    return {**{key: x for key, x in event.items() if key != "card"}, "cards": [event["card"]]}


def answers(a: Ruleset, b: Ruleset, scenario: Scenario) -> Answers | None:
    """The answers of both by the reference; None if one cannot carry out the scenario, or if both fail at run time."""
    return _answers(reference, a, b, scenario)


def tried(a: Ruleset, b: Ruleset, scenario: Scenario) -> Answers | None:
    """What `answers` should be, sooner: by the compiled form. What is shown of it is to be `confirmed`."""
    return _answers(compiled, a, b, scenario)


def _answers(machine: Machine[S], a: Ruleset, b: Ruleset, scenario: Scenario) -> Answers | None:
    mine, theirs = (_answer(machine, ruleset, scenario) for ruleset in (a, b))
    if mine is None or theirs is None or not (mine["ok"] or theirs["ok"]):
        return None
    return Answers(scenario, mine, theirs)


def _answer(machine: Machine[S], ruleset: Ruleset, scenario: Scenario) -> dict[str, Any] | None:
    """The answer of `replay`; if the rules fail at run time, including how far they got."""
    answer = replay_in(machine, ruleset, {**scenario, "ruleset": ruleset.named})
    if answer["ok"]:
        return answer
    error: Any = answer["error"]
    if "where" not in error or error["kind"] == LIMIT:  # scenario rejected, or engine limit reached
        return None
    state = _play(machine, ruleset, scenario, list(scenario.get("moves", [])), _never)
    events = [event_json(ruleset.program, event) for event in state.events]
    return {**answer, "events": events, "state": state_json(state), "next": None, "variables": {}}


def _never(_: State) -> bool:
    return False


def shared_script(a: Ruleset, b: Ruleset, scenario: Scenario, stops: Stops = _never) -> Scenario | None:
    """Extend the scenario with moves until both satisfy `stops`; None if one cannot begin."""
    moves = list(scenario.get("moves", []))
    lengths = [-1]
    for ruleset in (a, b, a, b):
        if lengths[-2:] == [len(moves)] * 2:
            break  # neither has anything to add
        lengths.append(len(moves))
        try:
            _play(compiled, ruleset, scenario, moves, stops)
        except (ScenarioError, IllegalMoveError, EngineLimitError):
            return None
    return {**scenario, "moves": moves, "any_order": True}


def with_next_hand(a: Ruleset, b: Ruleset, answered: Answers) -> Answers | None:
    """Add how the next deal begins otherwise or follows other events, such as the end; None if it does not.

    Also None if the engine reaches a limit.
    """
    try:
        return _next_hands(compiled, a, b, answered)
    except EngineLimitError:
        return None


def _next_hands(machine: Machine[S], a: Ruleset, b: Ruleset, answered: Answers) -> Answers | None:
    begun: list[dict[str, Json]] = []
    for ruleset in (a, b):
        state = _play(machine, ruleset, answered.scenario, list(answered.scenario["moves"]), _never)
        if not state.hand_over or state.match_over or state.fault is not None:
            return None
        program, after = ruleset.program, following_hand(state)
        begin = after.begin if isinstance(after, HandPlayed) else after
        told: list[Json] = [event_json(program, event) for event in begin.events]
        told += [] if begin.fault is None else [{"event": FAILS, "message": begin.fault.message}]
        carried = [name for name, info in program.variables.items() if info.carried and "." not in name]
        values = {name: variable_json(program, name, begin.variables) for name in sorted(carried)}
        begun.append({BETWEEN: told} | (values if isinstance(after, HandPlayed) else {}))
    names = [name for name in begun[0].keys() & begun[1].keys() if begun[0][name] != begun[1][name]]
    mine, theirs = ({name: one[name] for name in sorted(names)} for one in begun)
    return replace(answered, later=(mine, theirs)) if names else None


def _play(machine: Machine[S], ruleset: Ruleset, scenario: Scenario, moves: list[Json], stops: Stops) -> S:
    state = start_in(machine, ruleset, {key: x for key, x in scenario.items() if key != "moves"})
    unplayed = list(range(len(moves)))
    while state.decision is not None and not stops(state):
        number = fitting(ruleset, state, moves, unplayed)
        if number is None:
            moves.append(move_json(ruleset.program, state.decision, pick(state.decision, None, most=True)))
            number = len(moves) - 1
        else:
            unplayed.remove(number)
        state = machine.apply(state, read_move(ruleset, state, moves[number]))
    return state


def asked_where_they_differ(a: Ruleset, b: Ruleset, answered: Answers) -> tuple[Any, Any] | None:
    """What both ask, as in `next`, where the events begin to differ or end; None if one asks nothing there."""
    number = answered.event
    if number is None:
        mine, theirs = answered.a["next"], answered.b["next"]
        return (mine, theirs) if mine and theirs else None
    asked = []
    for ruleset in (a, b):
        moves = list(answered.scenario.get("moves", []))
        state = _play(reference, ruleset, answered.scenario, moves, lambda state: len(state.events) >= number)
        if state.decision is None or len(state.events) != number:
            return None
        asked.append(decision_json(ruleset.program, state.decision))
    return asked[0], asked[1]


def same_chance(mine: State, theirs: State) -> bool:
    """Whether as many shuffles were dealt from up to both states, so that one seed stands for the same chance."""
    one, other = (state.chance.shuffles - (not state.chance.dealt) for state in (mine, theirs))
    return one == other


def dealt_alike(a: Ruleset, b: Ruleset, scenario: Scenario) -> bool:
    """Whether the cards of a scenario are given, or dealt from its seed by the same chance."""
    states = (_play(compiled, ruleset, scenario, list(scenario["moves"]), _never) for ruleset in (a, b))
    return "seed" not in scenario or same_chance(*states)


def plainly(a: Ruleset, b: Ruleset, answered: Answers) -> Answers:
    """Drop `any_order` if the moves are asked for in order anyway."""
    if not answered.scenario.get("any_order"):
        return answered
    plain = {key: value for key, value in answered.scenario.items() if key != "any_order"}
    in_order = tried(a, b, plain)
    same = in_order is not None and (in_order.a["state"], in_order.b["state"]) == (
        answered.a["state"],
        answered.b["state"],
    )
    return replace(in_order, later=answered.later) if in_order is not None and same else answered


Told = Counter[str]
"""Events, as JSON text, with how often they are told."""


def told_by_one(answered: Answers) -> tuple[Told, Told]:
    """The events that only the first ruleset tells, wherever, and those that only the second does."""
    mine, theirs = (_told(side["events"]) for side in (answered.a, answered.b))
    return mine - theirs, theirs - mine


def _told(events: Sequence[dict[str, Json]]) -> Told:
    return Told(json.dumps(_in_cards(event), sort_keys=True) for event in events)


def first_told(answered: Answers, own: tuple[Told, Told]) -> bool:
    """Whether the first event that differs is the `own` one of one of the two."""
    number = answered.event
    begin = slice(number, None if number is None else number + 1)
    sides = [_told(side["events"][begin]) for side in (answered.a, answered.b)]
    return number is not None and any(told and told <= some for told, some in zip(sides, own, strict=True))


def shortest(a: Ruleset, b: Ruleset, answered: Answers, own: tuple[Told, Told]) -> Answers:
    """Drop trailing moves while the difference and the `own` events of each still show and neither side leaves a move unused."""
    moves = answered.scenario["moves"]
    for number in range(len(moves)):
        shorter = tried(a, b, {**answered.scenario, "moves": moves[:number]})
        if shorter is None or not shorter.part or shorter.a.get("unused") or shorter.b.get("unused"):
            continue
        mine, theirs = told_by_one(shorter)
        if own[0] <= mine and own[1] <= theirs:
            return shorter
    return answered


def confirmed(a: Ruleset, b: Ruleset, found: Answers) -> Answers | None:
    """What was `tried`, by the reference; None if that reaches a limit. Raises DisagreementError if it answers otherwise."""
    again = answers(a, b, found.scenario)
    if again is None:
        return None
    try:
        later = None if found.later is None else _next_hands(reference, a, b, again)
    except EngineLimitError:
        return None
    told = again if later is None else later
    if (told.a, told.b, told.later) != (found.a, found.b, found.later):
        raise DisagreementError(f"{a.id} and {b.id}: a witness does not replay to the same difference")
    return told
