"""From which initial states two rulesets differ before the first trick does not depend on whether it is asked how."""

from __future__ import annotations

from typing import Any

import pytest

from budget import RUN
from checker.rulesets_for_tests import SESSION, documented, house, rule
from trickproof.diff.rule_dependencies import Texts
from trickproof.diff.rule_diff import Comparison
from trickproof.diff.ruleset_diff import compare
from trickproof.diff.side import Side
from trickproof.diff.witnesses import pre_play
from trickproof.diff.witnesses.pre_play import Case, differing

PAIRS = (
    ("six-over", "trumpet-major", False),
    ("pagat", "six-over", True),
    pytest.param("pagat-kitty-first", "tallyn", True, marks=pytest.mark.slow),
    pytest.param("gamerules", "pagat", True, marks=pytest.mark.slow),
    pytest.param("trumpet-major", "nine-five-two", True, marks=pytest.mark.slow),
    pytest.param("pagat-all-sixteen", "pagat", False, marks=pytest.mark.slow),
)


@RUN
@pytest.mark.parametrize(("a", "b", "everywhere"), PAIRS)
def test_the_same_states_whether_or_not_it_is_asked_how(a: str, b: str, everywhere: bool) -> None:
    comparison = Comparison(*(Side(Texts(documented(name)), SESSION) for name in (a, b)))
    programs = [side.texts.ruleset.program for side in (comparison.a, comparison.b)]
    begins = comparison.a.begins()[::3]
    named, unnamed = (
        list(differing(programs[0], programs[1], comparison.whole_steps, begins, somewhere=somewhere))
        for somewhere in (False, True)
    )
    assert [(x.begin, x.parameters, x.readings) for x in named] == [
        (x.begin, x.parameters, x.readings) for x in unnamed
    ]
    assert (len(named) == len(begins)) == everywhere


def test_states_alone_are_found_under_the_first_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = Comparison(*(Side(Texts(documented(name)), SESSION) for name in ("pagat", "six-over")))
    programs = [side.texts.ruleset.program for side in (comparison.a, comparison.b)]
    begins = comparison.a.begins()[::12]
    how, calls = pre_play._how, []

    def counted(*given: Any, **named: Any) -> Any:
        calls.append(given)
        return how(*given, **named)

    monkeypatch.setattr(pre_play, "_how", counted)
    found = list(differing(programs[0], programs[1], comparison.whole_steps, begins, somewhere=True))
    assert len(found) == len(begins) == len(calls)


@pytest.mark.parametrize(("others", "tried"), [((True, False, True), 2), ((True, True, True), 3)])
def test_what_does_not_hold_of_one_reading_is_not_asked_of_the_others(
    others: tuple[bool, ...], tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    certain = iter(others)
    how = "which cards"

    def answer(*_: object) -> tuple[str, bool, bool, frozenset[str]]:
        sure = next(certain)
        return how, sure, sure, frozenset()

    monkeypatch.setattr(pre_play, "_how", answer)
    case, program = Case({}, {}, {}, how, certain=True, anyway=True), documented("pagat").program
    found = pre_play._whatever(program, program, ((), ()), case, [({}, {})] * len(others))
    assert (found.whatever, found.anyway) == (all(others), all(others))
    assert len(list(certain)) == len(others) - tried


def test_a_parameter_of_the_second_ruleset_only() -> None:
    less = "dealer discards extra cards of hand\ndealer picks-up extra cards of kitty"
    extra = house("parameters:\n  extra: 4 | 3\n" + rule("kitty", less))
    statuses = {x.aspect: x.status for x in compare(documented("pagat"), extra, brief=True).every}
    assert statuses["kitty"] == "different"
