"""Scenarios as JSON Lines in, answers as JSON Lines out, in order; errors in a line are answered, never raised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from trickproof_dsl.library import LONGEST_NAME, Library, Ruleset
from trickproof_dsl.scenarios.json_values import ScenarioError, shown
from trickproof_dsl.scenarios.replay import replay_match, replay_scenario
from trickproof_dsl.scenarios.strict_json import BadJsonError, read_json

MAX_LINE = 1_000_000
"""Maximum length of a line, in characters; longer ones are answered with an error."""


Finder = Callable[[str], tuple[Ruleset | None, str]]
"""What returns a ruleset by its name, or None and the reason."""


def replay_lines(library: Library, lines: Iterable[str], ids_only: bool = False) -> Iterator[dict[str, Any]]:
    """One answer for every line that is not blank; with `ids_only`, rulesets cannot be given by path."""
    for line in lines:
        if line.strip():
            yield replay_line(library, line, ids_only)


def replay_line(library: Library, line: str, ids_only: bool = False) -> dict[str, Any]:
    """The answer to one line: a scenario, `{"match": […]}`, or a test vector, which is answered like its scenario."""
    return answer_line(line, lambda name: named_ruleset(library, name, ids_only))


def answer_line(line: str, find: Finder) -> dict[str, Any]:
    """`replay_line` for rulesets that `find` returns by name, or None and the reason."""
    try:
        ruleset, scenario = read_line(line, find)
    except ScenarioError as wrong:
        return _error(wrong.kind, wrong.message)
    return replay_given(ruleset, scenario)


def read_line(line: str, find: Finder) -> tuple[Ruleset, dict[str, Any]]:
    """The ruleset and the scenario, or match, of one line.  Raises ScenarioError."""
    if len(line) > MAX_LINE:
        raise ScenarioError("bad-json", f"the line is longer than {MAX_LINE} characters")
    try:
        scenario = read_json(line)
    except BadJsonError as wrong:
        raise ScenarioError("bad-json", f"the line is not JSON ({wrong.reason})") from None
    if isinstance(scenario, dict) and isinstance(scenario.get("scenario"), dict):
        scenario = scenario["scenario"]
    if not isinstance(scenario, dict):
        raise ScenarioError(
            "bad-scenario", "the line is not a scenario: expected a JSON object with `ruleset`"
        )
    match = scenario.get("match")
    if match is not None and (set(scenario) - {"match"} or not isinstance(match, list) or not match):
        raise ScenarioError("bad-scenario", "`match` must be a list of scenarios, with nothing beside it")
    first = scenario if match is None else match[0]
    name = first.get("ruleset") if isinstance(first, dict) else None
    if not isinstance(name, str):
        raise ScenarioError("bad-scenario", "expected `ruleset`, the id or path of a ruleset")
    ruleset, why = find(name)
    if ruleset is None:
        raise ScenarioError("unknown-ruleset", why)
    return ruleset, scenario


def replay_given(ruleset: Ruleset, scenario: dict[str, Any]) -> dict[str, Any]:
    """The answer to a scenario or a match."""
    match = scenario.get("match")
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
    return ruleset, "\n".join("; ".join(filter(None, (one.message, one.suggestion))) for one in wrong)


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"ok": False, "error": {"kind": kind, "move_index": None, "message": message, "legal": []}}
