"""Rules that compare ranks with that of another card, such as having to head the trick if one can."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import found, house
from trickproof.checking.verdict import Verdict

HIGHER = "cards in hand with (suit = led and rank > highest rank among trick)"
HEADS = f"""\
rules:
  follow:
    rule: |
      if some card in hand has (suit = led and rank > highest rank among trick)
      then {HIGHER}
      else if some card in hand has suit = led
      then cards in hand with suit = led
      else hand
    assumes: a test
"""
SAME = "cards in hand with rank = lowest rank among trick"
PAIRS = HEADS.replace(HIGHER, SAME).replace("(suit = led and rank > highest rank among trick)", "CONDITION")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (HEADS, Verdict.PROVED),
        (PAIRS.replace("CONDITION", "rank = lowest rank among trick"), Verdict.PROVED),
        (PAIRS.replace("CONDITION", "rank >= lowest rank among trick"), Verdict.REFUTED),
        (PAIRS.replace("CONDITION", "suit = led"), Verdict.REFUTED),
    ],
    ids=["heads-the-trick", "of-the-same-rank", "of-the-same-rank-or-higher", "of-the-same-rank-or-suit"],
)
def test_whether_a_card_can_be_played(text: str, verdict: Verdict) -> None:
    ruleset = house(text, "tests/adversarial/cases/plain-two.yaml")
    (one,) = found(ruleset, ["legal-play-exists"], hands=20)
    assert one.verdict is verdict, one.message
