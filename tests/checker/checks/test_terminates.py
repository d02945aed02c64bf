"""`terminates` on small games: what it answers beside what is true, which going through all matches tells.

All of them are the plain game of two players with two cards each, with some rules of their own.
"""

from __future__ import annotations

from functools import cache

import pytest

from adversarial.known_causes import CASES, LIBRARY
from adversarial.law import gone_through, how_it_ends
from budget import RUN, slow_but
from checker.rulesets_for_tests import found
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Verdict
from trickproof_dsl import render
from trickproof_dsl.library import Ruleset

COUNTED = """\
state: {{deals: {{type: integer, carried: true}}}}
rules:
  payout:
    rule: |
      for p in players:
          payout of p becomes over of p
      deals becomes deals + 1
    assumes: a test
  end: {{rule: "{end}", assumes: a test}}
  winner: {{rule: dealer, assumes: a test}}
"""
"""Deals are counted."""

ADDED = """\
rules:
  scoring:
    rule: |
      for p in players:
          over of p becomes tricks of p - target of p
          score of p becomes score of p + {points}
    assumes: a test
  end: {{rule: "{end}", assumes: a test}}
  winner: {{rule: dealer, assumes: a test}}
"""
"""Points are added up."""


def ends(rule: str, above: str = "") -> str:
    return f'{above}\nrules:\n  end: {{rule: "{rule}", assumes: a test}}\n  winner: {{rule: dealer, assumes: a test}}\n'


LEADER_WINS = """\
  trick-winner: {rule: leader, assumes: a test}
"""

TIED = """\
  next-dealer: {rule: only player in players with the highest over, assumes: a test}
"""

PRIZE = """\
  payout:
    rule: |
      for p in players:
          payout of p becomes over of p
      if some player has tricks = 2:
          announce prize: player only player in players with tricks = 1
    assumes: a test
"""

CALLED = """\
options: {bid: low | high}
state: {call: {type: bid}}
rules:
  before-play:
    rule: dealer chooses call
    assumes: a test
  end: {rule: call = high and some player has tricks = 2, assumes: a test}
"""

LATE = """\
state: {deals: {type: integer, carried: true}}
rules:
  payout:
    rule: |
      for p in players:
          payout of p becomes over of p
      if deals < 3:
          deals becomes deals + 1
    assumes: a test
  end: {rule: deals < 3 and some player has tricks = 2, assumes: a test}
"""

DEALER_STAYS = """\
  next-dealer: {rule: if over of dealer >= 0 then dealer else left of dealer, assumes: a test}
"""

ROUND_ONCE_LEVEL = """\
  trick-winner:
    rule: |
      if not first-hand and every player has over = 0 then left of leader
      else players with the highest rank of played among players with suit of played = led
    assumes: a test
  scoring:
    rule: |
      for p in players:
          over of p becomes tricks of p - target of p
    assumes: a test
"""

READ = """\
rules:
  end:
    readings:
      - {name: both, says: both tricks, rule: some player has tricks = 2}
      - {name: three, says: three tricks, rule: some player has tricks >= 3}
    assumes: a test
"""

AT_START = """\
rules:
  match-start: {rule: "the match ends, won by dealer", assumes: a test}
"""

AGREED_AT_START = """\
parameters: {length: 0 | 1}
rules:
  match-start:
    rule: |
      if length = 1:
          the match ends, won by dealer
    assumes: a test
"""

BETWEEN = """\
rules:
  between-hands: {rule: "the match ends, won by dealer", assumes: a test}
  end: {rule: some player has tricks >= 3, assumes: a test}
"""

DOWN_AND_UP = """\
state:
  height: {type: integer, carried: true, initial: 6}
  rising: {type: boolean, carried: true}
rules:
  between-hands:
    rule: |
      dealer becomes next-dealer
      first-hand becomes false
      if height = 1:
          rising becomes true
      height becomes if rising then height + 1 else height - 1
    assumes: a test
  end: {rule: rising and height = 6, assumes: a test}
  winner: {rule: dealer, assumes: a test}
"""

