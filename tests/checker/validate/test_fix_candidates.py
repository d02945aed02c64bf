"""Candidates for fixes: each kind is made for the rules that call for it, and only for those."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import LIBRARY, found, house, rule
from checker.validate.candidates_made import CAPPED, made
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.validate.fix_candidates import _played_on, candidates

LOWEST = "only player in players with the lowest over"


CASES = {
    "as many as may be discarded": (
        rule("kitty", "dealer discards up to 2 cards of hand\ndealer picks-up 2 cards of kitty\n"),
        "hand-size",
        "replace `up to 2 cards` with `2 cards`",
    ),
    "the name of the cards given": (
        rule(
            "exchange-amounts",
            "for taker in players with over < 0, clockwise from giver:\n"
            "    giver gives 1 card of hand to taker  # whoever it is\n",
        ),
        "exchange-balanced",
        "name the cards as the base does: `as gift(giver, taker)`",
    ),
    "whoever ends the match wins it": (
        rule("end", "some player has tricks >= 11"),
        "unique-winner",
        "let whoever ends the match win it: `players with tricks >= 11`",
    ),
    "also by a name": (
        rule("end", "some player p has (sum of tricks for players other than p) <= 5"),
        "unique-winner",
        "let whoever ends the match win it: `players p with (sum of tricks for players other than p) <= 5`",
    ),
    "the only player of several": (
        rule("next-dealer", LOWEST),
        "no-fault",
        "if several tie, follow pagat: "
        f"`if number of ({LOWEST.removeprefix('only player in ')}) = 1 then {LOWEST} else left of dealer`",
    ),
    "the only player of several leads": (
        rule("lead", LOWEST),
        "legal-play-exists",
        "if several tie, follow pagat: "
        f"`if number of ({LOWEST.removeprefix('only player in ')}) = 1 then {LOWEST} else left of dealer`",
    ),
    "the only player of several in brackets": (
        rule("next-dealer", "only player in (players with the highest tricks)"),
        "no-fault",
        "if several tie, follow pagat: `if number of (players with the highest tricks) = 1 "
        "then only player in (players with the highest tricks) else left of dealer`",
    ),
    "any card where none of a kind is held": (
        rule(
            "may-lead",
            "if some player has (AS in tricks-taken) then hand else cards in hand with suit != trump",
        ),
        "legal-play-exists",
        "replace `cards in hand with suit != trump` with "
        "`if some card in hand has suit != trump then cards in hand with suit != trump else hand`",
    ),
    "any cards where there are too few of a kind": (
        rule("kitty", "dealer discards 4 cards of hand with suit != trump\ndealer picks-up kitty"),
        "no-fault",
        "ask for any cards where there are too few of that kind: "
        "`if number of (cards in hand of dealer with suit != trump) >= 4:`, else `dealer discards 4 cards of hand`",
    ),
    "any cards where there are too few of a kind to give": (
        rule(
            "exchange-amounts",
            "giver gives 2 cards of hand with (suit = led) to left of giver as gift(giver, left of giver)",
        ),
        "exchange-feasible",
        "ask for any cards where there are too few of that kind: "
        "`if number of (cards in hand of giver with (suit = led)) >= 2:`, "
        "else `giver gives 2 cards of hand to left of giver as gift(giver, left of giver)`",
    ),
    "a cap that leaves the number open": (
        rule("exchange-amounts", CAPPED),
        "allocation-determined",
        "give what pagat asks for, but at most 2 cards: `smaller(2, …)`",
    ),
    "no more cards than there are": (
        rule(
            "exchange-amounts",
            "for taker in players:\n    giver gives (3 * over of giver) cards of hand to taker",
        ),
        "exchange-feasible",
        "choose no more cards than there are: replace `(3 * over of giver)` with `smaller(3 * over of giver, number of hand)`",
    ),
    "in both branches, and no fewer than none": (
        rule(
            "exchange-amounts",
            "for taker in players:\n    if first-hand:\n        giver gives (under of taker - 1) cards of hand to taker\n"
            "    else:\n        giver gives gift-size cards of hand to taker",
        )
        + "  gift-size: {rule: over of dealer, assumes: a test}\n",
        "exchange-feasible",
        "choose no fewer than 0 cards: replace `(under of taker - 1)` with "
        "`larger(0, under of taker - 1)` and replace `gift-size` with `larger(0, gift-size)`",
    ),
    "the same in both branches": (
        rule(
            "exchange-amounts",
            "for taker in players:\n    if first-hand:\n        giver gives (under of taker - 1) cards of hand to taker\n"
            "    else:\n        giver gives (under of taker - 1) cards of hand to taker",
        ),
        "exchange-feasible",
        "choose no fewer than 0 cards: replace `(under of taker - 1)` with `larger(0, under of taker - 1)` in both places",
    ),
    "another rank": (
        rule("kitty", "dealer discards 4 cards of hand with rank < six\ndealer picks-up kitty as picked-up"),
        "no-fault",
        "replace `six` with `queen`",
    ),
    "a line that begins in the same way": (
        rule("trump", "trump becomes clubs\ndealer discards 4 cards of hand with rank < six")
        + "  kitty:\n    rule: |\n      dealer discards 4 cards of hand with suit = trump\n"
        "      dealer picks-up kitty as picked-up\n      do reveal\n    assumes: a fault\n",
        "no-fault",
        "replace the line `dealer discards 4 cards of hand with suit = trump` with `dealer discards 4 cards of hand`",
    ),
    "a line that is missing": (
        rule("kitty", "dealer picks-up kitty as picked-up\ndo reveal"),
        "hand-size",
        "add the line `dealer discards 4 cards of hand`",
    ),
    "a last line that is missing, with another number as other lines have": (
        rule("targets", "target of dealer becomes 9\ntarget of left of dealer becomes 5"),
        "target-total",
        "add the line `target of right of dealer becomes 2`",
    ),
    "such a line between others": (
        rule("targets", "target of dealer becomes 8\ntarget of right of dealer becomes 4"),
        "target-total",
        "add the line `target of left of dealer becomes 4`",
    ),
    "what is fresh in every deal is not exceeded": (
        rule("end", "some player has tricks = 0"),
        "unique-winner",
        "play on until there is one winner: "
        "`(some player has tricks = 0) and number of (players with tricks >= 12) = 1`",
    ),
    "a winner on several lines is said on one": (
        rule("end", "some player has score >= 9")
        + "  winner:\n    rule: |\n      if first-hand\n      then players with the highest score\n"
        "      else players with the highest over\n    assumes: a test\n",
        "unique-winner",
        "play on until there is one winner: `(some player has score >= 9) and number of "
        "(if first-hand then players with the highest score else players with the highest over) = 1`",
    ),
    "a number of the base that is far off": (
        rule(
            "kitty", "dealer discards 10 cards of hand  # ten\ndealer picks-up kitty as picked-up\ndo reveal"
        ),
        "hand-size",
        "replace `10` with `4`",
    ),
    "such a number in both rules that have it": (
        rule("end", "some player has tricks >= 20")
        + "  winner: {rule: players with tricks >= 20, assumes: a test}\n",
        "end-reachable",
        "replace `20` with `12` in 2 places",
    ),
    "all numbers of the base": (
        rule(
            "targets",
            "target of dealer becomes 9\ntarget of left of dealer becomes 6\ntarget of right of dealer becomes 2",
        ),
        "target-total",
        "take the numbers of pagat: `8` for `9`, `5` for `6` and `3` for `2`",
    ),
    "a number of an invariant that is all there is": (
        "invariants:\n  fifteen: {rule: sum of tricks for players = 15, assumes: we counted}\n",
        "fifteen",
        "replace `15` with `16`",
    ),
    "what is carried may be exceeded": (
        rule("end", "some player has score = 20"),
        "unique-winner",
        "play on until there is one winner: "
        "`(some player has score >= 20) and number of (players with tricks >= 12) = 1`",
    ),
}


def test_partners_play_on_until_one_side_has_won() -> None:
    ruleset = house(rule("end", "score of dealer + score of left of dealer >= 9"), "whist")
    told = [x.what for x in _played_on(ruleset)]
    new = "(score of dealer + score of left of dealer >= 9) and number of (players with score >= goal) = 2"
    assert told == [f"play on until there is one winner: `{new}`"]


@pytest.mark.parametrize("name", CASES)
def test_a_change_is_tried(name: str) -> None:
    body, check, what = CASES[name]
    change = next(x for x in made(body, check) if x.what == what)
    assert LIBRARY.load_text(change.repaired, "house.yaml")[0] is not None


@pytest.mark.parametrize(
    ("name", "text", "check", "unwanted"),
    [
        ("end", "some player has tricks >= 12", "unique-winner", "let whoever"),  # the rule of the base
        ("end", "every player has tricks >= 2", "unique-winner", "let whoever"),
        ("next-dealer", "right of dealer", "no-fault", "if several tie"),
        ("end", "some player has over >= 4", "unique-winner", "replace the line"),
        (
            "payout",
            "for p in players:\n    payout of p becomes over of p + 2",
            "zero-sum",
            "replace `2` with `0`",
        ),
        ("kitty", "dealer discards 2 cards of hand\ndealer picks-up kitty", "hand-size", "add the line"),
        ("kitty", "dealer discards up to 2 cards of hand", "no-fault", "choose no"),
    ],
)
def test_a_change_that_makes_no_sense_is_not_tried(name: str, text: str, check: str, unwanted: str) -> None:
    assert not [x.what for x in made(rule(name, text), check) if x.what.startswith(unwanted)]


@pytest.mark.parametrize(("sign", "best"), [(">=", "highest"), ("<", "lowest")])
@pytest.mark.parametrize("winner", ["", rule("winner", "players with tricks >= 13").removeprefix("rules:\n")])
def test_an_end_by_another_number_than_the_winner_changes_both(sign: str, best: str, winner: str) -> None:
    """Playing on until somebody has the tricks that win in the base would be another game."""
    changes = made(rule("end", f"some player has score {sign} 20") + winner, "unique-winner")
    assert not [x for x in changes if x.what.startswith("play on")]
    (both,) = [x for x in changes if x.what.startswith("let the player in the lead win")]
    changed, wrong = LIBRARY.load_text(both.repaired, "house.yaml")
    assert changed is not None, wrong
    texts = {name: one.text.text.strip() for name, one in changed.own.rules.items() if one.text}
    wins = f"players with the {best} score"
    assert texts == {"end": f"(some player has score {sign} 20) and number of ({wins}) = 1", "winner": wins}


def test_numbers_that_differ_in_the_base_are_not_the_same() -> None:
    """A target of 5 and 5 cards discarded were changed together, whatever the one has to do with the other."""
    lines = "dealer discards 5 cards of hand\ndealer picks-up kitty as picked-up\ndo reveal"
    targets = "  targets: {rule: target of left of dealer becomes 5, assumes: a test}\n"
    assert not [x for x in made(rule("kitty", lines) + targets, "hand-size") if "in 2 places" in x.what]


def test_a_number_may_be_as_far_off_as_a_finding_says() -> None:
    message = "the targets are 12 + 5 + 3 = 20; a deal has 16 tricks"
    far = Finding("target-total", Verdict.REFUTED, Method.STATIC, message)
    some = "for p in players:\n    target of p becomes (if p = dealer then 12 else 5)"
    assert "8" in {x.new for x in candidates(house(rule("targets", some)), [far]) if x.old == "12"}


def test_what_is_counted_is_not_traded_for_what_is_owed() -> None:
    """A score that no rule sets is what deals brought; a target is what a deal asks for."""
    ruleset = house(rule("winner", "players with the highest score"))
    findings = found(ruleset, ["rules-complete"])
    traded = [x.new for x in candidates(ruleset, findings) if x.old == "score"]
    assert "over" in traded
    assert "target" not in traded


def test_a_rule_of_the_base_is_not_changed() -> None:
    """The payout of pagat reads `over`, which this scoring no longer sets; the file itself does not mention it."""
    ruleset = house(rule("scoring", "score of dealer becomes 1"))
    findings = found(ruleset, ["rules-complete"])
    assert {gap.variable for gap in findings[0].gaps if not gap.assumed} == {"over"}
    changes = list(candidates(ruleset, findings))
    assert changes
    assert all(x.repaired.startswith("ruleset: house\n") for x in changes)


def test_of_several_lines_above_that_begin_alike_the_most_alike_is_proposed() -> None:
    lines = "for p in players:\n    score of p becomes score of p + points of p - tricks of p"
    changes = [
        repair.what for repair in made(rule("scoring", lines), "unique-winner", "hearts") if repair.old
    ]
    assert [what for what in changes if what.startswith("replace the line")] == [
        "replace the line `score of p becomes score of p + points of p - tricks of p` "
        "with `score of p becomes score of p + points of p`"
    ]
