"""A difference that only play shows is told by what differs first: the choices, the player, the trick, the score."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import SESSION, documented, house, rule
from trickproof.diff.rule_diff import _Rules
from trickproof.diff.ruleset_diff import _comparison, one_aspect
from trickproof.english.differences import difference_sentence

DIFFERENCES = {
    "follow": ("pagat", "follow", "hand", ["what may be chosen"]),
    "may-lead": (
        "pagat",
        "may-lead",
        "if some card in hand has suit != trump then cards in hand with suit != trump else hand",
        ["what may be chosen"],
    ),
    "trick-winner": (
        "pagat",
        "trick-winner",
        "players with the highest rank of played among players with suit of played = led",
        ["who wins a trick"],
    ),
}


@pytest.mark.parametrize(("base", "aspect", "text", "how"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_what_differs_first(base: str, aspect: str, text: str, how: list[str]) -> None:
    found = one_aspect(documented(base), house(rule(aspect, text), base), aspect, SESSION)
    assert (found.status, [way.how for way in found.ways]) == ("different", how)


def test_what_is_found_in_play_is_told_of_the_rule_itself() -> None:
    """The deal is shown under both rulesets, of which one asks for the discards later; what is said is how the score differs."""
    kept = rule(
        "scoring",
        """\
        for p in players:
            over of p becomes tricks of p - target of p
            score of p becomes score of p + over of p
        """,
    )
    kept += "  kitty:\n    rule: |\n      dealer picks-up kitty as picked-up\n      dealer discards 4 cards of hand\n    assumes: a test\n"
    rules = _Rules(_comparison(documented("pagat"), house(kept), SESSION), ("scoring",))
    status, ways = rules._played(rules._pair(0, {}, {}))
    assert (status, [way.how for way in ways]) == ("different", ["score differs"])
    assert ways[0].parting is not None
    assert ways[0].parting.masked


def test_a_result_that_differs_because_of_another_rule_is_not_told_of_this_one() -> None:
    """A deal shows both, since the last trick counts twice under one of the two only; the payout alone is what the rule changes."""
    twice = rule(
        "after-trick", "if hand of leader is empty:\n    tricks of leader becomes tricks of leader + 1\n"
    )
    double = rule("payout", "for p in players:\n    payout of p becomes 2 * over of p\n")
    found = one_aspect(house(twice), house(double), "payout", SESSION)
    assert [way.how for way in found.ways] == ["payout differs"]


def test_cards_dealt_to_another_zone_are_not_said_to_go_to_another_player() -> None:
    """One of the kitty's cards is turned up, and every player has the same hand."""
    found = one_aspect(documented("pagat"), documented("not-the-turned-suit"), "deal", SESSION)
    assert (found.status, [way.how for way in found.ways]) == ("different", ["where cards are dealt"])


def test_a_choice_comes_before_its_effect_on_the_score() -> None:
    """The rulesets also count the cards differently, but what may be chosen is what the rule says."""
    worth = "rules:\n  worth:\n    of: card c\n    rule: if c = QS then 10 else if c = JD then -10 else if suit of c = hearts then 1 else 0\n    assumes: a test\n"
    found = one_aspect(documented("hearts"), house(worth, "hearts"), "follow", SESSION)
    assert (found.status, [way.how for way in found.ways]) == ("different", ["what may be chosen"])


@RUN
def test_a_match_that_ends_earlier_in_the_deal_ends_under_both() -> None:
    """Nobody scores under the second, which ends where the first does; neither ends without the other."""
    base = "tests/adversarial/cases/plain-two.yaml"
    rules = rule("end", "false") + rule(
        "after-trick", "if tricks of leader = 2:\n    the match ends, won by leader\n"
    ).removeprefix("rules:\n")
    one, other = house("", base), house(rules, base)
    assert one_aspect(one, other, "end", SESSION).status != "different"
    found = one_aspect(one, other, "after-trick", SESSION)
    assert [way.how for way in found.ways] == ["the match ends earlier in b"]


@RUN
@pytest.mark.parametrize(
    ("first", "how"),
    [
        pytest.param("left of dealer", "players act at the same time in a only", marks=RUN),
        ("dealer", "players act at the same time in a only"),
    ],
)
def test_choices_one_after_another_are_told_from_choices_at_the_same_time(first: str, how: str) -> None:
    """Whether the cards first change hands in another order, or are passed while others still choose."""
    passing = f"if passing != nowhere:\n    for p in players, clockwise from {first}:\n        p passes 3 cards of hand to receiver of p\n"
    house_rule = house(rule("exchange-timing", passing), "hearts")
    found = one_aspect(documented("hearts"), house_rule, "exchange-timing", SESSION)
    assert [way.how for way in found.ways] == [how]
    assert difference_sentence(how, None, "hearts", "ours") == (
        "In some deals the players act at the same time under hearts but one after another under ours."
    )


@RUN
def test_another_order_of_acting_is_called_that() -> None:
    passing = "if passing != nowhere:\n    for p in players, clockwise from {}:\n        p passes 3 cards of hand to receiver of p\n"
    one, other = (
        house(rule("exchange-timing", passing.format(x)), "hearts") for x in ("dealer", "left of dealer")
    )
    found = one_aspect(one, other, "exchange-timing", SESSION)
    assert [way.how for way in found.ways] == ["players act in another order"]


@RUN
def test_bids_at_the_same_time_are_told_from_bids_in_turn_although_no_deal_shows_it() -> None:
    """The bids are asked for in the same order; only what a bidder has heard differs."""
    bids = "for p in players, {}:\n    p chooses target of p from 0 to 1\n"
    one, other = (
        house(rule("targets", bids.format(x)), "weathercock")
        for x in ("simultaneously", "clockwise from left of dealer")
    )
    found = one_aspect(one, other, "targets", SESSION)
    assert found.status == "undecided"
    assert found.why.startswith("players act at the same time in more places under one of the two;")


def test_trumps_that_change_unseen_are_no_other_reason() -> None:
    """After the first trick only the trump suit differs, which is what the rule says."""
    base = "tests/adversarial/cases/plain-two.yaml"
    winner = documented("pagat").whole.rules["trick-winner"].text
    assert winner is not None
    one, other = (
        house(
            rule("trick-winner", winner.text)
            + f"  after-trick: {{rule: trump becomes {suit}, assumes: a test}}\n",
            base,
        )
        for suit in ("led", "if led = hearts then spades else hearts")
    )
    found = one_aspect(one, other, "after-trick", SESSION)
    assert [way.how for way in found.ways] == ["who wins a trick"]
    assert found.ways[0].parting is not None
    assert not found.ways[0].parting.masked
