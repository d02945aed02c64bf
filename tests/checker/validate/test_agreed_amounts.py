"""Numbers of cards to exchange that a house rule leaves open."""

from __future__ import annotations

from checker.rulesets_for_tests import LIBRARY, rule
from checker.validate.candidates_made import CAPPED, made


def test_a_cap_keeps_the_amounts_of_the_base_and_is_never_zero() -> None:
    changes = made(rule("exchange-amounts", CAPPED), "allocation-determined")
    assert "2" in {x.old for x in changes}
    assert not [x for x in changes if x.old == "2" and x.new == "0"]
    text = changes[0].repaired
    assert "giver gives smaller(2, under of taker) cards of hand to taker" in text
    assert "giver gives smaller(2, over of giver) cards of hand to taker" in text
    ruleset, problems = LIBRARY.load_text(text, "capped.yaml")
    assert ruleset is not None, problems