FLAGGED = """\
state: {done: {type: boolean, carried: true}}
rules:
  between-hands:
    rule: |
      if done:
          the match ends, won by dealer
      done becomes true
    assumes: a test
  end: {rule: some player has tricks >= 3, assumes: a test}
"""

TRUMPED = """\
rules:
  before-play: {{rule: trump becomes {trump}, assumes: a test}}
  trick-winner:
    rule: |
      if some player has suit of played = trump
      then players with the highest rank of played among players with suit of played = trump
      else players with the highest rank of played among players with suit of played = led
    assumes: a test
  scoring:
    rule: |
      for p in players:
          over of p becomes tricks of p - target of p
      {scoring}
    assumes: a test
  end: {{rule: some player has tricks = 2, assumes: a test}}
"""

TRUMPS_IN_TURN = "state: {round: {type: integer, carried: true}}\n" + TRUMPED.format(
    trump="if round = 0 then hearts else if round = 1 then spades else none",
    scoring="round becomes (round + 1) mod 3",
)

LAST_SUIT_IS_TRUMP = "state: {last: {type: suit, carried: true}}\n" + TRUMPED.format(
    trump="last", scoring="last becomes led"
)

LAST_COUNTS_TWICE = """\
  after-trick:
    rule: |
      if hand of dealer is empty and leader != dealer:
          tricks of leader becomes tricks of leader + 1
    assumes: a test
"""

PLAYED_TWICE = """\
  hand:
    rule: |
      shuffle
      do deal
      do play
      shuffle
      do deal
      do play
      if end:
          the match ends, won by winner
    assumes: a test
"""

SURELY = {
    "one deal": (ends("true"), 1),
    "before the first deal": (AT_START, 0),
    "between deals": (BETWEEN, 1),
    "between deals, later": (FLAGGED, 2),
    "three deals": (COUNTED.format(end="deals >= 3"), 3),
    "exactly three deals": (COUNTED.format(end="deals = 3"), 3),
    "twenty deals": (COUNTED.format(end="deals >= 20"), 20),
    "exactly twenty deals": (COUNTED.format(end="deals = 20"), 20),
    "down and up again": (DOWN_AND_UP, 11),
    "points add up": (ADDED.format(end="some player has score >= 7", points="tricks of p"), 7),
    "points run out": (ADDED.format(end="some player has score <= -9", points="0 - 2 * tricks of p"), 5),
    "at most four deals, or earlier": (COUNTED.format(end="deals >= 4 or some player has tricks = 2"), 4),
    "easier and easier": (COUNTED.format(end="some player has tricks >= 4 - deals"), 3),
    "as many deals as agreed": (
        "parameters: {length: 2 | 5}\n" + COUNTED.format(end="deals >= length"),
        5,
    ),
}
"""Matches that surely end, and within how many deals."""

ALMOST = {
    "both tricks": ends("some player has tricks = 2"),
    "one trick each": ends("every player has tricks = 1"),
    "a lead of three": ADDED.format(end="some player has score >= 3", points="over of p"),
    "trumps go in turn": TRUMPS_IN_TURN,
    "the suit led last is trump in the next deal": LAST_SUIT_IS_TRUMP,
    "the last trick counts twice": ends("tricks of dealer = 2") + LAST_COUNTS_TWICE,
    "played twice": ends("some player has tricks = 2") + PLAYED_TWICE,
    "only under one value at random": ends(
        "long = 0 or some player has tricks = 2", above="parameters: {long: 0 | 1}"
    ),
}
"""Matches that end almost surely, and no more."""

NO_LOOP = ("the suit led last is trump in the next deal", "played twice")
"""Those of them in which no loop is found that players could agree on."""

NEVER = {
    "no rule ends it": (ends("false"), "the match never ends"),
    "three tricks of two": (ends("some player has tricks >= 3"), "the match never ends"),
    "in the first deal only": (ends("first-hand and some player has tricks = 2"), "after 1 deal"),
    "while a carried value is small": (LATE, "after 2 deals"),
    "under one value": (
        ends("some player has tricks >= goal", above="parameters: {goal: 2 | 3}"),
        "(with `goal: 3`)",
    ),
    "under one reading": (READ, "(under `end: three`)"),
    "tricks go round where the dealer stays": (
        ends("some player has tricks = 2") + DEALER_STAYS + ROUND_ONCE_LEVEL,
        "after 1 deal",
    ),
}
"""Matches that can come to where no play ends them, and words of the answer."""

