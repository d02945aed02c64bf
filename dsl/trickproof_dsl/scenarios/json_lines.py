"""Scenarios as JSON Lines in, answers as JSON Lines out, in order; a bad line is answered, never fatal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.library import Library
from trickproof_dsl.scenarios.replay import replay_match, replay_scenario

MAX_LINE = 1_000_000
"""Characters of one line; longer ones are answered with an error."""


def replay_lines(library: Library, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """One answer for every line that is not blank."""
    for line in lines:
        if line.strip():
            yield replay_line(library, line)


def replay_line(library: Library, line: str) -> dict[str, Any]:
    """The answer to one line: a scenario, `{"match": […]}`, or a test vector, which is answered as the scenario in it."""
    if len(line) > MAX_LINE:
        return _error("bad-json", f"the line is longer than {MAX_LINE} characters")
    try:
        scenario = json.loads(line)
    except (ValueError, RecursionError) as wrong:
        where = f" (column {wrong.colno})" if isinstance(wrong, json.JSONDecodeError) else ""
        return _error("bad-json", f"the line is not JSON{where}")
    if isinstance(scenario, dict) and isinstance(scenario.get("scenario"), dict):
        scenario = scenario["scenario"]
    if not isinstance(scenario, dict):
        return _error("bad-scenario", "a scenario must be a JSON object")
    match = scenario.get("match")
    if match is not None and (set(scenario) - {"match"} or not isinstance(match, list) or not match):
        return _error("bad-scenario", "`match` must be a list of scenarios, with nothing beside it")
    first = scenario if match is None else match[0]
    name = first.get("ruleset") if isinstance(first, dict) else None
    if not isinstance(name, str):
        return _error("bad-scenario", "expected `ruleset`, the id or path of a ruleset")
    ruleset, wrong_ones = library.load(name)
    if ruleset is None:
        return _error("unknown-ruleset", render(wrong_ones) or f"no ruleset `{name}`")
    return replay_scenario(ruleset, scenario) if match is None else replay_match(ruleset, match)


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"ok": False, "error": {"kind": kind, "move_index": None, "message": message, "legal": []}}
