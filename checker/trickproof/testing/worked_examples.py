"""Runs worked examples: given / when / then, for one rule or a whole deal.

`given` holds fields of a SCENARIO and variables by name, `when` moves, `run` the one rule to run (after
`targets`, unless targets are given), `then` the expected results: fields of the replayed state, variables by
name, the `value` of a rule, and `events` that must occur in this order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trickproof.testing.deal_search import construct
from trickproof.testing.witness import scenario
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.files.model import ExampleDecl
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import (
    Json,
    ScenarioError,
    event_json,
    read_value,
    value_json,
    variable_json,
)
from trickproof_dsl.scenarios.moves import IllegalMoveError, read_move
from trickproof_dsl.scenarios.replay import replay_scenario
from trickproof_dsl.scenarios.situation import read_deal, read_readings, read_variables
from trickproof_dsl.scenarios.writing import state_json
from trickproof_dsl.semantics import machine as interpret
from trickproof_dsl.semantics.expressions import value_in
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.values import DECK, Key, carried

_FIELDS = ("dealer", "first_hand", "over", "scores", "hands", "kitty", "zones", "seed", "params", "readings")
_LOCAL_FIELDS = ("hands", "kitty", "zones", "dealer", "first_hand", "over", "scores")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an example: the differences between it and the rules, in words (empty if they agree)."""

    example: ExampleDecl
    wrong: tuple[str, ...]
    scenario: Mapping[str, Json] | None

    @property
    def name(self) -> str:
        return self.example.name.value


def run_examples(ruleset: Ruleset, readings: Mapping[str, int] | None = None) -> list[Outcome]:
    """Run every example in the ruleset's own file, under the first readings or those given."""
    return [run_example(ruleset, example, readings or {}) for example in ruleset.own.examples]


def run_example(ruleset: Ruleset, example: ExampleDecl, readings: Mapping[str, int]) -> Outcome:
    """Run one example."""
    whole = example.run is None
    given = _whole(ruleset, example, readings) if whole else None
    try:
        got = _replayed(ruleset, given) if given is not None else _run_rule(ruleset, example, readings)
        wrong = tuple(_differences(ruleset.program, example.then, got))
    except (ScenarioError, EngineLimitError) as impossible:
        wrong = (impossible.message,)
    return Outcome(example, wrong, given)


def whole_hand(ruleset: Ruleset, example: ExampleDecl) -> Mapping[str, Json] | None:
    """A deal with real cards that shows what an example about one rule gets wrong, if it mentions tricks.

    None if no such deal is found, or if it shows nothing wrong.
    """
    tricks = example.given.get("tricks")
    if example.run is None or not isinstance(tricks, list):
        return None
    goal = [number for number in tricks if isinstance(number, int)]
    program = ruleset.program
    rule = program.rules[example.run.value]
    try:
        readings = read_readings(program, example.given.get("readings", {}))
        state = _situation(program, rule, example.given, readings)
    except ScenarioError:  # reported as what is wrong with the example
        return None
    begin = carried(program, state.variables)
    hand = construct(ruleset, state.parameters, readings, begin, goal)
    if hand is None:
        return None
    written = scenario(ruleset, hand)
    return written if any(_differences(program, example.then, _replayed(ruleset, written))) else None


# ---------------------------------------------------------------------------------------- whole deals


def _whole(ruleset: Ruleset, example: ExampleDecl, readings: Mapping[str, int]) -> dict[str, Json]:
    program = ruleset.program
    fields: dict[str, Json] = {"ruleset": ruleset.id}
    fields |= {key: value for key, value in example.given.items() if key in _FIELDS}
    variables = {key: value for key, value in example.given.items() if key not in _FIELDS}
    other_readings = {rule: program.readings[rule][index] for rule, index in readings.items() if index}
    if other_readings:
        fields["readings"] = other_readings | fields.get("readings", {})
    if variables:
        fields["variables"] = variables
    if "hands" not in fields:
        fields.setdefault("seed", 0)
    return {**fields, "moves": list(example.when)}


def _replayed(ruleset: Ruleset, scenario: Mapping[str, Json]) -> dict[str, Json]:
    answer = replay_scenario(ruleset, scenario)
    if not answer["ok"]:
        raise ScenarioError("example", f"the rules do not allow it: {answer['error']['message']}")
    return {**answer["variables"], **answer["state"], "events": answer["events"]}


# ------------------------------------------------------------------------------------------- one rule


def _run_rule(ruleset: Ruleset, example: ExampleDecl, readings: Mapping[str, int]) -> dict[str, Json]:
    program, given = ruleset.program, example.given
    assert example.run is not None
    rule = program.rules.get(example.run.value)
    if rule is None or (rule.body is None and rule.value is None):
        raise ScenarioError("example", f"there is no rule `{example.run.value}` to run")
    state = _situation(
        program, rule, given, {**readings, **read_readings(program, given.get("readings", {}))}
    )
    targets = program.rules.get("targets")
    if "target" not in given and targets is not None and targets.body and rule is not targets:
        settled = interpret.run(state, targets.body)
        state = settled.but(bound=state.bound, events=()) if settled.hand_over else state
    if rule.body is None:
        assert rule.value is not None
        return {"value": _value(state, rule.value)}
    state = interpret.run(state, rule.body)
    for move in example.when:
        state = _moved(ruleset, state, move)
    if state.fault:
        raise ScenarioError("example", f"the rules fail at run time: {state.fault.message}")
    events = [event_json(program, event) for event in state.events]
    every = {name: variable_json(program, name, state.variables) for name in program.variables}
    return {**every, **state_json(state), "events": events}


