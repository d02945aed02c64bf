"""A few questions that tell variants apart, and the nearest documented game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented, house, rule
from trickproof.diff.decision_tree import quiz
from trickproof.diff.nearest import neighbours
from trickproof.diff.questions import Tree, in_words
from trickproof.diff.ruleset_diff import Diff, all_pairs, grouped, some_pairs
from trickproof.reports.comparison.diff import groups_text
from trickproof.reports.comparison.nearest import nearest_document, nearest_text
from trickproof.reports.comparison.quiz import quiz_document, quiz_text
from trickproof.support.serialise import serialised
from trickproof_dsl.library import Ruleset

VARIANTS = ("pagat", "pagat-kitty-first", "pagat-all-sixteen")


@cache
def pairs(*names: str) -> dict[tuple[str, str], Diff]:
    return all_pairs([documented(name) for name in names], 1)


def asked(*names: str) -> Tree:
    rulesets = [documented(name) for name in names]
    return quiz(rulesets, lambda some: some_pairs(some, 1))


def leaves(tree: dict[str, Any]) -> list[list[str]]:
    if "rulesets" in tree:
        return [tree["rulesets"]]
    return [leaf for answer in tree["answers"] for leaf in leaves(answer["then"])]


@RUN
def test_three_variants_take_two_questions() -> None:
    tree = asked(*VARIANTS)
    assert tree.depth == 2
    assert sorted(leaves(serialised(quiz_document(tree))["tree"])) == sorted([name] for name in VARIANTS)
    assert tree.question is not None
    assert tree.question.aspect == "kitty"
    rulesets = [documented(name) for name in VARIANTS]
    words, deals = quiz_text(tree, rulesets), quiz_text(tree, rulesets, deals=True)
    for text in (words, deals):
        assert all(f"→ {name}" in text for name in VARIANTS)
        assert "Does the dealer discard before taking the kitty, or after?" in text
    assert ("Dealer  ♣" in words, "Dealer  ♣" in deals) == (False, True)
    assert "  Dealer chooses trump ♣\n- before: Dealer must discard exactly 4 of 16 cards" in deals
    assert "- after: Dealer picks up" in words
    assert "trick 16: Left 6♦, Right A♠, Dealer 7♥; Left wins" in " ".join(deals.split())


@RUN
def test_only_pairs_that_no_question_distinguishes_are_compared() -> None:
    rulesets = [documented(name) for name in (*VARIANTS, "hearts", "shawn-51")]
    compared: list[tuple[str, str]] = []

    def compare(some: Sequence[tuple[Ruleset, Ruleset]]) -> dict[tuple[str, str], Diff]:
        compared.extend((a.named, b.named) for a, b in some)
        return some_pairs(some, 1)

    tree = quiz(rulesets, compare)
    assert tree.depth == 4
    assert all(len(leaf) == 1 for leaf in leaves(serialised(quiz_document(tree))["tree"]))
    assert compared[0] == VARIANTS[:2]  # hearts has other players, shawn-51 other cards
    assert {*compared} <= {*combinations(VARIANTS, 2)}
    assert len({*compared}) == len(compared)


@pytest.mark.parametrize(
    ("text", "asked", "answers"),
    [
        (
            rule("may-lead", "cards in hand with suit != trump"),
            "Which cards may a player lead?",
            ["any card in hand that is not a trump.", "any card in hand."],
        ),
        (  # neither can play a deal in which the other has discarded
            rule("kitty", "dealer discards 5 cards of hand\ndealer picks-up kitty as picked-up\ndo reveal"),
            "What does the dealer do with the kitty?",
            ["discards 4 cards", "discards 5 cards"],
        ),
        (
            rule("before-play", "do exchange-timing\nthe hand ends"),
            "What happens next?",
            ["nobody scores", "Left must play 1 of"],
        ),
    ],
)
def test_rules_that_belong_to_no_aspect_are_asked_about(text: str, asked: str, answers: list[str]) -> None:
    rulesets = [documented("pagat"), house(text)]
    tree = quiz(rulesets, lambda some: some_pairs(some, 1))
    assert tree.depth == 1
    told = quiz_text(tree, rulesets)
    assert asked in told
    assert all(answer in told for answer in answers)


def test_what_plays_the_same_is_not_asked_apart() -> None:
    tree = asked("gamerules", "gamerules-mirror")
    assert tree.depth == 0
    assert "which play the same" in quiz_text(tree, [])


@RUN
def test_classes() -> None:
    rulesets = [documented(name) for name in VARIANTS]
    groups = {x.aspect: x.groups for x in grouped(rulesets, pairs(*VARIANTS))}
    assert groups["kitty"] == (("pagat", "pagat-all-sixteen"), ("pagat-kitty-first",))
    assert groups["end"] == (("pagat", "pagat-kitty-first"), ("pagat-all-sixteen",))
    assert groups["lead"] == (VARIANTS,)


def test_rules_beside_the_aspects_have_classes_too() -> None:
    other = house(
        rule(
            "may-lead",
            "if some card in hand has suit != trump\nthen cards in hand with suit != trump\nelse hand",
        )
    )
    rulesets = [documented("pagat"), other]
    groups = grouped(rulesets, all_pairs(rulesets, 1))
    assert [x.groups for x in groups if x.aspect == "may-lead"] == [(("house.yaml",), ("pagat",))]
    assert "may-lead: 2 classes" in groups_text(groups, rulesets)


@RUN
@pytest.mark.parametrize("workers", [pytest.param(1, marks=RUN), 2])
def test_the_nearest_comes_first(workers: int) -> None:
    changed = house(rule("end", "some player has tricks > 13"))
    others = [documented(name) for name in VARIANTS]
    found = neighbours(changed, others, workers)
    told = serialised(nearest_document(changed, found))
    assert told["equal_to"] == []
    assert told["nearest"][0] == {
        "ruleset": "pagat",
        "equal": False,
        "different": ["end"],
        "undecided": [],
    }
    text = nearest_text(changed, found)
    assert "The closest documented ruleset to house is pagat; they differ in end." in text
    assert text.endswith("Next, see a deal for each difference: trickproof diff house.yaml pagat")


@RUN
def test_equal_is_proved() -> None:
    same = house(rule("end", "not (every player has tricks < 12)"))
    found = neighbours(same, [documented("pagat")], 1)
    assert nearest_document(same, found)["equal_to"] == ["pagat"]
    assert "house plays the same as pagat" in nearest_text(same, found)


@RUN
def test_two_files_of_one_id_are_kept_apart() -> None:
    one, other = (house(rule("end", f"some player has tricks >= {n}"), named=f"{n}.yaml") for n in (13, 14))
    rulesets = [documented("pagat"), one, other]
    groups = {x.aspect: x.groups for x in grouped(rulesets, all_pairs(rulesets, 1))}
    assert groups["end"] == (("13.yaml",), ("14.yaml",), ("pagat",))


def test_answers_do_not_list_options_unless_these_distinguish_them() -> None:
    trump = "player 0 must choose trump: clubs diamonds hearts spades"
    kitty = "player 0 picks up 6♣ 8♥ 10♥ 2♠; player 0 must discard exactly 4 of 20 cards"
    assert in_words([trump, kitty]) == [
        "player 0 must choose trump",
        "player 0 picks up 4 cards; player 0 must discard 4 of 20 cards",
    ]
    bids = ["player 1 must bid: 0 1 2", "player 1 must bid: 1 2"]
    assert in_words(bids) == bids
    assert in_words([*bids[:1], kitty])[0] == "player 1 must bid"
