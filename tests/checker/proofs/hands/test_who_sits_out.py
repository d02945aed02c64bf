"""Games in which some player takes no part in the play, as the partner of who plays alone."""

from __future__ import annotations

from checker.rulesets_for_tests import found, house
from trickproof.checking.verdict import Verdict

ABSENT = """\
players: {number: 4, assumes: a test}
deck: {ranks: 9 T J Q K A, suits: H S, assumes: a test}
state:
  absent: {type: player}
rules:
  away:
    of: player p
    rule: p = absent
    assumes: a test
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal 3 cards to hand of p
    assumes: a test
  targets:
    rule: |
      dealer chooses absent from players or none with absent != dealer
    assumes: a test
  lead: {rule: dealer, assumes: a test}
  others-play:
    rule: |
      for p in players other than leader with (not away), clockwise from leader:
          p plays 1 card of follow of p as played of p
    assumes: a test
  trick-winner:
    rule: |
      players with the highest rank of played
          among players with (played != none and suit of played = led)
    assumes: a test
  end: {rule: some player has tricks = 3, assumes: a test}
  winner: {rule: players with the highest tricks, assumes: a test}
invariants:
  who-is-absent-takes-nothing: {rule: (absent = none) or tricks of absent = 0, when: hand-ends, assumes: a test}
"""

NAMES = ["no-fault", "hand-size", "legal-play-exists", "trick-total", "one-trick-winner", "terminates"]
NOTHING = "who-is-absent-takes-nothing"


def findings(text: str) -> dict[str, Verdict]:
    """The verdicts on the game with these rules."""
    ruleset = house(text, "tests/adversarial/cases/plain-two.yaml")
    return {x.check: x.verdict for x in found(ruleset, [*NAMES, NOTHING], hands=10)}


def test_what_holds_of_those_who_play() -> None:
    assert findings(ABSENT) == dict.fromkeys([*NAMES, NOTHING], Verdict.PROVED)


def test_the_leader_may_be_absent() -> None:
    """Then he has no fewer cards than the others, but plays none after his first."""
    verdicts = findings(ABSENT.replace("with absent != dealer", "with true"))
    assert verdicts[NOTHING] is Verdict.REFUTED
    assert verdicts["no-fault"] is not Verdict.REFUTED
