"""What a close reading of the five documents found, each as a case: a scenario, a verdict, a rule sheet or a trace."""

from __future__ import annotations

from typing import Any

import pytest

from budget import RUN
from checker.rulesets_for_tests import LIBRARY, documented, found
from trickproof.analysis.usage import program_usage, usage_of
from trickproof.checking.verdict import Verdict
from trickproof.equivalence.restatement import shown_restatements
from trickproof.reports.rulesets.rulesheet import rulesheet
from trickproof.reports.rulesets.source_coverage import trace
from trickproof_dsl.scenarios.replay import replay_scenario

Json = dict[str, Any]
VARIANTS = ("nine-five-two", "pagat-all-sixteen", "pagat-kitty-first", "shawn-51", "tallyn", "weaver-four")


def replay(ruleset: str, **scenario: Any) -> Json:
    """The answer to a scenario; it is dealt from a seed."""
    return replay_scenario(documented(ruleset), {"ruleset": ruleset, "seed": 1, **scenario})


def gaps(name: str) -> dict[str, str]:
    (finding,) = found(documented(name), ["rules-complete"])
    assert finding.verdict is Verdict.UNSPECIFIED
    assert finding.known
    return {gap.rule: gap.what for gap in finding.gaps}


def assumptions(name: str, rule: str) -> str:
    return "; ".join(a.assumes for a in trace([documented(name)]).assumptions if a.rule == rule)


def by(name: str, statement: str) -> set[str]:
    (document,) = trace([documented(name)]).documents
    return {use.name for t in document[1] if t.statement.id == statement for use in t.by}


# ----------------------------------------------------------------------------------- what variants inherit


def test_tallyn_offers_no_goal_since_its_own_end_has_none() -> None:
    assert documented("tallyn").program.parameters == {}
    assert documented("nine-five-two").program.parameters == {"goal": (10, 20)}
    assert "Agreed" not in rulesheet(documented("tallyn"), "md")
    assert "oal" not in rulesheet(documented("tallyn"), "md").split("## ")[0]
    assert replay("tallyn", params={"goal": 20})["error"]["message"] == "unknown parameter `goal`"


def test_weaver_inherits_what_the_letter_does_not_say_on_assumptions() -> None:
    assumed = gaps("weaver-four")
    for rule in ("end", "winner", "payout", "next-dealer"):
        assert assumed[rule].startswith(("is inherited, by assumption", "is inherited, partly by assumption"))
    assert by("weaver-four", "s135") >= {"inherits"}


def test_tallyn_builds_on_an_assumption() -> None:
    assumed = gaps("tallyn")
    assert "heading “9-5-2”" in assumed["scoring"]
    assert "in the first deal" in assumed["exchange-timing"]
    assert "are part of the hand" in assumed["exchange-returns"]
    assert "the dealer's target is that of 9-5-2" in assumed["targets"]
    assert by("tallyn", "s115") == {"inherits"}


# --------------------------------------------------------------------------------- ways of dealing


@pytest.mark.parametrize(
    ("name", "rule", "statements"),
    [
        ("pagat", "deal-one-at-a-time", ("pagat-de.s16", "pagat-de.s45")),
        ("shawn-51", "deal-one-at-a-time", ("pagat-de.s16",)),
        ("weaver-four", "deal-one-at-a-time", ("pagat-de.s16",)),
        ("six-over", "deal-with-pauses", ("six-over.s8", "six-over.s9")),
    ],
)
def test_ways_of_dealing_are_proved_the_same_and_cited_as_such(
    name: str, rule: str, statements: tuple[str, ...]
) -> None:
    (finding,) = found(documented(name), [rule])
    assert finding.verdict is Verdict.PROVED
    assert "does the same as `deal`" in finding.message
    assert set(statements) <= set(finding.cites)
    uses = {use for _, some in trace([documented(name)]).documents for t in some for use in t.by}
    assert ("deal", rule) in {(use.same_as, use.name) for use in uses}


