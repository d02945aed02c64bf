"""A deal step by step, for the deal viewer of a page.

A lane is a deal under one ruleset; a deal that shows a difference has two, in step. The page embeds the
viewer's data as JSON, and as a list of sentences for readers without scripts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trickproof.english.playout import event_text, opening, verbs_of
from trickproof.english.seats import Names, names_at_table, with_names
from trickproof.reports.site.governing_rules import announced, announcing, governing
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, event_json, variable_json
from trickproof_dsl.scenarios.replay import course, replay_match, replay_scenario
from trickproof_dsl.scenarios.writing import state_json
from trickproof_dsl.semantics.state import State


@dataclass(frozen=True, slots=True)
class Step:
    """A snapshot of the table: what has just happened, each seat's cards (separated by spaces) and tricks.

    `rules` govern what has just happened: the rule that limited the move, and those that were carried out.
    """

    says: tuple[str, ...]
    hands: tuple[str, ...]
    kitty: str
    trick: tuple[tuple[str, str], ...]
    tricks: tuple[int, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lane:
    """A deal under one ruleset; `targets` is empty if it has none, `ends` says why it goes no further."""

    ruleset: str
    seats: tuple[str, ...]
    targets: tuple[int, ...]
    steps: tuple[Step, ...]
    ends: str


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal for the viewer; `mark` is the step to highlight: a violation, or a divergence."""

    id: str
    title: str
    lanes: tuple[Lane, ...]
    mark: int
    scenario: Json


def deal_of(id: str, title: str, ruleset: Ruleset, scenario: Json) -> Deal | None:
    """A scenario, or the last deal of a match, marked at its last step. None if it cannot be replayed."""
    lane = _lane(ruleset, scenario)
    return None if lane is None else Deal(id, title, (lane,), len(lane.steps) - 1, scenario)


def difference(id: str, title: str, a: Ruleset, b: Ruleset, scenario: Json) -> Deal | None:
    """A scenario under two rulesets. None if either cannot replay it."""
    return side_by_side(id, title, [a, b], scenario)


def side_by_side(id: str, title: str, rulesets: Sequence[Ruleset], scenario: Json) -> Deal | None:
    """A scenario under several rulesets, marked at the first divergence.

    None if any of them cannot replay it.
    """
    lanes = [_lane(ruleset, {**scenario, "ruleset": ruleset.named}) for ruleset in rulesets]
    whole = [lane for lane in lanes if lane is not None]
    if len(whole) < len(lanes):
        return None
    shortest = min(len(lane.steps) for lane in whole)
    apart = (i for i in range(shortest) if any(lane.steps[i] != whole[0].steps[i] for lane in whole))
    return Deal(id, title, tuple(whole), next(apart, shortest - 1), scenario)


def _lane(ruleset: Ruleset, scenario: Json) -> Lane | None:
    states = course(announcing(ruleset), scenario)
    if not states:
        return None
    program, last = ruleset.program, scenario.get("match", [scenario])[-1]
    names = names_at_table(last, program.players)
    dealer = last.get("dealer")
    first = dealer if isinstance(dealer, int) else 0
    order = [(first + seat) % program.players for seat in range(program.players)]
    steps: list[Step] = []
    told = 0
    for before, state in zip([None, *states], states, strict=False):
        answered, earlier = (None, 0) if before is None else (before.decision, len(before.events))
        rules = governing(ruleset, answered, state.events[earlier:])
        events = [event_json(program, event) for event in state.events if announced(event) is None]
        says = tuple(event_text(event, verbs_of(ruleset), names) for event in events[told:])
        begins = opening(last, names) if before is None else ""
        says = (begins, *says) if begins else says
        steps.append(_step(state, says, _trick(events, names), rules, order))
        told = len(events)
    answer = (
        replay_match(ruleset, scenario["match"]) if "match" in scenario else replay_scenario(ruleset, last)
    )
    ends = "" if answer["ok"] else with_names(answer["error"]["message"], names)
    targets = _by_seat(states[-1], "target", order)
    targets = targets if any(targets) else ()
    return Lane(ruleset.id, tuple(names.player(p) for p in order), targets, tuple(steps), ends)


def _step(
    state: State,
    says: tuple[str, ...],
    trick: tuple[tuple[str, str], ...],
    rules: tuple[str, ...],
    order: Sequence[int],
) -> Step:
    table = state_json(state)
    hands = tuple(" ".join(table["hands"][player]) for player in order)
    return Step(says, hands, " ".join(table["kitty"]), trick, _by_seat(state, "tricks", order), rules)


def _trick(events: Sequence[Mapping[str, Json]], names: Names) -> tuple[tuple[str, str], ...]:
    """The cards of the current trick with their players; a trick that has just been won is still shown."""
    cards: list[tuple[str, str]] = []
    over = False
    for event in events:
        if event["event"] == "play":
            cards = [*([] if over else cards), (names.player(event["player"]), event["card"])]
            over = False
        elif event["event"] == "trick":
            over = True
    return tuple(cards)


def _by_seat(state: State, name: str, order: Sequence[int]) -> tuple[int, ...]:
    """One number per player, or none if the game does not have them."""
    if name not in state.program.variables:
        return ()
    values = variable_json(state.program, name, state.variables)
    if not isinstance(values, list) or not all(isinstance(value, int) for value in values):
        return ()
    return tuple(values[player] for player in order)
