"""An answer of `replay` for people: the deal as played at the table, and its outcome or fault in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trickproof.english.inflection import listed
from trickproof.english.playout import pending
from trickproof.english.seats import Names, names_at_table
from trickproof.reports.played_hand import beginning, deals_before, moves_and_ending
from trickproof.reports.text import Page
from trickproof_dsl.files.model import PRELUDE_FILE
from trickproof_dsl.library import Library, Ruleset
from trickproof_dsl.scenarios.json_lines import named_ruleset, read_line, replay_given
from trickproof_dsl.scenarios.json_values import Json, ScenarioError, event_json
from trickproof_dsl.scenarios.replay import course
from trickproof_dsl.scenarios.writing import state_json


def replayed(page: Page, library: Library, line: str, ids_only: bool = False) -> tuple[bool, Sequence[str]]:
    """Whether the scenario of a line can be replayed, and the lines that show it, the first a heading."""
    try:
        ruleset, scenario = read_line(line, lambda name: named_ruleset(library, name, ids_only))
    except ScenarioError as wrong:
        lines = f"cannot be replayed: {wrong.message}".splitlines()
        return False, [part for text in lines for part in page.verbatim(text)]
    answer = replay_given(ruleset, scenario)
    match = None if "match" not in scenario else scenario["match"][: answer.get("deal")]
    return bool(answer["ok"]), list(_lines(page, ruleset, scenario, match, answer))


def _lines(
    page: Page,
    ruleset: Ruleset,
    scenario: Mapping[str, Json],
    match: Sequence[Mapping[str, Json]] | None,
    answer: Mapping[str, Any],
) -> Iterator[str]:
    after = match is not None and len(match) > 1
    where = f" (deal {answer['deal']} of the match)" if len(scenario.get("match", ())) > 1 else ""
    last = scenario if match is None else match[-1]
    states = (
        course(ruleset, scenario if match is None else {"match": match}) if isinstance(last, dict) else []
    )
    if not states:
        yield from page.wrapped(
            f"{ruleset.named}{where}: cannot be replayed: {answer['error']['message']}", hang=2
        )
        return
    yield from page.wrapped(f"{ruleset.named}{where}:", hang=2)
    if match is not None and after:
        yield from deals_before(page, ruleset, match, 2)
    dealt = state_json(states[0])
    last = {"dealer": dealt["dealer"], **last}
    if "hands" not in last and not states[0].events:  # dealt from a seed
        last |= {"hands": dealt["hands"], "kitty": dealt["kitty"]}
    yield from beginning(page, ruleset, last, 2, after)
    events = [event_json(ruleset.program, event) for event in states[-1].events]
    names = names_at_table(last, ruleset.program.players)
    yield from moves_and_ending(page, ruleset, {**answer, "events": events}, names, last, 2)
    if wrong := answer.get("error") or answer.get("between_deals"):
        yield from _why(page, ruleset, names, wrong)


def _why(page: Page, ruleset: Ruleset, names: Names, error: Mapping[str, Any]) -> Iterator[str]:
    """Where the rules fail, or what they ask for instead of the move."""
    where = error.get("where")
    if where and where["file"] != PRELUDE_FILE:
        yield from page.wrapped(f"at {where['file']}:{where['line']}:{where['column']}", "  ", 4)
    if "next" in error:
        asked = f"at this point {pending(ruleset, error['next'], names)}"
        yield from map(page.suits_coloured, page.wrapped(asked, "  ", 4))
    if "rule" in error:
        cites = f" ({listed(error['cites'])})" if error["cites"] else ""
        yield from page.wrapped(f"rule `{error['rule']}`{cites}", "  ", 4)