def _situation(
    program: c.Program, rule: c.RuleCode, given: Mapping[str, Json], readings: Mapping[str, int]
) -> State:
    """The state in which the rule is run: variables, zones and the rule's own parameters as given."""
    locals_ = {name.rpartition(".")[2]: (name, kind) for name, kind in rule.parameters}
    bound = {
        locals_[key][0]: read_value(program, locals_[key][1], value, key)
        for key, value in given.items()
        if key in locals_
    }
    used = {x.name for x in walk(rule.body if rule.value is None else rule.value) if isinstance(x, c.Local)}
    missing = [key for key, (name, _) in locals_.items() if name in used and key not in given]
    if missing:
        names = " and ".join(f"`{key}`" for key in missing)
        raise ScenarioError("example", f"rule `{rule.name}` is run: expected {names} under `given`")
    fields: dict[str, Json] = {key: value for key, value in given.items() if key in _LOCAL_FIELDS}
    fields["variables"] = {
        key: value for key, value in given.items() if key not in _FIELDS and key not in locals_
    }
    params = given.get("params")
    state = interpret.initial(
        program,
        parameters=params if isinstance(params, dict) else {},
        readings=readings,
        variables=read_variables(program, fields),
    )
    zones: dict[Key, tuple[int, ...]] = {**state.zones, **read_deal(program, fields)}
    placed = {card for key, cards in zones.items() if key != (DECK,) for card in cards}
    if (DECK,) not in read_deal(program, fields):
        zones[(DECK,)] = tuple(x for x in state.cards(DECK) if x not in placed)
    return state.but(zones=zones, bound=bound)


def _moved(ruleset: Ruleset, state: State, move: Json) -> State:
    try:
        return interpret.apply(state, read_move(ruleset, state, move))
    except (IllegalMoveError, ValueError) as illegal:
        raise ScenarioError("example", f"the rules do not allow it: {illegal}") from None


def _value(state: State, value: c.Expr) -> Json:
    try:
        return value_json(state.program, value.type, value_in(state, value, state.bound))
    except FaultError as broken:
        raise ScenarioError("example", f"the rules fail at run time: {broken.fault.message}") from None


# ---------------------------------------------------------------------------------------- comparison


def _differences(program: c.Program, then: Mapping[str, Json], got: Mapping[str, Json]) -> Iterator[str]:
    for key, expected in then.items():
        info = program.variables.get(key)
        of_sets = key in _SETS if info is None else info.type.kind in c.SETS and not info.of
        by_seat = info is not None and bool(info.of) and info.type != c.CARDS
        if key == "events":
            yield from _events(expected, got["events"])
        elif key not in got:
            yield f"nothing is called `{key}`"
        elif not _agrees(expected, got[key], by_seat, of_sets):
            yield f"expects `{key}` = {_shown(expected)}, but the rules yield {_shown(got[key])}"


_SETS = ("winners", "value")
"""What examples state that is a set if it is a list, beside variables."""


def _agrees(expected: Json, actual: Json, by_seat: bool = False, is_set: bool = False) -> bool:
    """Whether a value is as the example says; `any` matches everything, and sets and cards have no order but by seat."""
    if expected == "any":
        return True
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        words = all(isinstance(x, str) for x in (*expected, *actual))
        if is_set or (words and not by_seat):
            return not Counter(x for x in expected if x != "any") - Counter(actual)
        return all(_agrees(x, z, by_seat) for x, z in zip(expected, actual, strict=True))
    return isinstance(expected, bool) is isinstance(actual, bool) and bool(expected == actual)


def _events(expected: Json, actual: list[dict[str, Json]]) -> Iterator[str]:
    """Each expected event must occur, in order, with the fields that it states."""
    index = 0
    if not isinstance(expected, list):
        raise ScenarioError("example", f"`events` in `then` is a list, found {_shown(expected)}")
    for event in expected:
        if not isinstance(event, Mapping) or "event" not in event:
            raise ScenarioError("example", f"an event in `then` needs `event:`, found {_shown(event)}")
        position = next((i for i in range(index, len(actual)) if _matches(event, actual[i])), None)
        if position is None:
            alike = [h for h in actual if h["event"] == event.get("event")]
            listed = " and ".join(map(_shown, alike)) if alike else "none"
            yield f"expects {_shown(event)}, but the rules yield {listed}"
            return
        index = position + 1


def _matches(expected: Mapping[str, Json], event: Mapping[str, Json]) -> bool:
    return all(
        key in event and _agrees(value, event[key], is_set=key in _SETS) for key, value in expected.items()
    )


def _shown(value: Json) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    if isinstance(value, Mapping):
        head = f"{value['event']} " if "event" in value else ""
        return head + ", ".join(f"{k} {_shown(v)}" for k, v in value.items() if k != "event")
    if value is None or isinstance(value, bool):
        return "nothing" if value is None else str(value).lower()
    return str(value)
