"""Vectors as JSON, and their verification against the rules.

A vector is one line: `id`; `covers`, the goals that it shows; `scenario`, the input of `replay`; `expected`,
the answer of `replay`; `following`, the state that a complete deal leaves to the next (null if there is
none).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from trickproof.vectors.recorded_hands import Hand, carried
from trickproof_dsl.compiled.machine import apply
from trickproof_dsl.diagnostics.diagnostic import escaped
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_lines import MAX_LINE
from trickproof_dsl.scenarios.json_values import Json, ScenarioError, event_json, shown
from trickproof_dsl.scenarios.moves import IllegalMoveError, read_move
from trickproof_dsl.scenarios.replay import replay_scenario
from trickproof_dsl.scenarios.situation import start_scenario
from trickproof_dsl.scenarios.strict_json import BadJsonError, read_json
from trickproof_dsl.scenarios.writing import fault_json, move_json, scenario_json, state_json
from trickproof_dsl.semantics import machine as reference
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.state_view import StateView

Vector = dict[str, Json]
PARTS = ("id", "covers", "scenario", "expected", "following")


def written(ruleset: Ruleset, hand: Hand, refused: Json = None) -> Vector | None:
    """A deal as a vector: its scenario, with everything that follows from it.

    None if no scenario expresses the deal, the referee refuses it, or an engine reaches a limit.
    """
    try:
        return _written(ruleset, hand, refused)
    except EngineLimitError:
        return None


def _written(ruleset: Ruleset, hand: Hand, refused: Json) -> Vector | None:
    state = hand.begun(ruleset.program)
    moves = []
    for choice in hand.choices:
        assert state.decision is not None
        moves.append(move_json(ruleset.program, state.decision, choice))
        state = apply(state, choice)
    if refused is not None:
        moves.append(refused)
    scenario = scenario_json(ruleset, state, hand.carried, moves)
    if state.chance.shuffles != 1 or (state.fault is not None and state.fault.kind == "deck-empty"):
        if hand.chance.given is not None:
            return None
        scenario = {key: x for key, x in scenario.items() if key not in ("hands", "kitty", "zones")}
        scenario["seed"] = hand.chance.seed
    vector = answered(ruleset, _plain(scenario))
    return vector if _same(ruleset, vector["expected"], state, refused) else None


def answered(ruleset: Ruleset, scenario: Mapping[str, Json]) -> Vector:
    """The results of a scenario: the answer of `replay`, and the state that the deal leaves to the next."""
    expected = replay_scenario(ruleset, scenario)
    return {
        "scenario": scenario,
        "expected": _plain(expected),
        "following": _following(ruleset, scenario, expected),
    }


def _same(ruleset: Ruleset, expected: Json, state: StateView, refused: Json) -> bool:
    """Whether the answer describes exactly the deal that was played."""
    if refused is not None:
        return not expected["ok"] and expected["error"].get("move_index") is not None
    if state.fault is not None:
        fault = fault_json(state.fault)
        return not expected["ok"] and expected["error"]["message"] == fault["message"]
    events = _plain([event_json(ruleset.program, event) for event in state.events])
    return bool(
        expected["ok"] and expected["events"] == events and expected["state"] == _plain(state_json(state))
    )


def _following(ruleset: Ruleset, scenario: Mapping[str, Json], expected: Json) -> Json:
    """The initial state of the next deal, in scenario format."""
    if not expected["ok"] or expected["next"] is not None or expected["state"]["match_over"]:
        return None
    try:
        state = start_scenario(ruleset, scenario)
        for move in scenario["moves"]:
            state = reference.apply(state, read_move(ruleset, state, move))
    except (ScenarioError, IllegalMoveError, EngineLimitError, ValueError):
        return None
    after = reference.between_hands(state)
    if after.fault is not None:
        return {"error": fault_json(after.fault)["kind"]}
    if after.match_over:
        return None
    situation = scenario_json(ruleset, after, carried(after.variables, ruleset.program), [])
    apart = ("ruleset", "params", "readings", "hands", "kitty", "zones", "moves")
    return _plain({key: value for key, value in situation.items() if key not in apart})


def _plain(value: Json) -> Json:
    """The value after a JSON round trip."""
    return json.loads(json.dumps(value))


# ----------------------------------------------------------------------------------------- verification


class NoVectorError(Exception):
    """Why a line is not a valid vector."""


def read(line: str) -> Vector:
    """Parse a vector from its line. Raises NoVectorError."""
    if len(line) > MAX_LINE:
        raise NoVectorError(f"it is longer than {MAX_LINE} characters")
    try:
        vector = read_json(line)
    except BadJsonError as wrong:
        raise NoVectorError(f"it is not JSON ({wrong.reason})") from None
    if not isinstance(vector, dict) or not isinstance(vector.get("scenario"), dict):
        raise NoVectorError("it has no `scenario`")
    if not isinstance(vector.get("expected"), dict):
        raise NoVectorError("it has no `expected`")
    if not isinstance(vector["scenario"].get("ruleset"), str):
        raise NoVectorError("its scenario names no `ruleset`")
    return vector


def differences(ruleset: Ruleset, vector: Vector, other: bool = False) -> list[str]:
    """How the rules' answers differ from the vector, one line each; `other` allows a different ruleset name."""
    now = answered(ruleset, vector["scenario"])
    parts = [("expected", now["expected"], vector["expected"])]
    if "following" in vector:
        parts.append(("following", now["following"], vector["following"]))
    apart = ("expected.ruleset",) if other else ()
    return [line for name, a, b in parts for line in _unlike(name, a, b, apart)]


LONGEST = 60
"""Maximum number of characters of a value in a difference."""


def _unlike(name: str, now: Json, then: Json, apart: Sequence[str]) -> Iterator[str]:
    if now == then or name in apart:
        return
    if name == "expected" and now.get("ok") != then.get("ok"):
        yield f"the scenario is {_outcome(now)}; the vector says that it is {_outcome(then)}"
        return
    if isinstance(now, dict) and isinstance(then, dict):
        for key in sorted(now.keys() | then.keys()):
            if key not in then or key not in now:
                yield f"{name}.{shown(key)} is {'new' if key in now else 'missing'}"
            else:
                yield from _unlike(f"{name}.{shown(key)}", now[key], then[key], apart)
    elif isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        for i, (a, b) in enumerate(zip(now, then, strict=True)):
            yield from _unlike(f"{name}[{i}]", a, b, apart)
    else:
        yield f"{name} is {_short(now)}, the vector says {_short(then)}"


def _outcome(answer: Mapping[str, Json]) -> str:
    if answer.get("ok"):
        return "accepted"
    wrong = answer.get("error")
    return f"refused ({_clipped(str(wrong.get('message')))})" if isinstance(wrong, dict) else "refused"


def _short(value: Json) -> str:
    return _clipped(json.dumps(value, sort_keys=True, ensure_ascii=False))


def _clipped(text: str) -> str:
    text = escaped(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
