"""Bids from nothing to as many as there are cards, in hands that fall: the range is not known, only bounded."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import found, house
from trickproof.checking.verdict import Verdict
from trickproof_dsl.library import Ruleset

FALLS = """\
players: {number: 3, assumes: a test}
deck: {ranks: 9 T J Q K A, suits: H S, assumes: a test}
parameters:
  largest: 4 | 3
state:
  size: {type: integer, carried: true}
  bid: {type: integer, of: player}
rules:
  match-start: {rule: size becomes largest, assumes: a test}
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal size cards to hand of p
    assumes: a test
  targets:
    rule: |
      for p in players, clockwise from left of dealer:
          p chooses bid of p from LOW to size with (BID)
          target of p becomes bid of p
    assumes: a test
  end: {rule: size = 1, assumes: a test}
  winner: {rule: players with the highest tricks, assumes: a test}
  between-hands:
    rule: |
      dealer becomes next-dealer
      first-hand becomes false
      size becomes size - 1
    assumes: a test
invariants:
  never-right: {rule: sum of target for players != size, when: play-starts, assumes: a test}
  somebody-fails: {rule: some player has tricks != target, when: hand-ends, assumes: a test}
  never-more: {rule: size >= 1 and size <= largest, when: play-starts, assumes: a test}
"""
BARRED = "not (p = dealer and bid of p + sum of bid for (players other than p) = size)"


def falls(bid: str, low: str = "0") -> Ruleset:
    """Deals of `largest` cards each, then of one less each time; what may be bid, and at least."""
    text = FALLS.replace("BID", bid).replace("LOW", low)
    return house(text, "tests/adversarial/cases/plain-two.yaml")


def test_the_last_bid_may_not_come_out() -> None:
    """With invariants that speak of a parameter, and of the tricks beside the bids."""
    names = ["no-fault", "terminates", "never-right", "somebody-fails", "never-more"]
    findings = found(falls(BARRED), names, hands=10)
    assert {x.check: x.verdict for x in findings} == dict.fromkeys(names, Verdict.PROVED)


@pytest.mark.parametrize(
    ("bid", "low", "failed"),
    [
        ("true", "0", {"never-right", "somebody-fails"}),
        (BARRED, "2", {"no-fault"}),  # hands of one card
        ("bid of p > 0 and bid of p < size", "0", {"no-fault"}),
        ("8 div (bid of p - 1) >= -8", "0", {"no-fault"}),  # a condition that fails within the range
        ("8 div (bid of p - size) <= 8", "0", {"no-fault"}),
    ],
)
def test_what_goes_wrong_in_some_hand(bid: str, low: str, failed: set[str]) -> None:
    findings = found(falls(bid, low), ["no-fault", "never-right", "somebody-fails"], hands=10)
    assert failed <= {x.check for x in findings if x.verdict is Verdict.REFUTED}
