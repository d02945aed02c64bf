"""A comparison as text: the line of the first difference, what is said once, titles."""

from __future__ import annotations

import re

from budget import RUN
from checker.rulesets_for_tests import documented, house, rule
from trickproof.checking.verdict import Method
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import Diff, _comparison, compare, compared_fact, one_aspect
from trickproof.reports.comparison.diff import diff_text, summary, witness_lines
from trickproof.reports.text import Page
from trickproof.support.terminal import Terminal
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_scenario


def lines_of(other: Ruleset) -> list[str]:
    return [line.strip() for line in diff_text(compare(documented("pagat"), other)).splitlines()]


@RUN
def test_the_first_difference_is_marked_even_if_one_side_has_nothing_to_report() -> None:
    lines = lines_of(house(rule("scoring", "nothing happens\n")))
    marked, *_ = (line for line in lines if line.startswith("≠"))
    assert marked.startswith("≠ up or down: ")


@RUN
def test_a_difference_is_saved_for_both_rulesets() -> None:
    """Saved for one of them only, `replay` would show nothing of the difference."""
    lane = house(rule("next-dealer", "right of dealer\n"))
    ((_, saved),) = witness_lines(compare(documented("pagat"), lane))
    deals = [line if "match" not in line else line["match"][-1] for line in saved]
    assert [deal.pop("ruleset") for deal in deals] == ["pagat", lane.named]
    assert deals[0] == deals[1]
    assert replay_scenario(lane, {**deals[1], "ruleset": lane.named})["ok"]


@RUN
def test_what_is_agreed_in_a_deal_is_said_if_it_is_not_usual() -> None:
    """The match goes on at five points, which usually end it."""
    whist, five = documented("whist"), house(rule("end", "some player has score >= 5"), "whist")
    text = diff_text(Diff(whist, five, (one_aspect(whist, five, "end"),), ()))
    assert "whist with goal 7" in text


def test_places_in_bundled_files_are_not_shown() -> None:
    """Neither side needs one: users have no such file, whatever their own ruleset is based on."""
    other = house(rule("lead", "dealer\n"), base="six-over")
    rules = [Compared(name, "different", Method.SMT) for name in ("lead", "kitty", "end")]
    text = diff_text(Diff(documented("pagat"), other, tuple(rules), ()))
    places = re.findall(r"\((\S+:\d+:\d+)\)", text)
    assert places == ["house.yaml:5:3"]


def test_a_helper_rule_is_explained_however_long_it_is() -> None:
    """The changed score of a contract was left out of its side, as if there were none."""
    text = (
        "if tricks-for-contract of p >= contract of p then 10 * contract of p + (if contract of p >= 10 then 100 else 0) "
        "else if contract of p >= 12 then -20 * contract of p - 7 else -10 * contract of p\n"
    )
    longer = house(rule("contract-score", text), "spades")
    compared = Compared("scoring", "different", Method.SMT)
    lines = diff_text(Diff(documented("spades"), longer, (compared,), ()))
    assert lines.count("The contract score of a player:") == 2
    assert "(house.yaml:5:3)" in lines


def test_games_for_more_and_for_fewer_players_differ_in_that_and_name_their_own_seats() -> None:
    """Not in the order of the cards, and the player to the right of the dealer is on the right in both."""
    narrow = Page(Terminal(columns=lambda: 80))
    four, three = documented("weaver-four"), documented("pagat")
    differs = compared_fact(_comparison(four, three, None), "players")
    text = " ".join(diff_text(Diff(four, three, (differs,), ()), page=narrow).split())
    assert "- The number of players differs." in text
    assert "Dealer 13, Left 13, Opposite 13, Right 13" in text
    assert "Dealer 16, Left 16, Right 16" in text


def test_why_rules_cannot_be_compared_is_said_once() -> None:
    rules = [Compared(name, "incomparable", Method.STATIC, "3 players vs. 4") for name in ("lead", "end")]
    text = diff_text(Diff(documented("pagat"), documented("weaver-four"), tuple(rules), ()))
    assert "\nlead: incomparable: 3 players vs. 4\n" in text
    assert "\nend: incomparable, for the same reason\n" in text


def test_other_rules_are_listed_with_what_is_known_of_them() -> None:
    differs = Compared("may-lead", "different", Method.STATIC, "")
    open_ = Compared("play", "undecided", Method.STATIC, "")
    pair = documented("pagat"), documented("six-over")
    assert summary(Diff(*pair, (), (differs,))).endswith("; other rules that differ: may-lead")
    both = summary(Diff(*pair, (), (differs, open_)))
    assert both.endswith("; other rules not proved the same: may-lead and play")


def test_cards_to_choose_from_are_listed_on_both_sides_or_on_neither() -> None:
    base, other = documented("pagat"), house(rule("follow", "hand\n"))
    text = diff_text(Diff(base, other, (one_aspect(base, other, "follow"),), ()))
    (asked,) = (line for line in text.splitlines() if line.count("Right must play 1 of ") == 2)
    assert "1 of 2♣ 7♣ 8♣ " in asked
    assert "1 of 16 cards" not in asked


