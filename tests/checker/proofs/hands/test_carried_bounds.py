"""Numbers that grow or fall from deal to deal stay within bounds that every deal preserves, and no others."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import found, house
from trickproof.check_runner.certificates import certificate
from trickproof.checking.verdict import Verdict
from trickproof_dsl.library import Ruleset

GROWS = """\
players: {number: 3, assumes: a test}
deck: {ranks: 9 T J Q K A, suits: H S, assumes: a test}
state:
  size: {type: integer, carried: true, initial: FIRST}
rules:
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal size cards to hand of p
    assumes: a test
  end: {rule: END, assumes: a test}
  winner: {rule: players with the highest tricks, assumes: a test}
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
    return house(text, "tests/adversarial/cases/plain-two.yaml")


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
