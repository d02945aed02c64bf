"""Scenarios as JSON Lines in, answers as JSON Lines out, in order; errors in a line are answered, never raised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.library import LONGEST_NAME, Library, Ruleset
from trickproof_dsl.scenarios.json_values import shown
from trickproof_dsl.scenarios.replay import replay_match, replay_scenario
from trickproof_dsl.scenarios.strict_json import BadJsonError, read_json

MAX_LINE = 1_000_000
"""Maximum length of a line, in characters; longer ones are answered with an error."""


def replay_lines(library: Library, lines: Iterable[str], ids_only: bool = False) -> Iterator[dict[str, Any]]:
    """One answer for every line that is not blank; with `ids_only`, rulesets cannot be given by path."""
    for line in lines:
        if line.strip():
            yield replay_line(library, line, ids_only)


def replay_line(library: Library, line: str, ids_only: bool = False) -> dict[str, Any]:
    """The answer to one line: a scenario, `{"match": […]}`, or a test vector, which is answered like its scenario."""
    return answer_line(line, lambda name: named_ruleset(library, name, ids_only))


def answer_line(line: str, find: Callable[[str], tuple[Ruleset | None, str]]) -> dict[str, Any]:
    """`replay_line` for rulesets that `find` returns by name, or None and the reason."""
    if len(line) > MAX_LINE:
        return _error("bad-json", f"the line is longer than {MAX_LINE} characters")
    try:
        scenario = read_json(line)
    except BadJsonError as wrong:
        return _error("bad-json", f"the line is not JSON ({wrong.reason})")
    if isinstance(scenario, dict) and isinstance(scenario.get("scenario"), dict):
        scenario = scenario["scenario"]
    if not isinstance(scenario, dict):
        return _error("bad-scenario", "the line is not a scenario: expected a JSON object with `ruleset`")
    match = scenario.get("match")
    if match is not None and (set(scenario) - {"match"} or not isinstance(match, list) or not match):
        return _error("bad-scenario", "`match` must be a list of scenarios, with nothing beside it")
    first = scenario if match is None else match[0]
    name = first.get("ruleset") if isinstance(first, dict) else None
    if not isinstance(name, str):
        return _error("bad-scenario", "expected `ruleset`, the id or path of a ruleset")
    ruleset, why = find(name)
    if ruleset is None:
        return _error("unknown-ruleset", why)
    return replay_scenario(ruleset, scenario) if match is None else replay_match(ruleset, match)


def named_ruleset(library: Library, name: str, ids_only: bool = False) -> tuple[Ruleset | None, str]:
    """The ruleset that a scenario names, or the reason why there is none.

    For a path that is not a ruleset, the reason reveals neither the content of the file nor whether it
    exists.
    """
    by_path = library.is_path(name)
    if by_path and ids_only:
        return None, f"`{shown(name)}` is a path: only the ids of rulesets are taken"
    ruleset, wrong = library.load(name)
    if ruleset is None and by_path and len(name) <= LONGEST_NAME:
        return None, f"`{shown(name)}` is not a ruleset (`trickproof check` on it says why)"
    return ruleset, render(wrong)


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"ok": False, "error": {"kind": kind, "move_index": None, "message": message, "legal": []}}