@RUN
def test_each_fact_is_said_once() -> None:
    """What both do alike is folded, results are not repeated, and what is bundled needs no place in a file."""
    other = documented("six-over")
    text = diff_text(compare(documented("pagat"), other))
    assert text.count("lines, the same under both)") >= 6
    assert text.count("with all other rules as in pagat") == 1
    assert "There are no other differences in exchange-order, kitty, reveal" in " ".join(text.split())
    assert ".yaml" not in text
    assert (
        "  same under the reading “coming deal” of six-over\n"
        "  different under the reading “last deal” of six-over\n" in text
    )
    assert "[pagat-de.s23-s25, s64, s65]" in text
    ends = [line for line in text.splitlines() if line.lstrip("≠ ").startswith("tricks: ")]
    assert ends
    assert not any("up or down" in line or "won by" in line for line in ends)
    assert any(line.startswith("   ≠ ") and line.endswith(" end: won by Right") for line in text.splitlines())
    same = text[text.index("same: players") :].split()
    assert "exchange-returns," in same


def marked(base: str, other: str, aspect: str) -> tuple[str, list[str]]:
    """What introduces the deal that shows how an aspect of two documented rulesets differs, and the marked lines."""
    pair = documented(base), documented(other)
    text = diff_text(Diff(*pair, (one_aspect(*pair, aspect),), ()))
    head, *deal = text[text.index("Counterexample") :].splitlines()
    return head, [line.split(maxsplit=1)[1] for line in deal if line.startswith("   ≠")]


def test_a_deal_in_which_something_else_differs_before_goes_on_to_what_it_is_shown_for() -> None:
    head, (other, own) = marked("pagat", "six-over", "reveal")
    assert head == "Counterexample (the rulesets diverge earlier, because of another rule):"
    assert re.fullmatch(r"Dealer discards .* Dealer picks up .*", other)
    assert re.fullmatch(r"Dealer shows \S+ to Left", own)


def test_nothing_is_said_to_differ_before_what_is_seen_to_differ_first() -> None:
    head, (own,) = marked("trumpet-major", "nine-five-two", "reveal")
    assert head == "Counterexample:"
    assert re.fullmatch(r"Dealer shows \S+ to Left", own)


@RUN
def test_cards_that_may_no_longer_be_chosen_are_named() -> None:
    lines = lines_of(
        house(
            rule(
                "kitty",
                "dealer discards 4 cards of hand with suit != trump\ndealer picks-up kitty as picked-up\ndo reveal\n",
            )
        )
    )
    assert "Dealer chooses trump ♣                          Dealer chooses trump ♣" in lines
    assert "Dealer may discard only under pagat: 3♣ 10♣ J♣" in lines


def test_a_house_rule_without_a_title_is_not_called_by_that_of_its_base() -> None:
    assert lines_of(house(rule("lead", "left of dealer\n")))[2] == "b  house: based on pagat"


def test_another_dealer_is_called_so_by_replay_too() -> None:
    base, other = documented("hearts"), house(rule("next-dealer", "right of dealer\n"), base="hearts")
    text = diff_text(Diff(base, other, (one_aspect(base, other, "next-dealer"),), ()))
    assert "- In some deals the next dealer differs." in text


def test_a_deal_says_what_it_takes_as_agreed() -> None:
    """Only with the other value do the targets differ, and only the score shows it."""
    targets = "target of dealer becomes high\ntarget of left of dealer becomes 5\ntarget of right of dealer becomes 11 - high"
    other = house(f"parameters:\n  high: 8 | 7\n\n{rule('targets', targets)}")
    diff = compare(documented("pagat"), other)
    (one,) = diff.different
    assert one.aspect == "targets"
    (parting,) = [way.parting for way in one.ways]
    assert parting is not None
    assert parting.answers.scenario["params"] == {f"{other.named}/high": 7}
    assert "house with high 7" in diff_text(diff)


PASSED_BEFORE_PLAY = """
for p in players:
    p passes 3 cards of hand to left of p
"""


def test_a_rule_that_takes_over_for_another_is_shown_with_it() -> None:
    """Cards are passed before the play instead of in the exchange: either alone asks for no pass, or for two."""
    diff = compare(documented("hearts"), house(rule("before-play", PASSED_BEFORE_PLAY), "hearts"))
    jointly = ("exchange-timing", "before-play")
    assert {one.aspect: one.jointly for one in diff.different} == dict.fromkeys(jointly, jointly)
    marked = [line.split(maxsplit=1)[1] for line in diff_text(diff).splitlines() if line.startswith("   ≠")]
    assert marked == ["Left passes 5♣ 9♣ Q♣ to Opposite"]


def test_cards_that_a_step_of_another_kind_moves_ask_nobody_anything() -> None:
    other = house(rule("kitty", "dealer discards 4 cards of hand\nput kitty into hand of dealer"))
    (kitty,) = (x for x in compare(documented("pagat"), other).different if x.aspect == "kitty")
    assert "which step moves cards" in {way.how for way in kitty.ways}
