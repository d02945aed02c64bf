"""Values that differ from case to case, in words."""

from __future__ import annotations

import pytest

from checker.english.house_rule import words_of
from trickproof.english.rules import compact

STATE = """
options:
  direction: to-the-left | across | nowhere
state:
  passing: {type: direction, carried: true, initial: nowhere}
  hands-left: {type: integer, initial: 2}
"""
RULES = """
  worth:
    of: card c
    rule: if c = QS then 13 else if suit of c = hearts then 1 else 0
    assumes: x
  price:
    of: card c
    rule: if c = QH then 13 else if suit of c = hearts then 1 else 0
    assumes: x
  distance:
    of: player p
    rule: if p = left of dealer then 1 else if p = right of dealer then 2 else 0
    assumes: x
  order:
    of: player p
    rule: if p = left of dealer then 1 else if p = leader then 2 else 0
    assumes: x
  sister:
    of: suit s
    rule: if s = clubs then spades else if s = spades then clubs else if s = hearts then diamonds else hearts
    assumes: x
  colour:
    of: card c
    rule: if suit of c = clubs then 4 else if suit of c = spades then 3 else if suit of c = hearts then 2 else 1
    assumes: x
  fee:
    of: player p
    rule: if passing = across then 4 else if passing = nowhere then 3 else tricks of p
    assumes: x
  goal:
    rule: if hands-left = 2 then (if first-hand then 4 else 2) else 1
    assumes: x
"""


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("worth", "The worth of a card: 13 for the queen of spades, 1 for a heart, otherwise 0."),
        (
            "price",
            "The price of a card: if the card is the queen of hearts, 13; "
            "otherwise, if the card is a heart, 1; otherwise 0.",
        ),
        (
            "distance",
            "The distance of a player: 1 for the player to the dealer's left, 2 for the player to the dealer's right, "
            "otherwise 0.",
        ),
        (
            "order",
            "The order of a player: if the player is the player to the dealer's left, 1; "
            "otherwise, if the player is the leader, 2; otherwise 0.",
        ),
        (
            "sister",
            "The sister of a suit: spades for clubs, clubs for spades, diamonds for hearts, and hearts for diamonds.",
        ),
        (
            "colour",
            "The colour of a card: 4 for a club, 3 for a spade, 2 for a heart, and 1 for a diamond.",
        ),
        (
            "fee",
            "The fee of a player: 4 if the passing is “across”, 3 if it is “nowhere”, otherwise the player's tricks.",
        ),
        (
            "goal",
            "The goal: if the number of hands left is 2 and it is the first deal, 4; "
            "otherwise, if the number of hands left is 2, 2; otherwise 1.",
        ),
    ],
)
def test_cases_need_no_order_if_only_one_can_apply(rule: str, words: str) -> None:
    ruleset = words_of("end", "first-hand", STATE, RULES)
    assert compact(ruleset.rule(rule, opened=True)[0].steps) == words


def test_the_subject_of_cases_is_named_once() -> None:
    text = """\
        passing becomes if passing = to-the-left
                then across
                else if passing = across
                then nowhere
                else to-the-left
        """
    assert compact(words_of("scoring", text, STATE).rule("scoring")[0].steps) == (
        "The passing becomes “across” if the passing is “to the left”, “nowhere” if it is “across”, "
        "otherwise “to the left”."
    )
