"""Differences that only a later deal shows, a deal by another dealer, or the steps between two deals."""

from __future__ import annotations

import re

import pytest

from budget import RUN
from checker.adapters.peer_rulesets import ROOT, loaded
from checker.rulesets_for_tests import house, rule
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import compare
from trickproof.diff.witnesses.distinguishing_hands import in_matches
from trickproof.diff.witnesses.paired_replay import BETWEEN, FAILS
from trickproof.diff.witnesses.parting import Pair
from trickproof.reports.comparison.diff import diff_text
from trickproof_dsl import render
from trickproof_dsl.library import Library, Ruleset

GAME = """\
ruleset: {name}
title: Two players, four cards each
players: {{number: 2, assumes: a test}}
deck: {{ranks: J Q K A, suits: C=clubs H=hearts, assumes: a test}}
state:
  deals: {{type: integer, carried: true}}
rules:
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal 4 cards to hand of p
    assumes: a test
  lead: {{rule: left of dealer, assumes: a test}}
  follow:
    rule: if some card in hand has suit = led then cards in hand with suit = led else hand
    assumes: a test
  trick-winner:
    rule: players with the highest rank of played among players with suit of played = led
    assumes: a test
  scoring:
    rule: |
      deals becomes deals + 1
      for p in players:
          score of p becomes score of p + {points}
    assumes: a test
  end: {{rule: {end}, assumes: a test}}
  winner: {{rule: top 1 of players by score, assumes: a test}}
  next-dealer: {{rule: {next}, assumes: a test}}
"""

PLAIN = {"points": "tricks of p", "end": "deals = 9", "next": "left of dealer"}


def differing(one: dict[str, str], other: dict[str, str]) -> tuple[Compared, str]:
    """What differs between two games, and what is said about it."""
    found = compare(game("one", **one), game("other", **other))
    (compared,) = (x for x in found.every if x.status != "same")
    assert compared.status == "different"
    return compared, diff_text(found)


def game(name: str, **rules: str) -> Ruleset:
    ruleset, wrong = Library().load_text(GAME.format(name=name, **rules), f"{name}.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


@RUN
def test_the_ninth_deal() -> None:
    compared, _ = differing(PLAIN, {**PLAIN, "points": "tricks of p * (if deals = 9 then 2 else 1)"})
    assert compared.parting is not None
    assert compared.parting.deals_before is not None
    assert len(compared.parting.deals_before) == 8


def test_a_deal_by_the_other_dealer() -> None:
    """After three deals some player has six points anyway; only the other dealer's deal can bring them earlier."""
    compared, _ = differing({**PLAIN, "end": "some player has score >= 6"}, {**PLAIN, "end": "deals = 3"})
    assert compared.parting is not None
    assert compared.parting.answers.scenario["dealer"] == 1


@pytest.mark.parametrize(
    "rule",
    [
        "only player in players with the lowest tricks",
        "if only player in players with the lowest tricks = dealer then left of dealer else left of dealer",
    ],
    ids=["the fewest tricks deal", "the same player deals"],
)
def test_rules_that_fail_between_two_deals(rule: str) -> None:
    compared, text = differing(PLAIN, {**PLAIN, "next": rule})
    words = " ".join(text.split())
    assert "A rule fails between deals under" in words
    shown = [way.parting.answers.later for way in compared.ways if way.parting is not None]
    told = [[event["event"] for event in side.get(BETWEEN, [])] for both in shown if both for side in both]
    assert [FAILS] in told


def test_the_next_dealer_is_named_by_their_seat() -> None:
    _, text = differing(PLAIN, {**PLAIN, "next": "dealer"})
    assert re.search("≠ the next deal: Other deals .*the next deal: Dealer deals", text)


@RUN
def test_what_is_seen_only_where_players_bid_well() -> None:
    """In spades nobody ever has 300 points where bids are made at random."""
    a = loaded(ROOT / "rulesets/games/spades.yaml")
    b = house(rule("end", "some player has score >= 300"), base="spades")
    readings = dict.fromkeys(a.program.readings, 0), dict.fromkeys(b.program.readings, 0)
    parting = in_matches(Pair(a, b, a, b, a, readings), {})
    assert parting is not None
    assert parting.deals_before
    assert [x["state"]["match_over"] for x in (parting.answers.a, parting.answers.b)] == [False, True]
