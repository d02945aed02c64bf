"""A deal from a seed shows a difference only if both rulesets have dealt from the same shuffles."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented, house
from trickproof.diff.ruleset_diff import compare
from trickproof.diff.witnesses.seen_apart import seen_apart

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
