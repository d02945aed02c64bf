"""Matches of a house rule that were kept: the same as played anew, and never believed if impossible."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checker.rulesets_for_tests import documented
from trickproof.validate import effects_on_play
from trickproof.validate.effects_on_play import effects
from trickproof.validate.kept_effects import EFFECTS

PAIRS = [("pagat", "pagat-kitty-first"), ("weaver-four", "pagat")]
"""The second is not paired: four players and three."""


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The house rules that are played from now on, with a cache of this test's own."""
    monkeypatch.setenv("TRICKPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TRICKPROOF_NO_CACHE", raising=False)
    names: list[str] = []
    usual = effects_on_play._played

    def counted(base, house, request, workers, tell):  # type: ignore[no-untyped-def]
        names.append(house.id)
        return usual(base, house, request, workers, tell)

    monkeypatch.setattr(effects_on_play, "_played", counted)
    return names


def shown(base: str, house: str, hands: int = 60, kept: bool = True) -> str:
    """All figures as text, in which those without bounds are equal to themselves."""
    found = effects(documented(base), documented(house), hands=hands, kept=kept)
    assert found.base is not None
    return repr((found.measures, found.note, [*found.base.counts.totals]))


@pytest.mark.parametrize(("base", "house"), PAIRS)
@pytest.mark.parametrize("hands", [5, 60])
def test_what_was_kept_is_what_was_played(played: list[str], base: str, house: str, hands: int) -> None:
    """With few deals no match ends, and differences have no bounds."""
    first, second = (shown(base, house, hands) for _ in range(2))
    assert (first == second) is True
    assert played == [house]
    shown(base, house, hands + 1)
    assert (shown(base, house, hands, kept=False) == first) is True
    assert played == [house] * 3


@pytest.mark.parametrize("change", ["totals", "fewer", "differences"])
def test_what_cannot_be_believed_is_played_anew(played: list[str], change: str) -> None:
    found = shown(*PAIRS[0])
    folder = EFFECTS._folder()
    assert folder is not None
    for file in folder.iterdir():
        stored = json.loads(EFFECTS.read(file.name) or b"")
        if change == "totals":
            stored["house"]["counts"]["totals"][0] += 1
        elif change == "fewer":
            stored["base"]["counts"]["totals"].pop()
        else:
            stored["differences"] = {"tricks.0": ["many", "0", "0"]}
        EFFECTS.write(file.name, json.dumps(stored).encode())
    assert (shown(*PAIRS[0]) == found) is True
    assert len(played) == 2
