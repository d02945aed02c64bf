"""The normal form keeps the deals in which the rules fail, and the order of cards that no shuffle makes arbitrary."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checker.rulesets_for_tests import documented, house, rule
from trickproof.equivalence.de_bruijn import leveled
from trickproof.equivalence.normal_form import same_in_other_words
from trickproof_dsl.core.program import Program

STATE = """state:
  declarer: {type: player}
  best: {type: rank, of: player}
"""

SCORED = "for p in players{}:\n    over of p becomes tricks of p - target of p"

DEALT = "for p in players{}:\n    deal 16 cards to hand of p\ndeal the rest to kitty"

BY_TURNS = DEALT.format("").replace(
    "for p in players:\n    deal 16 ", "repeat 16 times:\n    for p in players:\n        deal 1 "
)

WHOLE = """
{}do deal
do targets
do before-play
do play
do scoring
if end:
    the match ends, won by winner
{}
"""

PUT_BACK = """
for p in players:
    put tricks-taken of p into deck
put kitty into deck
put discards into deck
"""


def program(name: str, text: str, more: str = "") -> Program:
    return house(STATE + rule(name, text) + more).program


@pytest.mark.parametrize(
    "order",
    [
        ", clockwise from declarer",
        ", anticlockwise from left of declarer",
        ", highest best first, then clockwise from dealer",
        ", highest (12 div tricks) first, then clockwise from dealer",
    ],
)
def test_an_order_that_may_fail(order: str) -> None:
    assert not same_in_other_words(
        program("scoring", SCORED.format(order)), program("scoring", SCORED.format(""))
    )
    assert not same_in_other_words(program("deal", DEALT.format(order)), program("deal", DEALT.format("")))


def test_a_loop_without_steps_that_may_fail() -> None:
    looped = "if 1 = 1:\n    for p in players, clockwise from declarer:\n        nothing happens\n"
    assert not same_in_other_words(program("payout", looped), program("payout", "nothing happens"))


@pytest.mark.parametrize("order", [", clockwise from dealer", ", anticlockwise from right of dealer"])
def test_an_order_that_makes_no_difference(order: str) -> None:
    assert same_in_other_words(
        program("scoring", SCORED.format(order)), program("scoring", SCORED.format(""))
    )


def test_a_dealer_who_may_become_nobody() -> None:
    """Loops that begin at the dealer's left fail as those that begin at the dealer do, and no others."""
    more = "  next-dealer: {rule: declarer, assumes: a test}\n"
    plain, dealer, first = (
        program("scoring", SCORED.format(order), more)
        for order in ("", ", clockwise from dealer", ", clockwise from only player in (players - players)")
    )
    assert same_in_other_words(plain, dealer)
    assert not same_in_other_words(plain, first)


@pytest.mark.parametrize(
    ("shuffled", "after", "alike"),
    [("shuffle\n", "", True), ("", PUT_BACK, False), ("shuffle\n", PUT_BACK, False)],
)
def test_cards_dealt_by_turns(shuffled: str, after: str, alike: bool) -> None:
    whole = WHOLE.format(shuffled, after).strip()
    both = [
        program("hand", whole, rule("deal", text).partition("\n")[2]) for text in (DEALT.format(""), BY_TURNS)
    ]
    assert (same_in_other_words(*both) is not None) is alike


@pytest.mark.parametrize(("early", "alike"), [("", True), ("if first-hand:\n    the hand ends\n", False)])
def test_cards_dealt_between_two_deals(early: str, alike: bool) -> None:
    """If the first deal is over before its shuffle, the order of the deck is known."""
    turned = "{}\n{}\ndealer becomes next-dealer\nfirst-hand becomes false\n"
    cards = "deal 1 card to kitty", "deal 1 card to discards"
    whole = early + WHOLE.format("shuffle\n", "").strip()
    both = [
        program("hand", whole, rule("between-hands", turned.format(*some)).partition("\n")[2])
        for some in (cards, cards[::-1])
    ]
    assert (same_in_other_words(*both) is not None) is alike


def test_the_documented_way_to_deal() -> None:
    assert same_in_other_words(documented("pagat").program, house(rule("deal", BY_TURNS)).program)


EACH_ROUND = """
for p in players:
    if {}:
        over of p becomes tricks of p
    else:
        over of p becomes target of p
"""

BEFORE = """
if {}:
    for p in players:
        over of p becomes tricks of p
else:
    for p in players:
        over of p becomes target of p
"""


@pytest.mark.parametrize(
    ("condition", "alike"),
    [
        ("some player has tricks > 9", True),
        ("some player has (some card in tricks-taken has suit = trump)", True),
        ("some player has over > 9", False),  # which the rounds change
        ("tricks of declarer > 9", False),  # which fails if nobody is
    ],
)
def test_a_condition_that_no_round_of_a_loop_changes(condition: str, alike: bool) -> None:
    """It may be asked in every round, or once before the loop."""
    one, other = (program("scoring", text.format(condition)) for text in (EACH_ROUND, BEFORE))
    leveled_one, leveled_other = (replace(x, hand=leveled(x.hand, {})) for x in (one, other))
    assert (same_in_other_words(leveled_one, leveled_other) is not None) == alike
