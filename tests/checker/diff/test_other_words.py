"""Rules in other words are the same, and rules that differ in rare cards only are different, with a deal.

Each wording was written as a card player might word the rule of the base; each near miss changes as little.
"""

from __future__ import annotations

from collections.abc import Container

import pytest

from budget import RUN
from checker.rulesets_for_tests import SESSION, documented, house
from trickproof.diff.graft import graft_of
from trickproof.diff.rule_dependencies import Texts
from trickproof.diff.rule_diff import Comparison
from trickproof.diff.ruleset_diff import compare
from trickproof.diff.side import Side
from trickproof.diff.symbolic.in_context import agree_everywhere, agree_in_context
from trickproof.diff.witnesses.parting import Pair

SAME = {
    "thirteen more for a trump": (
        "whist",
        """
rules:
  trick-winner:
    rule: players with the highest strength of played
    assumes: so
  strength:
    of: card c
    rule: if suit of c = trump then 13 + height of c else if suit of c = led then height of c else 0 - 1
    assumes: so
""",
    ),
    "more than five": (
        "six-over",
        """
rules:
  end:
    rule: some player has over > 5
    assumes: so
  winner:
    rule: players with over > 5
    assumes: so
""",
    ),
    "not none": (
        "pagat",
        """
rules:
  follow:
    rule: |
      if not (no card in hand has suit = led)
      then cards in hand with suit = led
      else hand
    assumes: so
""",
    ),
    "one more on both sides": (
        "pagat",
        """
rules:
  scoring:
    rule: |
      for p in players:
          over of p becomes tricks of p + 1 - (target of p + 1)
    assumes: so
""",
    ),
    "not everybody fewer": (
        "pagat",
        """
rules:
  end:
    rule: not (every player has tricks < 12)
    assumes: so
""",
    ),
    "asked for every player": (
        "hearts",
        """
rules:
  scoring:
    rule: |
      for p in players:
          if moon:
              if points of p = 0:
                  score of p becomes score of p + 26
          else:
              score of p becomes score of p + points of p
    assumes: so
""",
    ),
    "what always holds": (
        "pagat",
        """
rules:
  next-dealer:
    rule: if tricks of dealer >= 0 then left of dealer else dealer
    assumes: so
""",
    ),
    "not less": (
        "nine-five-two",
        """
rules:
  end:
    rule: some player p has (not (score of p < goal))
    assumes: so
""",
    ),
    "at least one": (
        "pagat",
        """
rules:
  exchange-order:
    rule: |
      for giver in players with over >= 1, highest target first, ties impossible:
          do exchange-amounts of giver
          for taker in players with 0 > over, clockwise from giver:
              do exchange-returns(giver, taker)
    assumes: so
""",
    ),
    "a condition of the loop inside it": (
        "hearts",
        """
rules:
  scoring:
    rule: |
      if some player has points > 25:
          for p in players:
              if points of p = 0:
                  score of p becomes 26 + score of p
      else:
          for p in players:
              score of p becomes points of p + score of p
    assumes: so
""",
    ),
    "questions in another order": (
        "euchre",
        """
rules:
  maker-points:
    rule: |
      if maker-tricks < 3 then 0
      else if not (maker-tricks = 5) then 1
      else if alone then 4 else 2
    assumes: so
""",
    ),
    "three cases": (
        "pagat",
        """
rules:
  payout:
    rule: |
      for p in players:
          if over of p > 0:
              payout of p becomes over of p
          else:
              if over of p < 0:
                  payout of p becomes 0 - under of p
              else:
                  payout of p becomes 0
    assumes: so
""",
    ),
    "one more than the goal": (
        "whist",
        """
rules:
  end:
    rule: some player has score + 1 > goal
    assumes: so
""",
    ),
    "whether there is one": (
        "pagat",
        """
rules:
  trick-winner:
    rule: |
      if number of (players with suit of played = trump) >= 1
      then players with the highest height of played among players with suit of played = trump
      else players with the highest height of played among players with suit of played = led
    assumes: so
""",
    ),
    "the size of the kitty": (
        "pagat",
        """
rules:
  kitty:
    rule: |
      if number of kitty = 4:
          dealer discards number of kitty cards of hand
          dealer picks-up kitty as picked-up
      do reveal
    assumes: so
""",
    ),
    "what follows from the other": (
        "pagat",
        """
rules:
  winner:
    rule: players p with (tricks of p > 11 and over of p > 3)
    assumes: so
""",
    ),
    "the same either way": (
        "pagat",
        """
rules:
  kitty:
    rule: |
      if some card in hand of dealer has rank = ace:
          dealer discards 4 cards of hand
      else:
          dealer discards 4 cards of hand
      dealer picks-up kitty as picked-up
      do reveal
    assumes: so
""",
    ),
    "bids that are all allowed": (
        "spades",
        """
rules:
  bidding:
    rule: |
      for p in players, clockwise from left of dealer:
          p chooses bid of p from 0 to 20 with bid of p <= 13
    assumes: so
""",
    ),
    "the right as the other's left": (
        "hearts",
        """
rules:
  receiver:
    of: player p
    rule: |
      if passing = to-the-left
      then left of p
      else if passing = to-the-right
      then left of opposite of p
      else left of left of p
    assumes: so
""",
    ),
    "what the others have bid": (
        "oh-hell",
        """
rules:
  barred-from:
    of: [player p, integer n]
    rule: p = dealer and cards-each = (sum of bid for players) - bid of p + n
    assumes: so
""",
    ),
    "a note that nobody reads": (
        "whist",
        """
state:
  noted: {type: integer, of: player}
rules:
  scoring:
    rule: |
      for p in players:
          noted of p becomes tricks of p
          if side-tricks of p > 6:
              score of p becomes score of p + side-tricks of p - 6
    assumes: so
""",
    ),
    "what is set to what it is": (
        "hearts",
        """
rules:
  exchange-timing:
    rule: |
      if passing = nowhere:
          dealer becomes dealer
      else:
          for p in players, simultaneously:
              p passes 3 cards of hand to receiver of p
    assumes: so
""",
    ),
    "directions in another order": (
        "hearts",
        """
rules:
  next-direction:
    rule: |
      if passing = nowhere then to-the-left
      else if passing = across then nowhere
      else if passing = to-the-left then to-the-right
      else across
    assumes: so
""",
    ),
    "growing by a sum": (
        "oh-hell",
        """
rules:
  between-hands:
    rule: |
      growing becomes growing or cards-each = 1
      cards-each becomes cards-each + (if growing then 1 else -1)
      first-hand becomes false
      dealer becomes next-dealer
    assumes: so
""",
    ),
    "exact bids by a sum": (
        "oh-hell",
        """
rules:
  scoring:
    rule: |
      for p in players:
          score of p becomes score of p + (if tricks of p = target of p then 10 + tricks of p else 0)
    assumes: so
""",
    ),
    "the moon asked twice": (
        "hearts",
        """
rules:
  scoring:
    rule: |
      for p in players:
          if moon and points of p = 0:
              score of p becomes score of p + 26
          if not moon:
              score of p becomes score of p + points of p
    assumes: so
""",
    ),
    "makers and others apart": (
        "euchre",
        """
rules:
  scoring:
    rule: |
      if maker != none:
          for p in makers:
              score of p becomes score of p + maker-points
          if maker-tricks <= 2:
              for p in players with team != team of maker:
                  score of p becomes score of p + 2
    assumes: so
""",
    ),
    "jacks by a sum": (
        "skat",
        """
rules:
  jack-height:
    of: card c
    rule: |
      1 + (if c = JH then 1 else if c = JS then 2 else if c = JC then 3 else 0)
    assumes: so
""",
    ),
    "the maker's partner by team": (
        "euchre",
        """
rules:
  sits-out:
    of: player p
    rule: |
      alone and maker != none and p != maker and team of p = team of maker
    assumes: so
""",
    ),
    "each direction by itself": (
        "hearts",
        """
rules:
  exchange-timing:
    rule: |
      if passing = to-the-left:
          for p in players, simultaneously:
              p passes 3 cards of hand to left of p
      if passing = to-the-right:
          for p in players, simultaneously:
              p passes 3 cards of hand to right of p
      if passing = across:
          for p in players, simultaneously:
              p passes 3 cards of hand to opposite of p
    assumes: so
""",
    ),
}