def test_a_way_of_dealing_that_deals_otherwise_is_not_proved() -> None:
    path = documented("pagat").path
    text = path.read_text(encoding="utf-8").replace("repeat 16 times", "repeat 15 times")
    ruleset, wrong = LIBRARY.load_text(text, str(path))
    assert ruleset is not None, wrong
    (finding,) = found(ruleset, ["deal-one-at-a-time"])
    assert finding.verdict is Verdict.UNDECIDED
    uses = {use.name for _, some in trace([ruleset]).documents for t in some for use in t.by}
    assert "deal-one-at-a-time" not in uses


# ---------------------------------------------------------------------------------------- what is played


@pytest.mark.parametrize(
    ("over", "gifts"),
    [
        ([2, -2, 2, -2], {(0, 3): 2, (2, 1): 2}),
        ([2, 2, -2, -2], {(0, 2): 2, (1, 3): 2}),
        ([-2, -1, 2, 1], {(2, 0): 1, (2, 1): 1, (3, 0): 1}),
    ],
)
def test_weaver_sharpens_the_competition_only_where_the_overtricks_differ(
    over: list[int], gifts: dict[tuple[int, int], int]
) -> None:
    """Equally up, nobody gives to the left, though two opponents could be made to compete."""
    due = replay("weaver-four", over=over)["variables"]["due"]
    assert {(g, t): n for g, row in enumerate(due) for t, n in enumerate(row) if n} == gifts


def test_weavers_guidelines_may_bind_or_not() -> None:
    """As advice they leave it to the first of those who were up how many cards go to whom."""
    asked = replay("weaver-four", over=[2, 2, -2, -2], readings={"contest": "guidelines-advise"})["next"]
    assert (asked["player"], asked["move"], asked["min"], asked["max"]) == (1, "give", 0, 2)


@pytest.mark.parametrize("name", ["gamerules", "gamerules-mirror"])
def test_gamerules_lets_a_giver_split_as_many_cards_as_tricks_up(name: str) -> None:
    """Player 1 was three up; players 2 and 0 were down by two and one: three cards, to either of them."""
    scenario: Json = {"over": [-1, 3, -2]}
    first = replay(name, **scenario)["next"]
    assert (first["player"], first["min"], first["max"]) == (1, 0, 3)
    narrow = replay(name, **scenario, readings={"exchange-amounts": "as-many-as-down"})["next"]
    assert narrow["max"] == 2
    assert documented(name).program.readings["exchange-amounts"] == ("any-split", "as-many-as-down")


@pytest.mark.parametrize("name", ["gamerules", "gamerules-mirror"])
def test_gamerules_shows_after_the_discard_on_assumptions(name: str) -> None:
    text = assumptions(name, "reveal")
    for word in ("after the discard", "from the kitty", "of the suit", "the lowest"):
        assert word in text


@pytest.mark.parametrize(
    ("name", "over"), [("trumpet-major", [-4, 2, 2]), ("six-over", [-4, 2, 2]), ("six-over", [2, -3, 1])]
)
@RUN
def test_whose_target_orders_two_givers_is_a_reading(name: str, over: list[int]) -> None:
    """Dealer 0: the targets are 8, 5, 3 now; in the last hand, which player 2 dealt, they were 5, 3, 8."""
    coming = replay(name, over=over)["next"]["player"]
    last = replay(name, over=over, readings={"exchange-order": "last-deal"})["next"]["player"]
    now, before = (8, 5, 3), (5, 3, 8)
    ups = [p for p, up in enumerate(over) if up > 0]
    assert (coming, last) == (max(ups, key=now.__getitem__), max(ups, key=before.__getitem__))
    (finding,) = found(documented(name), ["exchange-order-determined"])
    assert (finding.verdict, finding.known) == (Verdict.REFUTED, True)
    assert "last deal's" in str(finding.reason)


