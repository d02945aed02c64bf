"""Ties left open anywhere in a match, whose outcome is carried into the order of the exchange."""

from __future__ import annotations

import pytest

from adversarial.known_causes import CASES, LIBRARY
from budget import RUN
from checker.rulesets_for_tests import found, house
from trickproof.checking.verdict import Verdict
from trickproof_dsl import render

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


@RUN
@pytest.mark.parametrize("rule", ["payout", "after-trick", "match-start"])
def test_a_tie_that_decides_the_next_exchange_is_not_settled_by_the_rules(rule: str) -> None:
    assert not verdicts(rule, "ties open") & {Verdict.PROVED, Verdict.NOT_APPLICABLE}


def test_an_order_that_says_who_is_first_of_equals_is() -> None:
    assert verdicts("payout", "then clockwise from left of dealer") == {Verdict.PROVED}


TWO = """\
ruleset: two
extends: plain-two.yaml
state:
  turn: {{type: integer, of: player, carried: true}}
  turns: {{type: integer, carried: true}}
rules:
  before-play:
    rule: |
      if not first-hand:
          for giver in players with over > 0, lowest turn first, ties impossible:
              giver gives {number} of hand to left of giver as gift(giver, left of giver)
              left of giver returns highest of hand matching gift(giver, left of giver) to giver as returned(left of giver, giver)
    assumes: a test
  targets:
    rule: |
      for p in players:
          target of p becomes {target}
    assumes: a test
  payout:
    rule: |
      turns becomes 0
      for p in players, highest tricks first, ties open:
          turns becomes turns + 1
          turn of p becomes turns
    assumes: a test
  next-dealer: {{rule: "{dealer}", assumes: a test}}
  {more}
"""

HARMLESS = {"number": "1 card", "target": "1", "dealer": "left of dealer", "more": ""}
AFTER_PLAY = """deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal (if turn of p = 1 then 1 else 2) cards to hand of p
    assumes: a test"""


@pytest.mark.parametrize(
    ("changed", "proved"),
    [
        ({}, True),
        ({"number": "(if turn of giver = 1 then 1 else 2) cards"}, False),
        ({"target": "turn of p - 1"}, False),
        ({"dealer": "if turn of dealer = 1 then dealer else left of dealer"}, False),
        ({"more": AFTER_PLAY}, False),
    ],
)
def test_a_tie_that_only_sorts_at_most_one_giver_settles_nothing(
    changed: dict[str, str], proved: bool
) -> None:
    """With two players only one has tricks over, so that their turn does not matter unless something else depends on it."""
    text = TWO.format(**{**HARMLESS, **changed})
    ruleset, problems = LIBRARY.load_text(text, str(CASES / "two.yaml"))
    assert ruleset is not None, render(problems)
    reached = {finding.verdict for finding in found(ruleset, CLAIMS, 20)}
    assert (reached == {Verdict.PROVED}) == proved
    assert proved or Verdict.PROVED not in reached
