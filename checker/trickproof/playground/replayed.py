"""A pasted scenario in the tab: the reference interpreter's answer, and the deal step by step. Needs no solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trickproof.playground.texts import FILE, Texts
from trickproof.reports.site.deal_steps import deal_of
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_lines import answer_line
from trickproof_dsl.scenarios.strict_json import read_json

Item = Mapping[str, object]


def replayed(texts: Texts, request: Mapping[str, Any]) -> Iterator[Item]:
    """The interpreter's answer to a scenario, a match or a test vector under the text, whatever ruleset it names."""
    ruleset, written = texts.ruleset(request["text"]), str(request["scenario"])
    names: list[str] = []

    def found(name: str) -> tuple[Ruleset, str]:
        names.append(name)
        return ruleset, ""

    answer = answer_line(written, found)
    deal = None
    given = read_json(written) if names else {}
    scenario = given["scenario"] if isinstance(given.get("scenario"), dict) else given
    if answer["ok"] or ("match" not in scenario and answer["error"]["move_index"] is not None):
        deal = deal_of("deal-replay", f"Replayed under {ruleset.id}", ruleset, scenario)
    other = names and names[0] not in (ruleset.id, FILE)
    yield {
        "kind": "replay",
        "answer": answer,
        "note": f"The scenario names {names[0]}; it was replayed under the rules on this page."
        if other
        else "",
        "deal": deal,
    }