@pytest.mark.parametrize("way", ["trump-first", "kitty-first"])
def test_kitty_first_may_be_before_or_after_trump(way: str) -> None:
    """The discard comes after trump either way: only its place before the kitty is given up."""
    start = replay("pagat-kitty-first", over=[0, 0, 0], readings={"after-exchange": way})
    assert start["next"]["move"] == "trump"
    assert ("take-kitty" in [event["event"] for event in start["events"]]) == (way == "kitty-first")
    named = replay(
        "pagat-kitty-first",
        over=[0, 0, 0],
        readings={"after-exchange": way},
        moves=[{"player": start["next"]["player"], "move": "trump", "suit": "S"}],
    )
    assert named["next"]["move"] == "discard"
    assert documented("pagat-kitty-first").program.readings["after-exchange"] == WAYS


WAYS = ("trump-first", "kitty-first")


@pytest.mark.parametrize(
    ("name", "follows", "contradicts"),
    [
        ("nine-five-two", {"s24", "s64"}, {"s23", "s65"}),
        ("pagat-kitty-first", {"s24", "s64"}, {"s23", "s65"}),
        ("tallyn", {"s21", "s22", "s24"}, {"s20", "s23", "s64", "s65"}),
        ("shawn-51", {"s16", "s21", "s22"}, {"s45"}),
        ("weaver-four", {"s16"}, {"s45", "s59", "s62"}),
    ],
)
def test_variants_contradict_just_what_they_do_not_follow(
    name: str, follows: set[str], contradicts: set[str]
) -> None:
    """9-5-2 discards after trump as before, only with the kitty in hand; Tallyn's dealer does so before trump."""
    (document,) = trace([documented(name)]).documents
    status = {t.statement.id: t.status for t in document[1]}
    assert {status[statement] for statement in follows} == {"encoded"}
    assert {status[statement] for statement in contradicts} == {"contradicted"}


# ------------------------------------------------------------------------------------- what is recorded


def test_tallyns_two_winners_are_possible() -> None:
    """Scores sum to zero, so two cannot be equal when a third has exactly -15."""
    (known,) = [k.reason.value for k in documented("tallyn").own.known if k.check.value == "unique-winner"]
    assert "8, 8 and -16" in known


def test_every_gap_of_six_over_and_weaver_is_in_what_is_known() -> None:
    reasons = {
        name: next(k.reason.value for k in documented(name).own.known if k.check.value == "rules-complete")
        for name in ("six-over", "weaver-four")
    }
    for word in ("rank", "contract", "at once", "highest", "at least six", "who wins"):
        assert word in reasons["six-over"]
    for word in ("bind", "seat", "part of the hand", "ends", "wins", "paid", "deals next"):
        assert word in reasons["weaver-four"]


def test_the_ace_of_the_german_page_is_high_by_an_example() -> None:
    assert "deck" in by("pagat", "s144")
    assert "only in an example" in assumptions("pagat", "deck")


def test_the_end_of_six_over_is_said_under_the_heading_winning() -> None:
    assert {"end", "winner"} <= by("six-over", "s52")
    assert "the section Winning" in assumptions("six-over", "winner")


def test_neither_rule_page_is_called_the_original() -> None:
    mirror = documented("gamerules-mirror")
    words = [mirror.title, *(known.reason.value for known in mirror.own.known)]
    assert not any("copy of" in text or "it copies" in text for text in words)


@pytest.mark.parametrize("name", VARIANTS)
def test_no_variant_cites_a_statement_for_a_rule_it_never_comes_to(name: str) -> None:
    """What a variant traces, its program can reach."""
    program = documented(name).program
    names = {use.name for _, some in trace([documented(name)]).documents for t in some for use in t.by}
    stated = usage_of(*(i.condition for i in program.invariants.values()))
    runs = program_usage(program).rules | stated.rules | program.invariants.keys()
    runs |= shown_restatements(documented(name)).keys()
    examples = {example.name.value for example in documented(name).whole.examples}
    assert names <= runs | examples | program.variables.keys() | {"players", "deck", "inherits"}
