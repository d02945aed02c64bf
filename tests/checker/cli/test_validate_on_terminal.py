"""`validate` on a terminal: the verdict on a rejected house rule is on the screen before fixes are tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from checker.cli.console import Run, run
from checker.rulesets_for_tests import documented
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.reports.comparison.validation import validation_text
from trickproof.reports.text import Page
from trickproof.support.terminal import Terminal
from trickproof.validate.validation import Guarantee, Validation

SCREEN = Terminal(interactive=True)


def _stages() -> list[Validation]:
    """A rejected house rule as it is worked out: the verdict, then what holds of its base."""
    base, house = documented("pagat"), documented("six-over")
    flaw = Finding("hand-size", Verdict.REFUTED, Method.SMT, "Dealer starts the play with 20 cards")
    kept = Guarantee("zero-sum", "kept", Verdict.PROVED, Verdict.PROVED)
    verdict = Validation(house, base, (flaw,), (flaw,))
    return [verdict, Validation(house, base, (flaw,), (flaw,), (kept,))]


def _validated(monkeypatch: pytest.MonkeyPatch, screen: Terminal, interrupted_at: int | None = None) -> Run:
    def validate_all(*given: Any) -> list[Validation]:
        tell: Callable[[int, str], object] = given[-2]
        for number, stage in enumerate(_stages()):
            given[-1](stage)
            tell(0, f"six-over, stage {number}")
            if number == interrupted_at:
                raise KeyboardInterrupt
        return [_stages()[-1]]

    monkeypatch.setattr("trickproof.validate.validation.validate_all", validate_all)
    monkeypatch.setattr("trickproof.cli.commands.validate.output", lambda: screen)
    return run("validate", "six-over", "--no-cache")


def test_the_parts_are_those_of_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, piped = (_validated(monkeypatch, screen) for screen in (SCREEN, Terminal()))
    assert shown.code == piped.code == 1
    assert shown.out == piped.out
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
    told = _validated(monkeypatch, SCREEN, at)
    assert told.out.startswith("six-over: rejected; based on pagat")
    assert "hand-size: refuted: Dealer starts the play with 20 cards" in told.out
    assert ("no fix found" in told.out) == (at == 1)
    assert told.code == 130
    assert told.err == f"interrupted (six-over, stage {at}): {missing}\n"


def test_nothing_is_printed_early_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    told = _validated(monkeypatch, Terminal(), 1)
    assert (told.out, told.err) == ("", "\ninterrupted\n")
