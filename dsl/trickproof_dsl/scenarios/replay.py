"""Scenarios: one hand as JSON, or a match as a list of them, replayed by the reference interpreter.

`replay_scenario` returns the published answer format: events, state and the next decision, or an error that
names the rule that was broken, its citations and the legal options.  With `any_order` every decision takes
the first move that fits, and the remaining ones are listed (`unused`), so that one scenario can be played
under rules that ask in another order.  If the rules fail between a complete deal and the next, the answer says so too.  `course` gives the intermediate states.  `scenario_json` and
`move_json` write scenarios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, ScenarioError, event_json, variable_json
from trickproof_dsl.scenarios.moves import IllegalMoveError, fitting, read_move
from trickproof_dsl.scenarios.situation import Machine, S, any_order, begin_deal, start_in, start_scenario
from trickproof_dsl.scenarios.writing import (
    decision_json,
    fault_json,
    limit_json,
    move_json,
    scenario_json,
    state_json,
)
from trickproof_dsl.semantics import machine as reference
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.machine import between_hands
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.state_view import StateView

__all__ = [
    "course",
    "move_json",
    "read_move",
    "replay_deals",
    "replay_match",
    "replay_scenario",
    "scenario_json",
    "start_scenario",
]


def replay_scenario(ruleset: Ruleset, scenario: Mapping[str, Json]) -> dict[str, Json]:
    """The answer to one scenario; never raises on an invalid one."""
    answer, state = _replay(reference, ruleset, scenario, partial(start_scenario, ruleset, scenario))
    return {**answer, **_fault_after(ruleset, state)}


def replay_in(machine: Machine[S], ruleset: Ruleset, scenario: Mapping[str, Json]) -> dict[str, Json]:
    """`replay_scenario` by one of the two that carry out scenarios."""
    return _replay(machine, ruleset, scenario, partial(start_in, machine, ruleset, scenario))[0]


def replay_match(ruleset: Ruleset, match: Sequence[Json]) -> dict[str, Json]:
    """The answer to the last deal of a match, or to the first that cannot be replayed, with its number.

    Every deal begins with what the previous one leaves; never raises on an invalid match.
    """
    answer = {"ok": False, "error": _error("bad-scenario", "a match must have a deal", None)}
    for answer in replay_deals(ruleset, match):
        if not answer["ok"]:
            break
    return answer


def replay_deals(ruleset: Ruleset, match: Sequence[Json]) -> Iterator[dict[str, Json]]:
    """The answers of `replay_match` to the match up to each of its deals."""
    before: State | None = None
    answer: dict[str, Json] = {"ok": True}
    for number, scenario in enumerate(match, 1):
        if not answer["ok"]:
            yield answer
        elif not isinstance(scenario, Mapping):
            message = f"deal {number} must be a scenario, a JSON object"
            answer = {"ok": False, "error": _error("bad-scenario", message, None), "deal": number}
            yield answer
        else:
            answer, before = _replay(
                reference, ruleset, scenario, partial(_next_deal, ruleset, scenario, before)
            )
            answer |= {"deal": number, **_fault_after(ruleset, before)}
            yield answer


def _fault_after(ruleset: Ruleset, state: State | None) -> dict[str, Json]:
    """Where the rules fail between a complete deal and the next, as `between_deals`."""
    if state is None or state.fault or not state.hand_over or state.match_over:
        return {}
    try:
        fault = between_hands(state).fault
    except EngineLimitError:
        return {}
    return {} if fault is None else {"between_deals": fault_json(fault)}


def course(ruleset: Ruleset, scenario: Mapping[str, Json]) -> list[State]:
    """The states of a scenario, or of the last deal of a `match`: at first and after each replayable move."""
    states: list[State] = []
    if "match" not in scenario:
        _replay(reference, ruleset, scenario, partial(start_scenario, ruleset, scenario), states.append)
        return states
    before: State | None = None
    for deal in scenario["match"]:
        states = []
        _, before = _replay(
            reference, ruleset, deal, partial(_next_deal, ruleset, deal, before), states.append
        )
    return states


def _next_deal(ruleset: Ruleset, scenario: Mapping[str, Json], before: State | None) -> State:
    return begin_deal(ruleset, scenario, before)[1]


def _replay(
    machine: Machine[S],
    ruleset: Ruleset,
    scenario: Mapping[str, Json],
    begins: Callable[[], S],
    watch: Callable[[S], None] = lambda state: None,
) -> tuple[dict[str, Json], S | None]:
    """The answer to a scenario for the deal returned by `begins`, and the resulting state, if there is one."""
    index: int | None = None
    try:
        state = begins()
        watch(state)
        moves = scenario.get("moves", [])
        if not isinstance(moves, list):
            raise ScenarioError("bad-scenario", "`moves` must be a list")
        free, unused = any_order(scenario), list(range(len(moves)))
        while unused and not state.fault:
            index = unused[0]
            if free:
                fits = fitting(ruleset, state, moves, unused)
                if fits is None:
                    break
                index = fits
            state = machine.apply(state, read_move(ruleset, state, moves[index]))
            watch(state)
            unused.remove(index)
    except ScenarioError as wrong:
        return {"ok": False, "error": _error(wrong.kind, wrong.message, index)}, None
    except IllegalMoveError as wrong:
        return {"ok": False, "error": {**wrong.payload, "move_index": index}}, None
    except EngineLimitError as limit:
        return {"ok": False, "error": {**limit_json(limit), "move_index": index}}, None
    if state.fault:
        return {"ok": False, "error": {**fault_json(state.fault), "move_index": index}}, state
    unused_moves: dict[str, Json] = {"unused": list(unused)} if free else {}
    return {**unused_moves, **_answer(ruleset, state)}, state


def _error(kind: str, message: str, index: int | None) -> dict[str, Json]:
    return {"kind": kind, "move_index": index, "message": message, "legal": []}


def _answer(ruleset: Ruleset, state: StateView) -> dict[str, Json]:
    program = ruleset.program
    return {
        "ok": True,
        "ruleset": ruleset.id,
        "events": [event_json(program, e) for e in state.events],
        "state": state_json(state),
        "next": None if state.decision is None else decision_json(program, state.decision),
        "variables": {
            name: variable_json(program, name, state.variables)
            for name in sorted(program.variables)
            if "." not in name and name not in ("tricks", "over", "score", "dealer", "trump", "leader")
        },
    }
