"""Numbers that grow or fall from deal to deal stay within bounds that every deal preserves, and no others."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import LIBRARY, found
from trickproof.check_runner.certificates import certificate
from trickproof.checking.verdict import Verdict
from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.library import Ruleset

GROWS = """
ruleset: grows
title: Hands that grow
players: {number: 3, assumes: a test}
deck: {ranks: T J Q K A 9, suits: C D, assumes: a test}
state:
  size: {type: integer, carried: true, initial: FIRST}
rules:
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal size cards to hand of p
    assumes: a test
  lead: {rule: left of dealer, assumes: a test}
  follow: {rule: hand, assumes: a test}
  trick-winner:
    rule: players with the highest rank of played among players with suit of played = led
    assumes: a test
  scoring: {rule: nothing happens, assumes: a test}
  end: {rule: END, assumes: a test}
  winner: {rule: players with the highest tricks, assumes: a test}
  next-dealer: {rule: left of dealer, assumes: a test}
  between-hands:
    rule: |
      dealer becomes next-dealer
      first-hand becomes false
      size becomes size STEP
    assumes: a test
"""

NAMES = ["cards-conserved", "hand-size", "terminates"]


def grows(first: str, end: str, step: str) -> Ruleset:
    """Deals of `first` cards each, then `step` more, until `end`; four cards each are all there are."""
    text = GROWS.replace("FIRST", first).replace("END", end).replace("STEP", step)
    ruleset, wrong = LIBRARY.load_text(text, "grows.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


@pytest.mark.parametrize(
    ("first", "end", "step"),
    [("1", "size = 4", "+ 1"), ("1", "size > 3", "+ 1"), ("4", "size = 1", "- 1"), ("1", "size >= 3", "+ 2")],
)
def test_hands_that_stay_within_the_pack(first: str, end: str, step: str) -> None:
    findings = found(grows(first, end, step), NAMES, hands=10)
    assert {x.check: x.verdict for x in findings} == dict.fromkeys(NAMES, Verdict.PROVED)


@pytest.mark.parametrize(
    ("first", "end", "step"), [("1", "size = 5", "+ 1"), ("1", "size = 4", "+ 2"), ("1", "size = 40", "+ 1")]
)
def test_hands_that_outgrow_the_pack(first: str, end: str, step: str) -> None:
    """Also where the number that would end the match is passed over."""
    (finding,) = found(grows(first, end, step), ["cards-conserved"], hands=10)
    assert finding.verdict is Verdict.REFUTED, finding.message


def test_certificates_leave_out_what_rests_on_bounds() -> None:
    ruleset = grows("1", "size = 4", "+ 1")
    (first,) = certificate(ruleset, found(ruleset, ["cards-conserved"], hands=10), 10)
    assert '"roots":[]' in first
