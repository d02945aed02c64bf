"""Small rulesets that were judged wrongly, or might be: the oracle has the right answers, and so have the checks once mended."""

from __future__ import annotations

import pytest

from adversarial.known_causes import CASES, Case, cases, causes
from adversarial.law import answer_to, gone_through, judged

STATES, STEPS = 3_000, 200_000


def _params(of_checks: bool) -> list[object]:
    params = []
    for case in cases():
        marks = [pytest.mark.slow] if case.slow else []
        if of_checks and case.cause:
            marks.append(pytest.mark.xfail(reason=causes()[case.cause].says, strict=True))
        params.append(pytest.param(case, id=case.name, marks=marks))
    return params


@pytest.mark.parametrize("case", _params(of_checks=False))
def test_the_oracle_knows(case: Case) -> None:
    truth = gone_through(case.ruleset(), STATES, STEPS)
    assert truth is not None
    assert truth.whole
    assert {check: answer_to(check, truth)[0] for check in case.truth} == case.truth


@pytest.mark.parametrize("case", _params(of_checks=True))
def test_the_checks_agree(case: Case) -> None:
    ruleset = case.ruleset()
    truth = gone_through(ruleset, STATES, STEPS)
    assert truth is not None
    assert [one for one in judged(ruleset, truth) if one.wrong] == []


def test_every_case_has_answers_and_every_cause_a_case() -> None:
    assert {path.stem for path in CASES.glob("*.yaml")} - {"answers", "causes"} == {
        case.name for case in cases()
    }
    assert {case.cause for case in cases() if case.cause} == set(causes())
