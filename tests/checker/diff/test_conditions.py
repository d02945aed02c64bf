"""Conditions in words: exact, short, of several cases where one does not do, and said in complete sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from budget import RUN
from checker.rulesets_for_tests import LIBRARY, documented, house, rule
from trickproof.diff.ruleset_diff import one_aspect
from trickproof.diff.witnesses.condition_learning import (
    necessary_condition,
    of_tricks,
    only_in_some,
    shortest_condition,
)
from trickproof.english.differences import difference_sentence
from trickproof.testing.match_search import divided

EVERY = list(divided(16, 3))


def learned(holds: list[bool]) -> str | None:
    return shortest_condition(
        [(of, dict(of_tricks(tricks, (), 0))) for of, tricks in zip(holds, EVERY, strict=True)]
    )


def test_a_seat_is_named() -> None:
    assert learned([tricks[0] >= 8 for tricks in EVERY]) == "the dealer takes at least 8 tricks"


def test_all_the_tricks_are_not_called_at_least_so_many() -> None:
    assert learned([max(tricks) == 16 for tricks in EVERY]) == "some player takes all the tricks"
    assert (
        learned([tricks[1] == 16 for tricks in EVERY])
        == "the player to the dealer's left takes all the tricks"
    )


def test_a_condition_on_the_deal_comes_before_those_on_players() -> None:
    first, up = "in any deal but the first", "the dealer was up"
    examples = [(a and b, {up: a, first: b}) for a in (False, True) for b in (False, True)]
    assert shortest_condition(examples) == "in any deal but the first in which the dealer was up"


def test_two_cases_are_two_conditions() -> None:
    either = learned([tricks[0] >= 10 or tricks[1] >= 12 for tricks in EVERY])
    assert either is not None
    assert set(either.split(", or when ")) == {
        "the dealer takes at least 10 tricks",
        "the player to the dealer's left takes at least 12 tricks",
    }


def test_what_no_short_condition_says_is_none() -> None:
    assert learned([sum(n * n for n in tricks) % 3 == 1 for tricks in EVERY]) is None


def test_a_necessary_condition_is_worded_as_one() -> None:
    cases = [(tricks[0] >= 8 and tricks[1] * tricks[2] % 3 == 1, tricks) for tricks in EVERY]
    examples = [(of, dict(of_tricks(tricks, (), 0))) for of, tricks in cases]
    assert shortest_condition(examples) is None
    condition = necessary_condition(examples)
    assert condition is not None
    named = condition.removeprefix("in some deals in which ").replace(", ", " and ").split(" and ")
    assert "the dealer takes at least 8 tricks" in named
    assert all(features[name] for holds, features in examples if holds for name in named)
    assert necessary_condition([(True, {"a": True}), (False, {"a": True})]) is None


def test_a_condition_that_holds_only_sometimes_is_necessary() -> None:
    assert (
        only_in_some("two were up, or when nobody was")
        == "in some deals in which two were up, or in which nobody was"
    )
    assert only_in_some("in every deal") is None


@RUN
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("last-trick-is-paid", "In every deal at least one player's payout differs."),
        (
            "spades-count-double",
            "The payout differs in some deals in which some player is up or down.",
        ),
        (
            "penny-for-an-exact-hand",
            "The payout differs when some player is up or down and some player takes exactly as many "
            "tricks as the target.",
        ),
        ("counting-out", "The winners differ when there are several winners under one but not under two."),
    ],
)
def test_what_depends_on_more_than_tricks_has_a_condition(name: str, sentence: str) -> None:
    ruleset, wrong = LIBRARY.load(name)
    assert ruleset is not None, wrong
    assert ruleset.extends is not None
    aspect = "winner" if name == "counting-out" else "payout"
    (way,) = one_aspect(documented(ruleset.extends), ruleset, aspect).ways
    assert difference_sentence(way.how, way.when, "one", "two") == sentence


@pytest.mark.parametrize(
    ("name", "aspect", "sentence"),
    [
        ("dealer-leads", "lead", "In every deal a different player leads to the first trick."),
        ("eight-four-four", "targets", "In every deal at least one player's target differs."),
    ],
)
def test_what_other_cards_or_values_decide_differs_in_every_deal(
    name: str, aspect: str, sentence: str
) -> None:
    """Whether or not cards are exchanged, and also where something else differs before."""
    ruleset, wrong = LIBRARY.load(name)
    assert ruleset is not None, wrong
    ways = one_aspect(documented("pagat"), ruleset, aspect).ways
    assert difference_sentence(ways[0].how, ways[0].when, "one", "two") == sentence


@pytest.mark.parametrize(
    ("how", "when", "sentence"),
    [
        ("the packs contain different cards", None, "The packs contain different cards."),
        ("the number of players differs", None, "The number of players differs."),
        (
            "others win",
            "there is a winner under {b} but not under {a}",
            "The winners differ when there is a winner under two but not under one.",
        ),
        ("how many cards (give)", "in every deal", "In every deal the number of cards given differs."),
        ("how many cards (take kitty)", None, "In some deals the number of cards taken differs."),
        ("how many cards (bury)", None, "In some deals the number of cards differs when “bury” happens."),
        ("what is done (give)", "nobody was up", "Cards are given in a different way when nobody was up."),
        (
            "who is dealt cards",
            "in every deal",
            "In every deal a different player is dealt cards at some point.",
        ),
        ("who is asked", "two players were up", "A different player must act when two players were up."),
        (
            "the match ends in a only",
            "in every deal",
            "In every deal the match ends under one but not under two.",
        ),
        ("score differs; payout differs", None, "In some deals the score and the payout differ."),
        (
            "what comes next (discard against take kitty)",
            "in every deal",
            "In every deal, at some point the next step is to discard under one, but to take the kitty under two.",
        ),
        (
            "what comes next (discard against choose “tries”)",
            "in every deal",
            "In every deal, at some point the next step is to discard under one, but to choose “tries” under two.",
        ),
        (
            "what comes next (deal against bury)",
            "in every deal",
            "In every deal, at some point the next step is to deal cards under one, but “bury” under two.",
        ),
        (
            "what comes next (another step against show)",
            None,
            "In some deals, at some point the next step is to show cards under two, but another one under one.",
        ),
        (
            "what comes next (nothing more against another step)",
            None,
            "In some deals, at some point something else happens under two but not under one.",
        ),
        ("what is done", "the dealer was down", "Something else happens next when the dealer was down."),
        (
            "what comes next (nothing more against show)",
            "the dealer was down",
            "When the dealer was down, at some point cards are shown under two but not under one.",
        ),
        (
            "what comes next (show against nothing more)",
            "in some deals, depending on the cards and choices",
            "In some deals, depending on the cards and choices, at some point cards are shown under one but not under two.",
        ),
        ("total differs", "two players were up", "“total” differs when two players were up."),
        ("over differs; others win", None, "In some deals the result differs and the winners differ."),
        (
            "the cards are thrown in in b only",
            None,
            "In some deals the cards are thrown in under two but not under one.",
        ),
    ],
)
def test_sentences(how: str, when: str | None, sentence: str) -> None:
    assert difference_sentence(how, when, "one", "two") == sentence


@RUN
def test_what_differs_in_every_deal_is_said_to() -> None:
    """Who is asked first differs in some deals only, the targets in those as well."""
    targets = (
        "target of dealer becomes 9\ntarget of left of dealer becomes 3\ntarget of right of dealer becomes 4"
    )
    compared = one_aspect(documented("pagat"), house(rule("targets", targets)), "targets")
    assert {(way.how, way.when) for way in compared.ways} == {
        ("target differs", "in every deal"),
        ("who is asked", "two players were up and the dealer was not up"),
    }


def test_a_player_without_a_trick_takes_none() -> None:
    assert learned([tricks[0] == 0 for tricks in EVERY]) == "the dealer takes no tricks"


@pytest.mark.parametrize(
    ("holds", "words"),
    [
        (lambda tricks: 0 in tricks, "some player takes no tricks"),
        (lambda tricks: min(tricks) >= 5, "every player takes at least 5 tricks"),
        (lambda tricks: tricks[0] == 8, "the dealer takes exactly 8 tricks"),
        (
            lambda tricks: 0 in tricks and max(tricks) < 12,
            "some player takes no tricks and no player takes 12 or more tricks",
        ),
    ],
)
def test_the_fewest_and_exact_numbers_are_named(holds: Callable[[Sequence[int]], bool], words: str) -> None:
    assert learned([holds(tricks) for tricks in EVERY]) == words


def test_a_target_is_missed_by_a_seat() -> None:
    over = [tuple(n - target for n, target in zip(tricks, (8, 5, 3), strict=True)) for tricks in EVERY]
    examples = [(of[0] != 0, dict(of_tricks(tricks, of, 0))) for of, tricks in zip(over, EVERY, strict=True)]
    assert shortest_condition(examples) == "the dealer is up or down"


def test_no_part_of_a_condition_is_redundant() -> None:
    """The widest part comes first, and the two that are needed anyway cover all of it."""
    parts = {"wide": range(1, 5), "low": range(3), "high": range(3, 6)}
    examples = [(i < 6, {name: i in numbers for name, numbers in parts.items()}) for i in range(7)]
    assert shortest_condition(examples) == "low, or when high"


SOME = "in some deals, depending on the cards and choices"


@RUN
@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("dealer chooses trump from suits or none", "in every deal"),
        ("left of dealer chooses trump", "in every deal"),
        ("dealer chooses trump with number of (cards c in hand of dealer with suit of c = trump) >= 4", SOME),
    ],
)
def test_what_depends_on_the_cards_is_not_so_in_every_deal(text: str, when: str) -> None:
    """With four cards of each suit, a dealer who needs four of a suit may choose any."""
    assert [
        way.when for way in one_aspect(documented("pagat"), house(rule("trump", text)), "trump").ways
    ] == [when]


@pytest.mark.parametrize(
    ("deck", "how"),
    [
        ("ranks: 3 2 4 5 6 7 8 9 T J Q K A", "the cards rank in a different order"),
        ("without: 2C", "the packs contain different cards"),
    ],
)
def test_packs(deck: str, how: str) -> None:
    other = house(f"deck:\n  {deck}\n  assumes: a test\n")
    assert [way.how for way in one_aspect(documented("pagat"), other, "deck").ways] == [how]
