"""A deal from a seed shows a difference only if both rulesets have dealt from the same shuffles."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented, house, rule
from trickproof.diff.ruleset_diff import compare
from trickproof.diff.witnesses.distinguishing_hands import _differ_later
from trickproof.diff.witnesses.seen_apart import seen_apart
from trickproof_dsl.playing import play_hand, random_player

SET_ASIDE = """\
    zones:
      aside: {seen-by: nobody}
    rules:
      match-start:
        rule: |
          shuffle
          deal 3 cards to aside
        assumes: a test
    """

DEALT_AGAIN = """\
    zones:
      aside: {seen-by: nobody}
    rules:
      hand:
        rule: |
          shuffle
          deal 3 cards to aside
          shuffle
          do deal
          do targets
          do before-play
          do play
          do scoring
          do payout
          announce score: over over, scores score, payouts payout
          if end:
              the match ends, won by winner
        assumes: a test
    """

DOUBLED = """\
      payout:
        rule: |
          for p in players:
              payout of p becomes 2 * over of p
        assumes: a test
    """


@RUN
@pytest.mark.parametrize("text", [SET_ASIDE, DEALT_AGAIN], ids=["before the match", "in each deal"])
def test_cards_that_nobody_sees_make_no_difference(text: str) -> None:
    own, other = documented("pagat"), house(text)
    assert not seen_apart(own, other)
    for one, two in ((own, other), (other, own)):
        assert not compare(one, two).different


@RUN
def test_what_differs_after_the_same_shuffles_is_shown() -> None:
    own, other = house(SET_ASIDE, named="aside.yaml"), house(SET_ASIDE.rstrip() + "\n" + DOUBLED)
    (different,) = compare(own, other).different
    assert different.aspect == "payout"
    (way,) = different.ways
    assert way.parting is not None
    assert "seed" in way.parting.answers.scenario


def test_a_reworded_rule_changes_nothing_of_the_next_deal() -> None:
    """The elaborator's own variables have other names in the other program, and are no difference."""
    text = """\
        repeat 1 times:
            for p in players, clockwise from left of dealer:
                deal 13 cards to hand of p
        """
    pair = [documented("hearts"), house(rule("deal", text), "hearts")]
    ends = [play_hand(ruleset, [random_player(p) for p in range(4)], 1) for ruleset in pair]
    assert ends[0].variables.keys() != ends[1].variables.keys()
    assert ends[0].events == ends[1].events
    assert not _differ_later(ends[0], ends[1])
