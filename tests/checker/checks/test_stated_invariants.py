"""What a ruleset claims itself: of values that the play sets, and at any time."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import found, house
from trickproof.checking.verdict import Verdict

LAST_TRICK = """\
    state:
      last-taker: {{type: player}}
      first-taker: {{type: player}}
    rules:
      after-trick:
        rule: |
          last-taker becomes leader
          if first-taker = none:
              first-taker becomes leader
        assumes: a test
    invariants:
      claimed:
        rule: {}
        assumes: a test
    """


@RUN
@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("tricks of last-taker >= 1", Verdict.PROVED),
        pytest.param("tricks of last-taker >= 2", Verdict.REFUTED, marks=pytest.mark.slow),
        pytest.param("last-taker != first-taker", Verdict.REFUTED, marks=pytest.mark.slow),
    ],
)
def test_what_is_true_after_every_trick_is_true_after_the_deal(claim: str, verdict: Verdict) -> None:
    (finding,) = found(house(LAST_TRICK.format(claim)), ["claimed"], 20)
    assert finding.verdict is verdict


AT_ANY_TIME = """\
    state:
      pot: {{type: integer, carried: true}}
      staked: {{type: integer, carried: true}}
    rules:
      match-start:
        rule: staked becomes {begins}
        assumes: a test
      scoring:
        rule: |
          for p in players:
              over of p becomes tricks of p - target of p
          pot becomes pot + 2
          staked becomes staked + {more}
        assumes: a test
    invariants:
      claimed:
        rule: {claim}
        when: always
        assumes: a test
    """


@RUN
@pytest.mark.parametrize(
    ("claim", "begins", "more", "verdict"),
    [
        ("staked = pot", 0, 2, Verdict.PROVED),
        pytest.param("staked = pot", 0, "tricks of dealer", Verdict.REFUTED, marks=RUN),
        pytest.param("staked = pot", 1, 2, Verdict.REFUTED, marks=pytest.mark.slow),
        pytest.param("staked != 17", 1, 2, Verdict.REFUTED, marks=pytest.mark.slow),
        pytest.param("staked > pot", 1, 2, Verdict.PROVED, marks=pytest.mark.slow),
        pytest.param("staked = pot or tricks of dealer = 0", 1, 2, Verdict.REFUTED, marks=pytest.mark.slow),
    ],
)
def test_what_only_the_scoring_changes_is_true_at_any_time(
    claim: str, begins: int, more: object, verdict: Verdict
) -> None:
    rules = AT_ANY_TIME.format(claim=claim, begins=begins, more=more)
    (finding,) = found(house(rules), ["claimed"], 20)
    assert finding.verdict is verdict


@RUN
@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("(sum of tricks for players) = 17", "`sum of tricks for players` is 16, not 17"),
        ("trump = hearts", "`trump = hearts` does not hold"),
        ("sum of over for players = 3", "`sum of over for players` is 0, not 3"),
    ],
)
def test_a_number_that_is_another_is_told(rule: str, told: str) -> None:
    """Players and suits are no numbers, whatever stands for them."""
    claim = f"invariants:\n  claimed:\n    rule: {rule}\n    assumes: a test\n"
    (finding,) = found(house(claim), ["claimed"], 20)
    assert finding.verdict is Verdict.REFUTED
    assert finding.message == told


NOTED = """\
    state:
      noted: {{type: integer}}
    rules:
      before-play:
        rule: |
          {}
          do exchange-timing
        assumes: a test
    invariants:
      claimed: {{rule: {}, assumes: a test}}
    """


@pytest.mark.parametrize(
    ("steps", "claim", "verdict"),
    [
        ("noted becomes 1", "noted = 1", Verdict.PROVED),
        ("noted becomes larger(over of dealer, 0)", "noted >= 0", Verdict.PROVED),
        ("dealer chooses noted from 0 to 2", "noted <= 2", Verdict.PROVED),
        pytest.param(
            "noted becomes number of (cards in hand of dealer with rank = ace)",
            "noted <= 4",
            Verdict.UNDECIDED,
            marks=RUN,
        ),
    ],
    ids=["a number", "the last deal", "a choice", "cards"],
)
def test_what_only_an_invariant_reads_is_followed_to_the_end_of_the_deal(
    steps: str, claim: str, verdict: Verdict
) -> None:
    """What it is when the deal ends was any number, and the deal that was found did not show it: the check failed."""
    (finding,) = found(house(NOTED.format(steps, claim)), ["claimed"], 5)
    assert finding.verdict is verdict
