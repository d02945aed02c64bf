"""Small rulesets that were, or might be, judged wrongly, with the right answers.

The oracle must find these, and so must the checks once fixed.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from adversarial.graph import Budget
from adversarial.known_causes import CASES, Case, PairCase, cases, causes, loaded, pair_cases
from adversarial.law import answer_to, gone_through, how_it_ends, judged, judged_pair
from adversarial.pairs import sided
from budget import RUN

STATES, STEPS = 3_000, 200_000

SLOW = [pytest.mark.slow]

LONGER = (
    "a-loop-nobody-comes-to",
    "aces-and-kings-apart",
    "aces-and-kings-apart-dealt-by-agreement",
    "both-aces",
    "both-hearts-one-less",
    "both-hearts-put-aside",
    "both-tricks-unscored",
    "card-turned",
    "counted-by-twos",
    "dealer-doubled",
    "dealt-again",
    "divided-by-nothing",
    "each-may-discard-one",
    "eightieth-value",
    "fewer-cards-agreed",
    "gathered-once-scored",
    "half-the-deck",
    "hearts-all-taken",
    "hearts-in-the-kitty",
    "high-stake-chosen",
    "kitty-dealt-once-more",
    "kitty-drawn-out-for-one",
    "kitty-for-a-hand",
    "kitty-not-drawn-out",
    "led-by-an-ace",
    "many-points-in-the-kitty",
    "most-over-deals",
    "never-a-third-hand",
    "next-card-of-the-deck",
    "nobody-says-when",
    "one-card-agreed",
    "one-less-when-dealt-again",
    "one-less-when-level",
    "over-after-a-trick",
    "over-before-it-begins",
    "over-once-thrown-in",
    "paid-in-the-play",
    "pair-called",
    "point-lost-before-a-fault",
    "points-in-the-kitty",
    "prize-for-nobody",
    "some-orders-end-play",
    "three-aces",
    "thrown-in-before-gathering",
    "tricks-go-round",
    "two-cards-turned",
    "two-deals-unless-thrown-in",
    "two-honours-in-the-kitty",
    "until-a-heart",
    "won-with-cards-in-hand",
)
"""Cases whose checks take a second or more: in every share of .ci/run; the oracle runs on them by default."""


def _wrong_for(cause: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(reason=causes()[cause].says, strict=True)] if cause else []


def _params(of: Sequence[Case | PairCase], of_checks: bool) -> list[object]:
    params = []
    for case in of:
        marks = SLOW if isinstance(case, Case) and case.slow else []
        name = case.name if isinstance(case, Case) else f"{case.one}-{case.other}"
        if of_checks and name in LONGER and not marks:
            marks = [RUN]
        params.append(
            pytest.param(case, id=name, marks=[*marks, *(_wrong_for(case.cause) if of_checks else [])])
        )
    return params


@pytest.mark.parametrize("case", _params(cases(), of_checks=False))
def test_the_oracle_knows(case: Case) -> None:
    truth = gone_through(loaded(case.name), STATES, STEPS)
    assert truth is not None
    assert truth.whole
    assert {check: answer_to(check, truth)[0] for check in case.truth} == case.truth
    assert case.ends in ("", how_it_ends(truth))


@pytest.mark.parametrize("case", _params(cases(), of_checks=True))
def test_the_checks_agree(case: Case) -> None:
    ruleset = loaded(case.name)
    truth = gone_through(ruleset, STATES, STEPS)
    assert truth is not None
    assert [one for one in judged(ruleset, truth) if one.wrong] == []


@pytest.mark.parametrize("case", _params(pair_cases(), of_checks=False))
def test_the_oracle_knows_what_differs(case: PairCase) -> None:
    truth = sided(loaded(case.one), loaded(case.other), Budget(STATES, STEPS))
    assert truth.whole
    assert bool(truth.seen) == case.differ


@pytest.mark.parametrize("case", _params(pair_cases(), of_checks=True))
def test_diff_agrees(case: PairCase) -> None:
    compared = judged_pair(loaded(case.one), loaded(case.other), Budget(STATES, STEPS))
    assert [one for one in compared if one.wrong] == []


def test_every_case_has_answers_and_every_cause_a_case() -> None:
    named = {case.name for case in cases()} | {
        name for pair in pair_cases() for name in (pair.one, pair.other)
    }
    there = {path.stem for path in CASES.glob("*.yaml")} - {"answers", "causes", "pairs"}
    assert sorted(there ^ named) == [], (
        "cases need an entry in answers.yaml (or pairs.yaml), and entries a case"
    )
    assert {case.cause for case in (*cases(), *pair_cases()) if case.cause} == set(causes())
