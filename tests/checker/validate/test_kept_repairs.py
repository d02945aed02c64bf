"""Fixes that were kept: the same as found anew, and never outside the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checker.rulesets_for_tests import house, rule
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.validate.edits import Repair, replaced
from trickproof.validate.kept_repairs import FIXES, kept_repairs
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

HOUSE = house(rule("kitty", "dealer discards 5 cards of hand\ndealer picks-up kitty as picked-up"))
REFUTED = Finding("hand-size", Verdict.REFUTED, Method.SMT, "Dealer holds 15 cards")


@pytest.fixture
def tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Ruleset]:
    """The rulesets for which fixes are looked for from now on, with a cache of this test's own."""
    monkeypatch.setenv("TRICKPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TRICKPROOF_NO_CACHE", raising=False)
    return []


def fixes(tried: list[Ruleset], *findings: Finding) -> tuple[Repair, ...]:
    def find() -> list[Repair]:
        tried.append(HOUSE)
        source = HOUSE.own.source
        at = source.text.index("5 cards")
        return [replaced(Span(source, at, at + 1), "4", step=-1)]

    return kept_repairs(HOUSE, HOUSE.base, [findings], find)


def test_what_was_kept_is_what_was_found(tried: list[Ruleset]) -> None:
    first, second = fixes(tried, REFUTED), fixes(tried, REFUTED)
    assert first == second
    assert [one.repaired for one in first] == [one.repaired for one in second]
    assert len(tried) == 1


def test_other_findings_are_mended_anew(tried: list[Ruleset]) -> None:
    fixes(tried, REFUTED)
    fixes(tried)
    assert len(tried) == 2


@pytest.mark.parametrize("place", [[0, 100_000], [-1, 3], [5, 2], ["0", 1], [1]])
def test_a_place_outside_the_file_is_not_believed(tried: list[Ruleset], place: list[object]) -> None:
    found = fixes(tried, REFUTED)
    folder = FIXES._folder()
    assert folder is not None
    (file,) = folder.iterdir()
    stored = json.loads(FIXES.read(file.name) or b"")
    stored[0][4][0][0] = place
    FIXES.write(file.name, json.dumps(stored).encode())
    assert fixes(tried, REFUTED) == found
    assert len(tried) == 2