OPEN = {
    "the leader wins every trick": (
        ends("tricks of dealer = 2") + LEADER_WINS,
        "may never end",
        "",
    ),
    "a fault before the next deal": (ends("some player has tricks = 2") + TIED, "open", "`no-fault`"),
    "a fault in an announcement": (
        ends("every player has tricks = 1") + PRIZE,
        "open",
        "`no-fault`",
    ),
    "an end that must be called": (CALLED, "almost surely", ""),
    "further and further from the end": (
        ADDED.format(end="some player has score >= 3", points="2 * over of p - 1"),
        "open",
        "",
    ),
}
"""Matches of which nothing is shown: what is true, and words of the answer."""


@cache
def small(body: str) -> Ruleset:
    """The plain game with rules of its own."""
    text = f"ruleset: small\nextends: plain-two.yaml\n{body}"
    ruleset, wrong = LIBRARY.load_text(text, str(CASES / "small.yaml"))
    assert ruleset is not None, render(wrong)
    return ruleset


@pytest.fixture(autouse=True)
def _proofs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of so few cards would be played out (`proofs/matches/explicit_state`), so that nothing would be said of the proofs."""
    monkeypatch.setattr("trickproof.proofs.matches.explicit_state.MOST_CARDS", 0)


@cache
def answer(body: str) -> Finding:
    (finding,) = found(small(body), ["terminates"])
    return finding


def truth(body: str) -> str:
    gone = gone_through(small(body), 300, 100_000)
    assert gone is not None
    return how_it_ends(gone)


@pytest.mark.parametrize(
    "name", slow_but(("between deals, later", "exactly twenty deals", "down and up again"), SURELY)
)
def test_surely(name: str) -> None:
    body, deals = SURELY[name]
    finding = answer(body)
    assert finding.verdict is Verdict.PROVED, finding.message
    assert (finding.termination, finding.within_deals) == ("surely", deals)
    assert truth(body) == f"surely within {deals}"
    assert all(premise.kind == "theorem" for premise in finding.rests_on)


@RUN
@pytest.mark.parametrize("name", slow_but(("both tricks",), ALMOST))
def test_almost_surely(name: str) -> None:
    body = ALMOST[name]
    finding = answer(body)
    assert finding.verdict is Verdict.PROVED, finding.message
    assert (finding.termination, finding.within_deals) == ("almost-surely", None)
    assert truth(body) == "almost surely"
    assert {"no-fault", "legal-play-exists"} <= {premise.name for premise in finding.rests_on}
    assert (finding.loop_from is None) == (name in NO_LOOP)


@RUN
@pytest.mark.parametrize("name", slow_but(("while a carried value is small", "under one value"), NEVER))
def test_never(name: str) -> None:
    body, words = NEVER[name]
    finding = answer(body)
    assert finding.verdict is Verdict.REFUTED, finding.message
    assert (finding.termination, finding.within_deals) == (None, None)
    assert words in finding.message
    assert truth(body) == "may never end"


@RUN
@pytest.mark.parametrize(
    "name", slow_but(("the leader wins every trick", "a fault in an announcement"), OPEN)
)
def test_nothing_is_shown(name: str) -> None:
    body, true, words = OPEN[name]
    finding = answer(body)
    assert finding.verdict is Verdict.UNDECIDED, finding.message
    assert (finding.termination, finding.within_deals) == (None, None)
    assert words in finding.message
    assert truth(body) == true


@RUN
def test_the_worst_value_comes_first() -> None:
    finding = answer(ALMOST["only under one value at random"])
    assert "almost surely" in finding.message.partition(";")[0]
    assert finding.message.endswith("(with `long: 1`); with `long: 0` every match ends within 1 deal")
    slowest = answer(SURELY["as many deals as agreed"][0])
    assert slowest.message.startswith("every match ends within 5 deals")
    assert "with `length: 2` every match ends within 2 deals" in slowest.message
