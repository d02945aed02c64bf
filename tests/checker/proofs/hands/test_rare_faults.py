"""Deals so rare that play does not find them: a fault that is missed, or supposed where nothing fails, proves what is false."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import found
from trickproof.checking.verdict import Verdict
from trickproof_dsl import render
from trickproof_dsl.library import Library, Ruleset

GAME = """\
ruleset: rare
title: Three players, six cards each
players: {number: 3, assumes: a test}
deck: {ranks: 9 T J Q K A, suits: C=clubs H=hearts S=spades, assumes: a test}
state:
  helper: {type: player}
  seers: {type: players}
  gifts: {type: integer}
  bids: {type: integer, of: player}
rules:
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal 6 cards to hand of p
    assumes: a test
  lead: {rule: left of dealer, assumes: a test}
  follow:
    rule: if some card in hand has suit = led then cards in hand with suit = led else hand
    assumes: a test
  trick-winner:
    rule: players with the highest rank of played among players with suit of played = led
    assumes: a test
  rare: {rule: sum of height for hand of dealer = 4 and sum of height for hand of left of dealer = 24, assumes: a test}
  end: {rule: some player has score >= 10, assumes: a test}
  winner: {rule: top 1 of players by score, assumes: a test}
  next-dealer: {rule: left of dealer, assumes: a test}
  scoring:
    rule: |
      for p in players:
          score of p becomes score of p + tricks of p
SCORING    assumes: a test
  exchange-timing:
    rule: |
      helper becomes dealer
      gifts becomes 2
STEPS    assumes: a test
invariants:
  six-points: {rule: (sum of score for players) mod 6 = 0, assumes: a test}
"""

NO_HELPER = """\
if rare:
    helper becomes none
"""

KEY_OF_ONE = """\
for p in players with player = dealer, highest (tricks of helper) first, then clockwise from dealer:
    p shows hand of p to everyone
"""

NO_ROUNDS = """\
helper becomes none
if rare:
    dealer chooses gifts from 0 to 2
if gifts > 0:
    helper becomes left of dealer
repeat gifts times:
    helper discards 1 card of hand of dealer
for p in players other than dealer:
    repeat gifts times:
        p discards 1 card of hand
if helper = none:
    dealer discards 1 card of hand
"""

FIRST_CARD = """\
if rare and 9C in hand of dealer and 9H in hand of dealer:
    dealer chooses gifts from 0 to 1
if some card in hand of dealer has (suit = clubs or 6 div gifts >= 3):
    dealer shows hand of dealer to everyone
if gifts = 0:
    dealer discards 1 card of hand
"""

NO_CARD = """\
if rare:
    dealer chooses gifts from 0 to 1
    for p in players:
        p discards gifts cards of hand
    if some card in discards has card = only card in discards:
        dealer shows hand of dealer to everyone
    if gifts = 0:
        dealer discards 1 card of hand
"""

SHOWN_TO_NOBODY = """\
if rare:
    helper becomes none
else:
    seers becomes players
left of helper shows hand of dealer to seers
if helper = none:
    dealer discards 1 card of hand
"""

NOTHING_SHOWN = """\
left of helper shows hand of dealer to everyone
if helper = none:
    score of dealer becomes score of dealer + 1
"""

PRODUCT = """\
repeat until bids of dealer * bids of left of dealer > 3, at most 2 times:
    for p in players:
        p chooses bids of p from 0 to 2
"""


def game(steps: str, scoring: str = "", between: str = "") -> Ruleset:
    lines = ["".join(f"      {line}\n" for line in text.splitlines()) for text in (steps, scoring)]
    text = (
        GAME.replace("STEPS", lines[0])
        .replace("SCORING", lines[1])
        .replace("\ninvariants", between + "\ninvariants")
    )
    ruleset, wrong = Library().load_text(text, "rare.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


@RUN
@pytest.mark.parametrize(
    ("check", "steps", "scoring"),
    [
        pytest.param("no-fault", NO_HELPER + KEY_OF_ONE, "", id="the key of a loop's only player"),
        pytest.param("hand-size", NO_ROUNDS, "", id="who would move cards in no rounds"),
        pytest.param("hand-size", FIRST_CARD, "", id="cards after the first that suffices"),
        pytest.param("hand-size", NO_CARD, "", id="what no card is compared with"),
        pytest.param("hand-size", SHOWN_TO_NOBODY, "", id="who shows to nobody"),
        pytest.param("six-points", NO_HELPER, NOTHING_SHOWN, id="who shows nothing after the play"),
    ],
)
def test_what_fails_in_rare_deals_is_not_proved(check: str, steps: str, scoring: str) -> None:
    assert [finding.verdict is Verdict.PROVED for finding in found(game(steps, scoring), [check], 5)] == [
        False
    ]


BETWEEN = """
  between-hands:
    rule: |
      dealer becomes next-dealer
      first-hand becomes false
      helper shows AC + KC to everyone
    assumes: a test
"""


@RUN
def test_that_nobody_shows_cards_between_two_deals_is_a_fault() -> None:
    verdicts = [finding.verdict for finding in found(game(NO_HELPER, between=BETWEEN), ["no-fault"], 5)]
    assert verdicts == [Verdict.UNDECIDED]


@RUN
def test_no_check_fails_itself_where_a_loop_goes_on_until_a_product_is_large() -> None:
    of = {finding.check: finding.verdict for finding in found(game(PRODUCT), ["hand-size", "no-fault"], 5)}
    assert of == {"hand-size": Verdict.PROVED, "no-fault": Verdict.REFUTED}
