"""Rules for cards that hardly ever lie together differ, with a deal that is made for them; rewordings by sizes are the same."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented, house, rule
from trickproof.diff.ruleset_diff import one_aspect

KITTY = """\
    rules:
      kitty:
        rule: |
          dealer discards {number} cards of hand
          dealer picks-up kitty as picked-up
          do reveal
        assumes: a test
    """

COURT = """\
    rules:
      trump:
        rule: |
          if number of (cards in hand of dealer with rank = ace) = 4 and number of (cards in hand of dealer with rank = king) = 4:
              left of dealer chooses trump
          else:
              dealer chooses trump
        assumes: a test
    """

LONG = """\
    rules:
      follow:
        rule: |
          if some card in hand has followed-suit = led
          then cards in hand with followed-suit = led
          else if number of (cards in hand with suit = trump) >= 9
          then cards in hand with suit = trump
          else hand
        assumes: a test
    """


@RUN
@pytest.mark.parametrize(
    ("number", "status"), [("(number of kitty)", "same"), ("(number of kitty - 1)", "different")]
)
def test_the_size_of_the_kitty_is_a_number(number: str, status: str) -> None:
    assert one_aspect(documented("pagat"), house(KITTY.format(number=number)), "kitty").status == status


@RUN
def test_four_aces_and_four_kings() -> None:
    compared = one_aspect(documented("pagat"), house(COURT), "trump")
    assert compared.status == "different"
    assert compared.parting is not None
    assert [way.when for way in compared.ways] == ["in some deals, depending on the cards and choices"]
    scenario = compared.parting.answers.scenario
    held = scenario["hands"][scenario["dealer"]]
    assert [sum(card[0] == rank for card in held) for rank in "AK"] == [4, 4]


@RUN
def test_nine_trumps_and_a_void() -> None:
    compared = one_aspect(documented("pagat"), house(LONG), "follow")
    assert compared.status == "different"
    assert compared.parting is not None
    assert compared.direction == "narrower"


ALL_TRUMPS = """\
    rules:
      follow:
        rule: |
          if number of (cards in hand with suit = trump) = 13
          then hand
          else if some card in hand has followed-suit = led
          then cards in hand with followed-suit = led
          else hand
        assumes: a test
    """


@RUN
def test_every_trump_in_one_hand() -> None:
    compared = one_aspect(documented("pagat"), house(ALL_TRUMPS), "follow")
    assert compared.status == "different"
    assert compared.direction == "wider"


@RUN
def test_more_trumps_than_there_are() -> None:
    compared = one_aspect(documented("pagat"), house(ALL_TRUMPS.replace("13", "14")), "follow")
    assert compared.status == "same"


@RUN
def test_a_stake_for_all_the_tricks_with_clubs_as_trumps() -> None:
    """The tricks alone do not show it: the suit has to be chosen as well."""
    text = """\
        for p in players:
            payout of p becomes (if tricks of dealer = 16 and trump = clubs then 3 else 1) * over of p
        """
    compared = one_aspect(documented("pagat"), house(rule("payout", text)), "payout")
    assert compared.status == "different"
    assert compared.parting is not None
    assert {"player": 0, "move": "trump", "suit": "C"} in compared.parting.answers.scenario["moves"]


@RUN
def test_everybody_passes_and_the_dealer_may_too() -> None:
    text = """\
        for p in players, clockwise from left of dealer:
            if maker = none:
                p chooses trump from suits or none with trump != turned-suit
                if trump != none:
                    maker becomes p
                    p chooses alone
        """
    passing = house(rule("second-round", text), "euchre")
    compared = one_aspect(documented("euchre"), passing, "trump")
    assert compared.status == "different"
    assert compared.parting is not None
    assert compared.parting.answers.scenario["params"] == {"euchre/stick-the-dealer": 1}


@RUN
def test_what_follows_from_a_difference_is_not_searched_for_long() -> None:
    text = "if bid > 0 then 0 else if tricks = 0 then 100 else -50"
    compared = one_aspect(documented("spades"), house(rule("nil-score", text), "spades"), "scoring")
    assert (compared.status, compared.complete) == ("different", False)
    assert [way.how for way in compared.ways] == ["score differs"]


@RUN
def test_a_match_that_ends_with_exactly_the_score_that_ends_it() -> None:
    more = house(rule("end", "some player has score > 100\n"), "hearts")
    compared = one_aspect(documented("hearts"), more, "end")
    assert compared.status == "different"
    assert [way.how for way in compared.ways] == ["the match ends in a only"]
