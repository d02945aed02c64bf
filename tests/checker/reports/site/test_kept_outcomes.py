"""Simulations that were kept: the same as played anew, found again by what they depend on, and never believed if impossible."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checker.rulesets_for_tests import documented
from trickproof.reports.site import kept_outcomes
from trickproof.reports.site.effects import Effects, effects
from trickproof.reports.site.kept_outcomes import OUTCOMES
from trickproof.simulate.simulation import Simulation
from trickproof.simulate.statistics.outcome import Outcome

POLICIES = ("random", "greedy")


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The policies that are played from now on, with a cache of this test's own."""
    monkeypatch.setenv("TRICKPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TRICKPROOF_NO_CACHE", raising=False)
    names: list[str] = []
    usual = kept_outcomes.simulate

    def simulate(*ruleset: object, policies: list[str], **settings: object) -> Outcome:
        names.extend(policies)
        return usual(*ruleset, policies=policies, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(kept_outcomes, "simulate", simulate)
    return names


def shown(name: str = "six-over", hands: int = 300) -> Effects:
    return effects(documented(name), hands, 1, POLICIES)


def test_what_was_kept_is_what_was_played(played: list[str]) -> None:
    found = shown()
    assert played == [*POLICIES]
    assert shown() == found
    assert played == [*POLICIES]


def test_only_the_same_question_has_the_same_answer(
    played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown()
    assert shown(hands=301) != shown()
    assert shown("pagat") != shown()
    assert played == [*POLICIES] * 3
    monkeypatch.setattr(kept_outcomes, "tool", lambda: "another version")
    shown()
    assert played == [*POLICIES] * 4


def test_an_interrupted_report_goes_on_where_it_was(
    played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was played before the interruption is not played again."""
    with monkeypatch.context() as patch:

        def interrupt(self: Simulation, *_: object) -> Outcome:
            if self.request.policies == ("greedy",):
                raise KeyboardInterrupt
            return usual(self, *_)  # type: ignore[arg-type]

        usual = Simulation.play
        patch.setattr(Simulation, "play", interrupt)
        with pytest.raises(KeyboardInterrupt):
            shown()
    played.clear()
    shown()
    assert played == ["greedy"]


@pytest.mark.parametrize("change", ["totals", "fewer", "shape"])
def test_what_cannot_be_believed_is_played_anew(played: list[str], change: str) -> None:
    found = shown()
    for file in _entries():
        stored = json.loads(OUTCOMES.read(file.name) or b"")
        if change == "totals":
            stored["counts"]["totals"][0] += 1
        elif change == "fewer":
            stored["counts"]["totals"].pop()
        else:
            stored["hands"] = "many"
        OUTCOMES.write(file.name, json.dumps(stored).encode())
    assert shown() == found
    assert played == [*POLICIES] * 2


def _entries() -> list[Path]:
    folder = OUTCOMES._folder()
    assert folder is not None
    return list(folder.iterdir())
