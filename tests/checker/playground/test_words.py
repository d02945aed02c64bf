"""The rules in words in the playground: those of the rule sheet, and where the text states them."""

from __future__ import annotations

import json
from typing import Any

from trickproof.playground.tab import Tab
from trickproof.reports.rulesets.rulesheet import rulesheet
from trickproof.support.bundled import bundled_library, ruleset_folder

HOUSE = """ruleset: dealer-goes-right
extends: six-over

rules:
  next-dealer:
    rule: right of dealer
    assumes: "agreed at our table"
"""


def words(text: str) -> list[dict[str, Any]]:
    items = [json.loads(item) for item in Tab().ask(json.dumps({"do": "read", "text": text}))]
    assert [item["kind"] for item in items] == ["read", "words", "done"], items[-1]
    return list(items[1]["parts"])


def test_a_bundled_ruleset_reads_as_its_rule_sheet() -> None:
    text = (ruleset_folder() / "six-over.yaml").read_text(encoding="utf-8")
    loaded, _ = bundled_library().load("six-over")
    assert loaded is not None
    sheet = rulesheet(loaded, "md")
    parts = words(text)
    shown = [f"## {part['title']}" for part in parts if part["from"] is not None]
    headings = [line for line in sheet.splitlines() if line.startswith("## ")]
    assert len(shown) > 5
    assert [line for line in headings if line in shown] == shown


def test_a_rule_of_the_text_has_its_place_there() -> None:
    own = [part for part in words(f"# \U0001f0a1\n{HOUSE}") if part["from"] is not None]
    (part,) = own
    text = f"# \U0001f0a1\n{HOUSE}".encode("utf-16-le")[2 * part["from"] :].decode("utf-16-le")
    assert text.startswith("next-dealer")


def test_a_text_with_errors_has_no_words() -> None:
    items = [json.loads(item) for item in Tab().ask(json.dumps({"do": "read", "text": "ruleset: ["}))]
    assert [item["kind"] for item in items] == ["read", "done"]