RARE = {
    "twelve more for a trump": (
        "pagat",
        """
rules:
  trick-winner:
    rule: players with the highest strength of played
    assumes: so
  strength:
    of: card c
    rule: if suit of c = trump then 12 + height of c else if suit of c = led then height of c else 0 - 1
    assumes: so
""",
    ),
    "a discard above low cards led": (
        "pagat",
        """
rules:
  trick-winner:
    rule: players with the highest strength of played
    assumes: so
  strength:
    of: card c
    rule: if suit of c = trump then 13 + height of c else if suit of c = led then height of c else 2
    assumes: so
""",
    ),
    "thirteen ends it": (
        "pagat",
        """
rules:
  end:
    rule: some player has tricks > 12
    assumes: so
""",
    ),
    "a lone card of the suit": (
        "pagat",
        """
rules:
  follow:
    rule: |
      if number of (cards in hand with suit = led) > 1
      then cards in hand with suit = led
      else hand
    assumes: so
""",
    ),
    "the dealer takes four aces": (
        "pagat",
        """
rules:
  payout:
    rule: |
      for p in players:
          payout of p becomes (if number of (cards in tricks-taken of p with rank = ace) = 4 and p = dealer then 2 else 1) * over of p
    assumes: so
""",
    ),
    "sixteen court cards": (
        "pagat",
        """
rules:
  kitty:
    rule: |
      if some card in hand of dealer has rank < jack:
          dealer discards 4 cards of hand
          dealer picks-up kitty as picked-up
      do reveal
    assumes: so
""",
    ),
    "none, five and eleven": (
        "pagat",
        """
rules:
  next-dealer:
    rule: if tricks of dealer = 0 and tricks of left of dealer = 5 then dealer else left of dealer
    assumes: so
""",
    ),
    "all tricks in hearts": (
        "pagat",
        """
rules:
  scoring:
    rule: |
      for p in players:
          over of p becomes (if tricks of p = 16 and trump = hearts then 9 else tricks of p - target of p)
    assumes: so
""",
    ),
    "across instead of to the right": (
        "hearts",
        """
rules:
  receiver:
    of: player p
    rule: if passing = to-the-left then left of p else opposite of p
    assumes: so
""",
    ),
    "no bid of thirteen": (
        "spades",
        """
rules:
  bidding:
    rule: |
      for p in players, clockwise from left of dealer:
          p chooses bid of p from 0 to 13 with bid of p < 13
    assumes: so
""",
    ),
    "a void": (
        "pagat",
        """
rules:
  trump:
    rule: |
      dealer chooses trump with (some card in hand has suit = trump)
    assumes: so
""",
    ),
    "one trick more to score": (
        "whist",
        """
rules:
  scoring:
    rule: |
      for p in players:
          if tricks of p + tricks of partner of p > 7:
              score of p becomes score of p + tricks of p + tricks of partner of p - 6
    assumes: so
""",
    ),
    "both low twos given": (
        "pagat",
        """
rules:
  exchange-returns:
    rule: |
      if 2C in gift(giver, taker) and 2D in gift(giver, taker):
          taker returns lowest of hand matching gift(giver, taker) to giver as returned(taker, giver)
      else:
          taker returns highest of hand matching gift(giver, taker) to giver as returned(taker, giver)
    assumes: so
""",
    ),
    "nine trumps and a void": (
        "pagat",
        """
rules:
  lead:
    rule: if number of (cards in hand of dealer with suit = trump) >= 9 and no card in hand of dealer has suit = clubs then dealer else left of dealer
    assumes: so
""",
    ),
    "the jack of diamonds": (
        "hearts",
        """
rules:
  worth:
    of: card c
    rule: if c = QS then 13 else if suit of c = hearts then 1 else if c = JD then 1 else 0
    assumes: so
""",
    ),
    "three tricks of the makers": (
        "euchre",
        """
rules:
  maker-points:
    rule: |
      if maker-tricks = 5 then (if alone then 4 else 2)
      else if maker-tricks > 3
      then 1
      else 0
    assumes: so
""",
    ),
    "nothing but queens": (
        "pagat",
        """
rules:
  may-lead:
    rule: if every card in hand has rank >= queen then cards in hand with rank >= king else hand
    assumes: so
""",
    ),
}

