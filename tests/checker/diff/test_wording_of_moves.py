"""How a number of cards is worded is no difference, and what is said of moves and shown cards holds in every deal."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import bundled, house, rule
from trickproof.diff.results import Compared
from trickproof.diff.rule_diff import RARELY
from trickproof.diff.ruleset_diff import one_aspect
from trickproof.english.differences import ALWAYS, difference_sentence
from trickproof_dsl import render
from trickproof_dsl.library import Library, Ruleset

GAME = """\
ruleset: {name}
title: Three players, three cards each
players: {{number: 3, assumes: a test}}
deck: {{ranks: Q K A, suits: C=clubs D=diamonds H=hearts, assumes: a test}}
rules:
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal 3 cards to hand of p
    assumes: a test
  exchange-timing: {{rule: do exchange-order, assumes: a test}}
  exchange-order:
    rule: |
      {steps}
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
      for p in players:
          over of p becomes tricks of p - 1
          score of p becomes score of p + tricks of p
    assumes: a test
  end: {{rule: some player has score >= 7, assumes: a test}}
  winner: {{rule: top 1 of players by score, assumes: a test}}
  next-dealer: {{rule: left of dealer, assumes: a test}}
"""

GIVE = "for p in players with over > 0:\n          p gives {} of hand to left of p\n          left of p gives 1 card of hand to p"

SHOW = "dealer shows cards in hand of dealer with rank = ace to {}"

IF = "if {} in hand of dealer:\n          dealer shows hand of dealer to everyone"


def compared(one: str, other: str) -> Compared:
    return one_aspect(game("one", one), game("other", other), "exchange-order")


def game(name: str, steps: str) -> Ruleset:
    ruleset, wrong = Library().load_text(GAME.format(name=name, steps=steps), f"{name}.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


@pytest.mark.parametrize(
    "number", ["(if over of p = 3 then 2 else 1) cards", "(2 - 1) cards", "between 1 and 1 cards"]
)
def test_a_number_that_is_always_one_is_one_card(number: str) -> None:
    assert compared(GIVE.format("1 card"), GIVE.format(number)).status == "same"


@RUN
def test_what_is_shown_differs_where_two_cards_are_given() -> None:
    found = compared(GIVE.format("1 card"), GIVE.format("(if over of p = 2 then 2 else 1) cards"))
    assert [(way.how, way.when) for way in found.ways] == [("how many cards (give)", "two players were down")]
    assert found.parting is not None
    assert max(found.parting.answers.scenario["over"]) == 2


@RUN
@pytest.mark.parametrize(("other", "when"), [("4 cards of hand", ALWAYS), ("up to 3 cards of hand", RARELY)])
def test_how_many_cards_may_be_discarded_may_differ_where_as_many_are(other: str, when: str) -> None:
    """Of a few trumps, up to three and up to four are the same."""
    kitty = "dealer discards {}\ndealer picks-up kitty as picked-up\ndo reveal"
    rulesets = [house(rule("kitty", kitty.format(x))) for x in ("up to 4 cards of hand", other)]
    (way,) = one_aspect(*rulesets, "kitty").ways
    assert (way.how, way.when) == ("how many cards may be (discard)", when)
    said = difference_sentence(way.how, when, "one", "two")
    assert "the number of cards that may be discarded differs" in said.lower()


@RUN
@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        (SHOW.format("left of dealer"), SHOW.format("right of dealer"), "who is shown cards"),
        (SHOW.format("left of dealer"), SHOW.format("everyone"), "who is shown cards"),
        (SHOW.format("everyone"), f"left of {SHOW.format('everyone')}", "who shows cards"),
        (SHOW.format("everyone"), "nothing happens", "what may come next (show against nothing more)"),
        (IF.format("AC"), IF.format("AD"), "what is done (show)"),
    ],
    ids=["to another player", "to all", "by another player", "to nobody", "under another condition"],
)
def test_cards_that_not_every_deal_shows(one: str, other: str, how: str) -> None:
    found = compared(one, other)
    assert [way.how for way in found.ways] == [how]
    assert [way.when for way in found.ways] == ["in some deals, depending on the cards and choices"]
    assert found.direction is None


@RUN
def test_who_shows_cards_is_not_said_to_differ_in_every_deal_in_which_another_player_might() -> None:
    """The returned cards may be so high that neither player shows any."""
    shower = "if number of (players with the lowest over) = 1 then only player in players with the lowest over else dealer"
    cards = "some card back in returned(shower, giver) has (suit of c = suit of back and rank of c > rank of back)"
    reveal = (
        "for giver in players other than shower, clockwise from left of shower:\n"
        f"    shower shows cards c in picked-up with ({cards}) to giver"
    )
    changed = house(rule("shower", shower) + rule("reveal", reveal).removeprefix("rules:\n"))
    ways = one_aspect(bundled("pagat"), changed, "reveal").ways
    assert [(way.how, way.when) for way in ways][1:] == [("who shows cards", "in some other deals")]


def test_a_choice_that_depends_on_a_condition_is_compared_with_one_that_does_not() -> None:
    pass_one = "dealer gives 1 card of hand{} to left of dealer"
    back = "\n      left of dealer gives 1 card of hand to dealer"
    arms = pass_one.format(" with rank != ace"), pass_one.format("")
    either = "if AC in hand of dealer:\n          {}\n      else:\n          {}".format(*arms)
    found = compared(pass_one.format("") + back, either + back)
    assert [way.how for way in found.ways] == ["what may be chosen"]


def test_cards_that_go_to_a_hand_by_themselves_are_no_other_decision() -> None:
    """Nobody chooses under either, and it is no kitty that is taken."""
    given = "dealer discards 1 card of hand\n      {}"
    found = compared(
        given.format("put discards into hand of dealer"), given.format("dealer picks-up discards")
    )
    assert [way.how for way in found.ways] == ["which step moves cards"]


@RUN
def test_what_every_deal_shows() -> None:
    all_of_it = "dealer shows hand of dealer to {}"
    found = compared(all_of_it.format("left of dealer"), all_of_it.format("right of dealer"))
    assert [way.when for way in found.ways] == [ALWAYS]


def test_a_deal_in_which_another_rule_differs_first_words_no_difference() -> None:
    """Who shows no cards, since they are drawn, also discards another number, but by another rule."""
    (way,) = one_aspect(bundled("pagat"), bundled("two-drawn-blind"), "reveal").ways
    told = difference_sentence(way.how, way.when, "one", "two")
    assert told.endswith("at some point cards are shown under one but not under two.")
