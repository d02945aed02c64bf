"""Ties left open anywhere in a match, whose outcome is carried into the order of the exchange."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import found, house
from trickproof.checking.verdict import Verdict

TURNS = """\
    state:
      turn: {{type: integer, of: player, carried: true}}
      turns: {{type: integer, carried: true}}
    rules:
      exchange-order:
        rule: |
          for giver in players with over > 0, lowest turn first, then clockwise from left of dealer:
              do exchange-amounts of giver
              for taker in players with over < 0, clockwise from giver:
                  do exchange-returns(giver, taker)
        assumes: a test
      {rule}:
        rule: |
          turns becomes 0
          for p in players, highest tricks first, {ties}:
              turns becomes turns + 1
              turn of p becomes turns
        assumes: a test
    """

CLAIMS = ["exchange-order-determined", "allocation-determined"]


def verdicts(rule: str, ties: str) -> set[Verdict]:
    return {finding.verdict for finding in found(house(TURNS.format(rule=rule, ties=ties)), CLAIMS, 20)}


@pytest.mark.parametrize("rule", ["payout", "after-trick", "match-start"])
def test_a_tie_that_decides_the_next_exchange_is_not_settled_by_the_rules(rule: str) -> None:
    assert not verdicts(rule, "ties open") & {Verdict.PROVED, Verdict.NOT_APPLICABLE}


def test_an_order_that_says_who_is_first_of_equals_is() -> None:
    assert verdicts("payout", "then clockwise from left of dealer") == {Verdict.PROVED}
