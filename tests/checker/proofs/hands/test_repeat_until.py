"""Tricks played until a condition holds: what is proved of them as of tricks that are counted, and of deals that stop early."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import found, house
from trickproof.checking.verdict import Verdict
from trickproof_dsl.library import Ruleset

PLAY = """\
    rules:
      play:
        rule: |
          leader becomes lead
          hand-size becomes number of hand of leader
          repeat until {condition}, at most {bound} times:
              do trick
        assumes: a test
    """

CLAIMS = ("legal-play-exists", "trick-total", "zero-sum", "no-fault", "unique-winner")


def game(condition: str, bound: int, base: str = "pagat") -> Ruleset:
    return house(PLAY.format(condition=condition, bound=bound), base)


def verdicts(ruleset: Ruleset) -> dict[str, Verdict]:
    return {finding.check: finding.verdict for finding in found(ruleset, list(CLAIMS), 20)}


@RUN
@pytest.mark.parametrize(
    ("base", "condition"),
    [
        ("pagat", "hand of leader is empty"),
        ("pagat", "number of hand of dealer = 0"),
        ("six-over", "every player has hand is empty"),
    ],
)
def test_what_is_proved_of_counted_tricks_is_proved(base: str, condition: str) -> None:
    assert verdicts(game(condition, 30, base)) == dict.fromkeys(CLAIMS, Verdict.PROVED)


UNSAID = """\
    rules:
      play:
        rule: |
          leader becomes lead
          repeat until hand of leader is empty, at most 16 times:
              do trick
        assumes: a test
    """


@RUN
def test_tricks_whose_number_no_rule_speaks_of_are_the_cards_of_a_hand() -> None:
    of = verdicts(house(UNSAID))
    assert of.pop("trick-total") is Verdict.NOT_APPLICABLE
    assert set(of.values()) == {Verdict.PROVED}


@RUN
def test_a_number_of_tricks_that_is_asked_for_and_never_set_is_nothing() -> None:
    scoring = """\
      scoring:
        rule: |
          for p in players:
              over of p becomes tricks of p - target of p + hand-size
        assumes: a test
    """
    assert verdicts(house(UNSAID.rstrip(" ") + scoring))["zero-sum"] is not Verdict.REFUTED


@RUN
def test_a_bound_that_is_too_low_is_told() -> None:
    ruleset = game("hand of leader is empty", 15)
    assert verdicts(ruleset)["legal-play-exists"] is Verdict.REFUTED


@RUN
def test_in_a_deal_that_stops_early_no_more_tricks_are_taken_than_it_has() -> None:
    of = verdicts(game("hand of leader is empty or some player has tricks >= 9", 17))
    assert of["trick-total"] is Verdict.REFUTED
    assert of["legal-play-exists"] is of["no-fault"] is of["unique-winner"] is Verdict.PROVED


@RUN
def test_a_match_that_ends_with_a_deal_that_stops_early_can_always_end() -> None:
    first_to_nine = PLAY.format(condition="hand of leader is empty or some player has tricks >= 9", bound=17)
    ending = """\
      end: {rule: some player has tricks >= 9, assumes: a test}
      winner: {rule: players with tricks >= 9, assumes: a test}
    """
    ruleset = house(first_to_nine.rstrip(" ") + ending)
    claims = ["end-always-reachable", "terminates", "unique-winner"]
    assert {finding.verdict for finding in found(ruleset, claims, 20)} == {Verdict.PROVED}
