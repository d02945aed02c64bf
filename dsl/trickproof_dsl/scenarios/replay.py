"""Scenarios: one hand as JSON, replayed by the reference interpreter.

`replay_scenario` answers as the contract says: events, state and what is asked next, or an error that names the
rule broken, cites it and lists the legal options.  With `any_order` every decision takes the first move that fits it, and
those that fit none are left (`unused`): one scenario can so be played under rules that ask in another order.  `scenario_json` and `move_json` write scenarios.
"""

from __future__ import annotations

from collections.abc import Mapping

from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, ScenarioError, event_json, variable_json
from trickproof_dsl.scenarios.moves import IllegalMoveError, fitting, read_move
from trickproof_dsl.scenarios.situation import any_order, start_scenario
from trickproof_dsl.scenarios.writing import (
    decision_json,
    fault_json,
    limit_json,
    move_json,
    scenario_json,
    state_json,
)
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.machine import apply

__all__ = ["move_json", "read_move", "replay_scenario", "scenario_json", "start_scenario"]


def replay_scenario(ruleset: Ruleset, scenario: Mapping[str, Json]) -> dict[str, Json]:
    """The answer to one scenario; never raises on a bad one."""
    index: int | None = None
    try:
        state = start_scenario(ruleset, scenario)
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
            state = apply(state, read_move(ruleset, state, moves[index]))
            unused.remove(index)
    except ScenarioError as wrong:
        return {
            "ok": False,
            "error": {"kind": wrong.kind, "move_index": index, "message": wrong.message, "legal": []},
        }
    except IllegalMoveError as wrong:
        return {"ok": False, "error": {**wrong.payload, "move_index": index}}
    except EngineLimitError as limit:
        return {"ok": False, "error": {**limit_json(limit), "move_index": index}}
    if state.fault:
        return {"ok": False, "error": {**fault_json(ruleset, state.fault), "move_index": index}}
    program = ruleset.program
    unused_moves: dict[str, Json] = {"unused": list(unused)} if free else {}
    return {
        **unused_moves,
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
