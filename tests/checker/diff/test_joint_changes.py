"""Aspects that change jointly are compared jointly and named together, with a deal that shows what they change."""

from __future__ import annotations

from budget import RUN
from checker.rulesets_for_tests import documented, house
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import compare
from trickproof_dsl.scenarios.replay import replay_scenario

AT_ONCE = """\
    rules:
      exchange-order:
        rule: |
          for giver in players with over > 0, highest target first, ties impossible:
              do exchange-amounts of giver
        assumes: a test
      exchange-amounts:
        rule: |
          for taker in players with over < 0, clockwise from giver:
              if number of (players with over > 0) = 1:
                  giver gives under of taker cards of hand to taker as gift(giver, taker)
              else:
                  giver gives over of giver cards of hand to taker as gift(giver, taker)
              do exchange-returns(giver, taker)
        assumes: a test
    """

DOUBLED = """\
    state:
      tries: {type: boolean}
      doubled: {type: boolean, carried: true}
    rules:
      trump:
        rule: |
          dealer chooses trump
          dealer chooses tries
        assumes: a test
      payout:
        rule: |
          for p in players:
              payout of p becomes if doubled then 2 * over of p else over of p
          doubled becomes tries and tricks of dealer < 12
        assumes: a test
    """


def _differences(text: str) -> dict[str, Compared]:
    return {x.aspect: x for x in compare(documented("pagat"), house(text)).every if x.status != "same"}


@RUN
def test_changes_that_undo_each_other_differ_only_where_they_do_not() -> None:
    differ = _differences(AT_ONCE)
    assert differ.keys() == {"exchange-amounts", "exchange-order"}
    for one in differ.values():
        assert (one.status, one.jointly) == ("different", ("exchange-amounts", "exchange-order"))
        assert one.why == "exchange-amounts and exchange-order changed jointly"
        assert [way.when for way in one.ways] == ["in some deals in which two players were down"]
        assert one.parting is not None
        assert not one.parting.masked
        assert sorted(one.parting.answers.scenario["over"])[1] < 0


@RUN
def test_a_value_that_one_aspect_sets_and_another_reads_is_part_of_the_deal_that_shows_it() -> None:
    differ = _differences(DOUBLED)
    assert {name: x.status for name, x in differ.items()} == {"trump": "different", "payout": "different"}
    assert all(one.jointly == ("trump", "payout") for one in differ.values())
    payout = differ["payout"]
    assert [way.how for way in payout.ways] == ["payout differs"]
    assert payout.ways[0].when == "“doubled” applied as the deal began and some player is up or down"
    assert payout.parting is not None
    scenario = payout.parting.answers.scenario
    other = house(DOUBLED)
    assert scenario["variables"] == {f"{other.named}/doubled": True}
    paid = [
        replay_scenario(ruleset, {**scenario, "ruleset": ruleset.named, "any_order": True})["events"]
        for ruleset in (documented("pagat"), other)
    ]
    one, twice = (next(x["payouts"] for x in events if x["event"] == "score") for events in paid)
    assert twice == [2 * x for x in one]
    assert any(one)


NO_EXCHANGE = """\
    rules:
      exchange-timing:
        rule: |
          do trump
          do kitty
        assumes: a test
    """


@RUN
def test_what_only_one_game_has_differs_even_if_it_does_nothing_by_itself() -> None:
    """Without gifts nobody returns anything, so that each of the rules is the same where the others are left out."""
    differ = _differences(NO_EXCHANGE)
    together = ("exchange-amounts", "exchange-order", "exchange-returns")
    assert {name: (one.status, one.jointly) for name, one in differ.items()} == dict.fromkeys(
        together, ("different", together)
    )


COUNTED = """\
    state:
      deals: {type: integer, carried: true}
    rules:
      scoring:
        rule: |
          deals becomes deals + 1
          for p in players:
              over of p becomes tricks of p - target of p
              score of p becomes score of p + over of p
        assumes: a test
      end: {rule: deals >= 9, assumes: a test}
      winner: {rule: players with the highest score, assumes: a test}
    """


@RUN
def test_what_ends_the_match_is_shown_by_a_deal_in_which_it_ends_under_one_only() -> None:
    end = _differences(COUNTED)["end"]
    assert end.jointly == ("scoring", "end")
    assert end.parting is not None
    over = [x["state"]["match_over"] for x in (end.parting.answers.a, end.parting.answers.b)]
    assert over == [True, False]
