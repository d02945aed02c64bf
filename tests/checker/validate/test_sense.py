"""Warnings of sense: each is given for the rules that deserve it, and for no documented ruleset over its base."""

from __future__ import annotations

from dataclasses import replace

import pytest

from budget import RUN
from checker.rulesets_for_tests import LIBRARY, documented, found, house, rule
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.validate.new_flaws import is_new
from trickproof.validate.sense import never_set, only_off_convention, set_in_base, warnings
from trickproof_dsl.library import Ruleset
from trickproof_dsl.syntax.error_examples import WITH_TRUMPS


def codes(body: str, base: str = "pagat") -> list[str]:
    return [x.code for x in warnings(documented(base), house(body, base))]


CASES = {
    "shows of his own accord": (
        rule("kitty", "dealer shows up to 2 cards of hand to everyone\ndealer discards 4 cards of hand\n"
             "dealer picks-up kitty as picked-up\ndo reveal"),
        ["shows-for-nothing"],
    ),
    "has to show": (
        rule("trump", "dealer shows cards in hand with suit = hearts to everyone\ndealer chooses trump"),
        ["shows-for-nothing"],
    ),
    "shows what another picked up": (
        rule("kitty", "left of dealer discards 4 cards of hand\nleft of dealer picks-up kitty as picked-up\ndo reveal"),
        ["shows-from-elsewhere"],
    ),
    "shows what he gives away": (
        rule("trump", "dealer shows cards in hand with rank = ace to everyone\n"
             "dealer gives cards in hand with rank = ace to left of dealer\ndealer chooses trump"),
        ["shows-for-nothing"],
    ),
    "counts of the last deal": (
        rule("lead", "only player in (top 1 of players by tricks)"),
        ["read-too-early"],
    ),
    "counts of this deal": (
        rule("next-dealer", "only player in (top 1 of players by tricks)"),
        [],
    ),
    "trump is not asked for": (
        rule("trick-winner", "players with the highest rank of played among players with suit of played = led"),
        ["choice-without-effect"],
    ),
    "only twelve exactly": (
        rule("end", "some player has tricks = 12"),
        ["end-not-monotone"],
    ),
    "the last one wins": (
        rule("winner", "players with the lowest tricks"),
        ["end-and-winner"],
    ),
    "whoever is up has won": (
        rule("end", "some player has over > 0") + "  winner: {rule: players with over > 0, assumes: a fault}\n",
        [],
    ),
    "any card follows": (
        rule("follow", "hand"),
        ["may-revoke"],
    ),
    "a reason alone": ("rules:\n  targets: {assumes: our table}\n", ["no-text"]),
    "a mild change": (
        rule("next-dealer", "right of dealer"),
        [],
    ),
    "as many as the target": (
        rule("end", "every player has tricks = target"),
        [],
    ),
    "one suit to choose from": (
        rule("trump", "dealer chooses trump from suits with trump = hearts"),
        ["choice-without-effect"],
    ),
    "the same both ways": (
        "state:\n  shy: {type: boolean}\n"
        + rule("trump", "dealer chooses trump\ndealer chooses shy")
        + "  lead: {rule: if shy then left of dealer else left of dealer, assumes: a fault}\n",
        ["choice-without-effect"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_a_table_would_ask_about(name: str) -> None:
    body, expected = CASES[name]
    assert codes(body) == expected


def test_a_warning_has_its_place_and_a_sentence() -> None:
    (warning,) = warnings(documented("pagat"), house(CASES["only twelve exactly"][0]))
    assert warning.message == "a player can end the match by taking 12 tricks, but not by taking 13"
    assert warning.where is not None
    assert warning.where.text == "end"


@pytest.mark.parametrize(
    ("base", "end", "message"),
    [
        ("pagat", "some player has over = 6", "Dealer can end the match by taking 14 tricks, but not by taking 15"),
        ("pagat", "some player has over <= -6", None),
        ("pagat", "(not first-hand) and some player has tricks = 12",
         "after the first deal, a player can end the match by taking 12 tricks, but not by taking 13"),
        ("shawn-51", "some player has score = 50",
         "the match ends when `score` is 50, but a deal can take it from 45 to 51, and then it goes on"),
        ("shawn-51", "some player has (score = 50 or score > 50)", None),
    ],
)  # fmt: skip
def test_an_end_that_more_undo(base: str, end: str, message: str | None) -> None:
    found = warnings(documented(base), house(rule("end", end), base))
    assert [x.message for x in found if x.code == "end-not-monotone"] == [message] * (message is not None)


def test_cards_belong_to_suits_as_the_rules_say() -> None:
    assert codes(rule("lead", "dealer"), "euchre") == []
    assert codes(rule("follow", "hand"), "euchre") == ["may-revoke"]


def test_what_the_base_is_warned_of_is_not_repeated_with_another_example() -> None:
    base = house(CASES["any card follows"][0])
    dealt = house(CASES["any card follows"][0] + "  lead: {rule: dealer, assumes: another deal shows it}\n")
    assert warnings(base, replace(base, program=dealt.program)) == ()


def test_what_a_player_must_show_is_no_choice() -> None:
    (warning,) = warnings(documented("pagat"), house(rule(
        "trump", "dealer shows 1 card of hand to left of dealer\ndealer chooses trump")))  # fmt: skip
    assert warning.message.startswith("a player has to show cards")


@pytest.mark.parametrize(
    ("base", "name", "text", "agreed"),
    [
        ("tallyn", "gifts", "for giver in players with over > 1, clockwise from left of dealer:\n"
         "    do exchange-amounts of giver", True),
        ("pagat", "exchange-timing", "if not first-hand and over of dealer <= 0:\n    do exchange-order\ndo trump\ndo kitty", True),
        ("pagat", "scoring", "for p in players:\n    over of p becomes tricks of p - target of p - 1", False),
    ],
)  # fmt: skip
def test_a_table_agrees_on_gifts_in_whatever_rule_says_who_gives(
    base: str, name: str, text: str, agreed: bool
) -> None:
    unbalanced = Finding("exchange-balanced", Verdict.REFUTED, Method.SMT, "the previous deal calls for 1")
    size = Finding("hand-size", Verdict.PROVED, Method.SMT, "")
    assert only_off_convention(house(rule(name, text), base), unbalanced, {"hand-size": size}) == agreed


def test_targets_that_do_not_add_up_are_no_agreement_on_gifts() -> None:
    """What the previous deal calls for is wrong then."""
    gifts = house(rule("exchange-timing", "if not first-hand:\n    do exchange-order\ndo trump\ndo kitty"))
    unbalanced = Finding("exchange-balanced", Verdict.REFUTED, Method.SMT, "the previous deal calls for 1")
    findings = {"hand-size": Finding("hand-size", Verdict.PROVED, Method.SMT, "")}
    assert only_off_convention(gifts, unbalanced, findings)
    findings["target-total"] = Finding("target-total", Verdict.REFUTED, Method.SMT, "")
    assert not only_off_convention(gifts, unbalanced, findings)


def test_who_wins_instead_is_named_by_seat() -> None:
    (warning,) = warnings(documented("pagat"), house(CASES["the last one wins"][0]))
    assert warning.message == (
        "the player who ends the match might not win it: with tricks Dealer 12, Left 0, Right 4, "
        "the 12 tricks end it and Left wins"
    )
    assert warning.where is not None
    assert warning.where.text == "winner"


def test_documented_rulesets_deserve_none() -> None:
    for name in LIBRARY.documented():
        ruleset = documented(name)
        assert warnings(ruleset.base, ruleset) == (), name


def complete(ruleset: Ruleset) -> dict[str, Finding]:
    return {finding.check: finding for finding in found(ruleset, ["rules-complete"])}


def test_what_no_rule_sets_any_more_names_the_rule_that_did() -> None:
    base = documented("pagat")
    gifts = house(
        rule(
            "exchange-amounts",
            "for taker in players with over < 0, clockwise from giver:\n"
            "    giver gives 2 cards of hand to taker\n",
        )
    )
    (warning,) = never_set(base, complete(gifts), complete(base))
    assert warning.code == "never-set"
    assert warning.message.startswith("`gift` is used but never set: it is always empty; in pagat, ")
    assert "it is set in `exchange-amounts`, by `" in warning.message


def test_a_rule_that_set_it_twice_is_named_once() -> None:
    told = set_in_base(documented("pagat"), "gift")
    assert told.count("`exchange-amounts`") == 1
    assert told.count("as gift(giver, taker)") == 2


def test_what_no_rule_sets_any_more_names_the_line_that_did() -> None:
    base = documented("pagat")
    moves = house(rule("kitty", "dealer picks-up kitty\ndealer discards 4 cards of hand\ndo reveal\n"))
    (warning,) = never_set(base, complete(moves), complete(base))
    assert warning.message.endswith("it is set in `kitty`, by `dealer picks-up kitty as picked-up`")


def test_a_variable_of_the_house_rule_itself_may_be_never_set() -> None:
    base = documented("pagat")
    shown = house(
        "state:\n  laid: {type: cards}\n"
        + rule("reveal", "if number of laid > 0:\n    dealer shows laid from hand of dealer to everyone\n")
    )
    (warning,) = never_set(base, complete(shown), complete(base))
    assert warning.message == "`laid` is used but never set: it is always empty"


def test_trumps_that_no_rule_uses_are_a_warning_with_the_line_that_uses_them() -> None:
    """Whether they are chosen or set, and although all that the base leaves open is assumed."""
    base = documented("whist")
    own = (
        "  trick-winner:\n    rule: players with the highest rank of played among players with suit of played = {}\n"
        "    assumes: a test\n"
    )
    plain, with_trumps = (
        house("rules:\n" + own.format(x), "whist") for x in ("led", WITH_TRUMPS.split(" = ", 1)[1])
    )
    (warning,) = never_set(base, complete(plain), complete(base))
    assert (warning.code, warning.message) == (
        "never-used",
        f"`trump` is set but never used: with trumps, `trick-winner` is `{WITH_TRUMPS}`",
    )
    assert not is_new(complete(plain)["rules-complete"], complete(base)["rules-complete"])
    assert not any(never_set(base, complete(with_trumps), complete(base)))


@RUN
def test_a_base_without_its_gifts_is_still_checked_for_faults() -> None:
    """The proof about matches has premises then, but depends on no check."""
    gifts = rule(
        "exchange-amounts",
        "for taker in players with over < 0, clockwise from giver:\n"
        "    giver gives 2 cards of hand to taker\n",
    )
    (finding,) = found(house(gifts), ["no-fault"])
    assert finding.verdict.proved
    assert not any(detail.startswith("depends on") for detail in finding.details)
