"""Whether somebody deals, whatever the rules say who."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import documented, house
from trickproof.analysis.nullability import somebody_deals

NEXT_DEALER = """\
    state:
      boss: {{type: player, carried: true}}
    rules:
      scoring:
        rule: |
          for p in players:
              over of p becomes tricks of p - target of p
              if over of p > 3:
                  boss becomes p
        assumes: a test
      next-dealer: {{rule: {rule}, assumes: a test}}
    """


@pytest.mark.parametrize(
    ("rule", "somebody"),
    [
        ("if boss = none then left of dealer else boss", True),
        ("if none != boss then boss else dealer", True),
        ("leader", True),
        ("only player in (top 1 of players by over)", True),
        ("boss", False),
        ("if boss != none then dealer else boss", False),
        ("if leader = left of dealer then none else leader", False),
    ],
)
def test_a_dealer_may_be_nobody(rule: str, somebody: bool) -> None:
    assert somebody_deals(house(NEXT_DEALER.format(rule=rule)).program) == somebody


def test_a_deal_that_ends_early_need_not_have_set_the_next_dealer() -> None:
    text = """\
    rules:
      targets:
        rule: |
          if AS in kitty:
              the hand ends
        assumes: a test
      next-dealer: {rule: leader, assumes: a test}
    """
    assert not somebody_deals(house(text).program)


def test_somebody_deals_in_documented_rulesets() -> None:
    assert all(somebody_deals(documented(name).program) for name in ("pagat", "weaver-four"))
