"""`validate` as it works: the verdict is shown before fixes are tried, and what changes before deals are played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from checker.cli.console import Run, run
from checker.rulesets_for_tests import documented
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import Diff
from trickproof.reports.comparison.validation import validation_text
from trickproof.reports.text import Page
from trickproof.support.terminal import Terminal
from trickproof.validate.effects_on_play import Effects
from trickproof.validate.validation import Guarantee, Validation


def _stages() -> list[Validation]:
    """A rejected house rule as it is worked out: the verdict, then what holds of its base."""
    base, house = documented("pagat"), documented("six-over")
    flaw = Finding("hand-size", Verdict.REFUTED, Method.SMT, "Dealer starts the play with 20 cards")
    kept = Guarantee("zero-sum", "kept", Verdict.PROVED, Verdict.PROVED)
    verdict = Validation(house, base, (flaw,), (flaw,))
    return [verdict, Validation(house, base, (flaw,), (flaw,), (kept,))]


def _accepted() -> list[Validation]:
    """An accepted one: judged, compared with its base, and played."""
    judged = replace(_stages()[1], new=())
    assert judged.base is not None
    changed = (Compared("targets", "different", Method.SMT),)
    diff = Diff(judged.base, judged.ruleset, changed, ())
    played = Effects("random", 0, None, None, note="cannot be simulated")
    return [judged, judged, replace(judged, diff=diff), replace(judged, diff=diff, effects=(played,))]


def _validated(
    monkeypatch: pytest.MonkeyPatch,
    interrupted_at: int | None = None,
    stages: Callable[[], list[Validation]] = _stages,
    *options: str,
) -> Run:
    def validate_all(*given: Any) -> list[Validation]:
        tell: Callable[[int, str], object] = given[-2]
        for number, stage in enumerate(stages()):
            given[-1](stage)
            tell(0, f"six-over, stage {number}")
            if number == interrupted_at:
                raise KeyboardInterrupt
        return [stages()[-1]]

    monkeypatch.setattr("trickproof.validate.validation.validate_all", validate_all)
    return run("validate", "six-over", "--no-cache", *options)


def test_the_parts_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = _validated(monkeypatch)
    assert shown.code == 1
    assert shown.out.startswith(validation_text(_stages()[-1], page=Page(Terminal())))


@pytest.mark.parametrize(
    ("at", "missing"),
    [
        (0, "the other fixes were not tried, and what the house rule changes is not shown"),
        (1, "what the house rule changes is not shown"),
    ],
)
def test_what_is_known_when_interrupted_stays_on_the_screen(
    monkeypatch: pytest.MonkeyPatch, at: int, missing: str
) -> None:
    told = _validated(monkeypatch, at)
    assert told.out.startswith("six-over: rejected; based on pagat")
    assert "hand-size: refuted: Dealer starts the play with 20 cards" in told.out
    assert ("no fix found" in told.out) == (at == 1)
    assert told.code == 130
    assert told.err == f"interrupted (six-over, stage {at}): {missing}\n"


def test_an_interrupted_document_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    told = _validated(monkeypatch, 2, _accepted, "--json")
    assert (told.out, told.code) == ("", 130)
    assert told.err == "interrupted (six-over, stage 2): nothing that was found is shown\n"


def test_an_accepted_rule_is_on_the_screen_before_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    told = _validated(monkeypatch, 2, _accepted)
    assert told.out.startswith("six-over: accepted; based on pagat")
    assert told.code == 130
    assert told.err == "interrupted (six-over, stage 2): the effect on play is not shown\n"
    shown = _validated(monkeypatch, None, _accepted)
    assert shown.out.startswith(told.out)
    assert "effect on play, random policy: cannot be simulated" in shown.out.removeprefix(told.out)