PROVABLE = {name: case for name, case in RARE.items() if case[0] != "euchre"}
"""Those of games whose deals do not take minutes to prove."""

QUICK = (
    "directions in another order",
    "each direction by itself",
    "exact bids by a sum",
    "growing by a sum",
    "bids that are all allowed",
    "one more than the goal",
    "not everybody fewer",
    "questions in another order",
    "the right as the other's left",
    "what the others have bid",
    "what is set to what it is",
    "whether there is one",
)
"""Those that take less than a second."""


def cases(some: dict[str, tuple[str, str]], quick: Container[str] = QUICK) -> list[object]:
    return [
        pytest.param(*some[name], id=name, marks=() if name in quick else pytest.mark.slow) for name in some
    ]


@pytest.mark.parametrize(("base", "body"), cases(SAME))
def test_other_words_are_the_same(base: str, body: str) -> None:
    found = compare(documented(base), house(body, base), session=SESSION)
    assert {one.aspect for one in found.every if one.status != "same"} == set()


def test_what_expressions_decide_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere a process would prove meanwhile how many tricks deals have, which takes half a minute in euchre."""
    base, body = SAME["the maker's partner by team"]
    monkeypatch.setattr(Side, "counted", None)
    found = compare(documented(base), house(body, base), workers=2, session=SESSION)
    assert {one.status for one in found.every} == {"same"}


@pytest.mark.parametrize(("base", "body"), cases(RARE))
def test_rare_cards_are_different(base: str, body: str) -> None:
    found = compare(documented(base), house(body, base), session=SESSION)
    assert found.different
    assert all(one.ways[0].parting is not None for one in found.different)


@RUN
@pytest.mark.parametrize(
    ("base", "body"), cases(PROVABLE, ("a lone card of the suit", "twelve more for a trump"))
)
def test_nothing_that_differs_agrees_in_context(base: str, body: str) -> None:
    a, b = documented(base), house(body, base)
    sides = (Side(Texts(one), SESSION) for one in (a, b))
    comparison = Comparison(*sides)
    for name in (rule for rule in b.own.rules if rule in a.whole.rules):
        graft = graft_of(comparison.a.texts, comparison.b.texts, (name,), comparison.muted_beside((name,)))
        pair = Pair(a, b, graft.own, graft.taken, a, ({}, {}))
        assert not agree_everywhere(pair)
        assert not agree_in_context(pair, SESSION)
