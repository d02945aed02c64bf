"""One scenario under two rulesets: what the compiled form finds is shown only as the reference confirms it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checker.rulesets_for_tests import documented, house
from trickproof.checking.verdict import DisagreementError
from trickproof.diff.witnesses.paired_replay import (
    Answers,
    confirmed,
    shared_script,
    tried,
    with_next_hand,
)
from trickproof_dsl.semantics import expressions

BASE = documented("pagat")
OTHERS = {
    "in the deal": house("rules: {payout: {rule: nothing happens, assumes: a test}}"),
    "in the next deal": house("rules: {next-dealer: {rule: right of dealer, assumes: a test}}"),
}


def found(where: str) -> Answers:
    start = {"ruleset": "pagat", "first_hand": True, "dealer": 0, "seed": 1}
    script = shared_script(BASE, OTHERS[where], start)
    assert script is not None
    answered = tried(BASE, OTHERS[where], script)
    assert answered is not None
    if where == "in the next deal":
        answered = with_next_hand(BASE, OTHERS[where], answered)
    assert answered is not None
    return answered


@pytest.mark.parametrize("where", OTHERS)
def test_what_was_tried_is_confirmed(where: str) -> None:
    answered = found(where)
    assert confirmed(BASE, OTHERS[where], answered) == answered
    assert (answered.later is None) == (where == "in the deal")


@pytest.mark.parametrize("where", OTHERS)
def test_another_answer_of_the_reference_is_a_bug(where: str) -> None:
    answered = found(where)
    wrong = replace(answered, b=answered.a) if answered.later is None else replace(answered, later=({}, {}))
    with pytest.raises(DisagreementError):
        confirmed(BASE, OTHERS[where], wrong)


@pytest.mark.parametrize("where", OTHERS)
def test_a_reference_that_gives_up_confirms_nothing(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = found(where)
    monkeypatch.setattr(expressions, "MOST_STEPS", 1)
    assert confirmed(BASE, OTHERS[where], answered) is None
