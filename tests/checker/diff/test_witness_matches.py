"""A hand that shows a difference comes with the deals that lead to it from the start of a match."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented, house
from trickproof.diff.ruleset_diff import compare
from trickproof.diff.witnesses.distinguishing_hands import in_matches
from trickproof.diff.witnesses.parting import Pair
from trickproof.testing.witness import replayed_match

LOWEST = """\
    rules:
      exchange-returns:
        rule: |
          taker returns lowest of hand matching gift(giver, taker) to giver as returned(taker, giver)
        assumes: a test
    """


@RUN
def test_a_difference_in_the_exchange_comes_after_a_whole_deal() -> None:
    one, other = documented("pagat"), house(LOWEST)
    (differs,) = (x for x in compare(one, other).every if x.status != "same")
    assert (differs.aspect, differs.status) == ("exchange-returns", "different")
    assert differs.parting is not None
    scenario, deals = differs.parting.answers.scenario, differs.parting.deals_before
    assert deals
    assert deals[0]["first_hand"]
    for ruleset in (one, other):
        last = replayed_match(ruleset, deals)
        begun = last.then().begin
        assert last.state.hand_over
        assert [begun.variables[("over", p)] for p in range(3)] == scenario["over"]
        assert begun.variables[("dealer",)] == scenario["dealer"]


POINTS = """\
    rules:
      scoring:
        rule: |
          for p in players:
              over of p becomes tricks of p - target of p
              score of p becomes score of p + {each} * tricks of p
        assumes: a test
      end: {{rule: some player has score >= {goal}, assumes: a test}}
      winner: {{rule: {winner}, assumes: a test}}
    """


@RUN
@pytest.mark.parametrize(
    ("one", "other", "aspect"),
    [
        (
            POINTS.format(each=3, goal=51, winner="players with the highest score"),
            POINTS.format(each=3, goal=52, winner="players with the highest score"),
            "end",
        ),
        pytest.param(
            POINTS.format(each=1, goal=30, winner="players with the highest score"),
            POINTS.format(
                each=1,
                goal=30,
                winner="players with the highest tricks among players with the highest score",
            ),
            "winner",
            marks=pytest.mark.slow,
        ),
    ],
    ids=["scores that a deal leads to", "scores that are equal after some deals"],
)
def test_scores_that_differ_are_those_of_a_match(one: str, other: str, aspect: str) -> None:
    rulesets = house(one), house(other)
    (differs,) = (x for x in compare(*rulesets).every if x.status != "same")
    assert (differs.aspect, differs.status) == (aspect, "different")
    assert differs.parting is not None
    scenario, deals = differs.parting.answers.scenario, differs.parting.deals_before
    assert deals
    for ruleset in rulesets:
        begun = replayed_match(ruleset, deals).then().begin
        assert [begun.variables[("score", p)] for p in range(3)] == scenario["scores"]


COUNTED = """\
    state:
      {name}: {{type: integer, carried: true, initial: {start}}}
    rules:
      scoring:
        rule: |
          for p in players:
              over of p becomes tricks of p - target of p
          {name} becomes {name} {step}
        assumes: a test
      end: {{rule: {end}, assumes: a test}}
      winner: {{rule: players with the highest over, assumes: a test}}
      trump: {{rule: {trump}, assumes: a test}}
    """


@RUN
@pytest.mark.parametrize(
    "trump",
    ["dealer chooses trump", pytest.param("dealer chooses trump from suits or none", marks=pytest.mark.slow)],
)
def test_deals_that_are_counted_up_or_down_are_no_difference(trump: str) -> None:
    """Each reckons by its own rules what only it knows, also before a deal that shows a difference."""
    up = house(
        COUNTED.format(
            name="done", start=0, step="+ 1", end="done >= 3", trump="dealer chooses trump from suits or none"
        )
    )
    down = house(COUNTED.format(name="to-come", start=3, step="- 1", end="to-come <= 0", trump=trump))
    found = compare(up, down)
    assert found.status("end") in ("same", "undecided")
    assert found.status("scoring") in ("same", "undecided")


@RUN
def test_what_only_counted_deals_show_is_found_in_a_match() -> None:
    """Beginnings do not tell which deal of the match it is; the third one does."""
    third = "dealer chooses trump from suits with (done != 2 or trump != hearts)"
    one, other = (
        house(COUNTED.format(name="done", start=0, step="+ 1", end="done >= 3", trump=trump))
        for trump in ("dealer chooses trump", third)
    )
    (differs,) = (x for x in compare(one, other).every if x.status != "same")
    assert (differs.aspect, differs.status) == ("trump", "different")
    assert differs.parting is not None
    assert differs.parting.deals_before is not None
    assert len(differs.parting.deals_before) == 2


HEARTS = """\
    rules:
      payout:
        rule: |
          for p in players:
              payout of p becomes if trump = hearts then 2 * over of p else over of p
        assumes: a test
    """


@RUN
def test_what_depends_on_a_choice_before_the_play_is_found_in_a_match() -> None:
    (differs,) = (x for x in compare(documented("pagat"), house(HEARTS)).every if x.status != "same")
    assert (differs.aspect, differs.status) == ("payout", "different")
    assert differs.parting is not None
    assert differs.parting.answers.a["state"]["trump"] == "H"


@RUN
def test_deals_that_end_the_match_under_one_ruleset_lead_to_none_of_its_deals() -> None:
    """By nine-five-two a match can go on after a deal with fourteen tricks, which is the end by the house rule."""
    fourteen = house(
        """\
        rules:
          end: {rule: some player has tricks >= 14, assumes: a test}
          winner: {rule: players with tricks >= 14, assumes: a test}
        """
    )
    statuses = {x.aspect: x.status for x in compare(fourteen, documented("nine-five-two")).every}
    assert (statuses["end"], statuses["winner"]) == ("different", "different")


ROUNDS = """\
    state:
      stage: {{type: integer, carried: true}}
    rules:
      between-hands:
        rule: |
          dealer becomes next-dealer
          first-hand becomes false
          stage becomes if stage = 0 then 1 else {next}
        assumes: a test
      trump:
        rule: |
          if stage = 2:
              trump becomes hearts
          else:
              dealer chooses trump
        assumes: a test
    """


@RUN
def test_a_difference_between_deals_is_shown_by_the_deal_before_it() -> None:
    """The deal in which it first shows begins with the value in which they differ."""
    one, other = (house(ROUNDS.format(next=x)) for x in ("if stage = 1 then 2 else 0", "0"))
    parting = in_matches(Pair(one, other, one, other, one, ({}, {})), {})
    assert parting is not None
    assert parting.answers.later == ({"stage": 2}, {"stage": 0})
    assert parting.deals_before is not None
    assert len(parting.deals_before) == 1
