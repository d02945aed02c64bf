"""What is shown to do the same is the same in other words, for all cards and choices; what differs never is."""

from __future__ import annotations

from functools import cache

import pytest

from budget import RUN
from checker.mutant_verdicts import Original, difference, original
from checker.mutants import mutants
from checker.rulesets_for_tests import documented, house, rule
from trickproof.checks import all_checks
from trickproof.equivalence.normal_form import same_in_other_words
from trickproof.equivalence.partial_evaluation import residue
from trickproof.equivalence.program_equivalence import same
from trickproof.proofs.symbolic.hand_parts import split
from trickproof.testing.subject import Subject

EXCHANGE = """
for giver in players with over > 0, highest target first, ties impossible:
    for taker in players with over {under}, clockwise from giver:
        if number of (players with over > 0) = 1:
            giver gives {amount} cards of hand to taker as gift(giver, taker)
        else:
            giver gives over of giver cards of hand to taker as gift(giver, taker)
    for taker in players with over < 0, clockwise from giver:
        taker returns highest of hand matching gift(giver, taker) to giver as returned(taker, giver)
"""

SAME = {
    "who is even is given nothing": EXCHANGE.format(under="<= 0", amount="under of taker"),
    "the amount by another road": EXCHANGE.format(under="< 0", amount="0 - over of taker"),
    "one to each by turns": EXCHANGE.format(under="< 0", amount="larger(under of taker, 0)"),
}
DIFFERENT = {
    "one card fewer": EXCHANGE.format(under="< 0", amount="(under of taker - 1)"),
    "the lowest return": EXCHANGE.format(under="< 0", amount="under of taker").replace(
        "returns highest", "returns lowest"
    ),
    "who is down by two": EXCHANGE.format(under="< -1", amount="under of taker"),
}


@cache
def pagat() -> Subject:
    return Subject(documented("pagat"), all_checks())


@cache
def played() -> Original:
    return original(documented("pagat"), matches=15, sweeps=False)


@RUN
@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in SAME.items()])
def test_the_same_in_other_words(text: str) -> None:
    assert same(pagat(), house(rule("exchange-order", text)).program)


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in DIFFERENT.items()])
def test_not_the_same(text: str) -> None:
    assert same(pagat(), house(rule("exchange-order", text)).program) is None


def test_a_zone_is_not_counted_before_it_is_emptied() -> None:
    counted, taken = "saved becomes number of kitty", "dealer picks-up kitty as picked-up"
    state = "state:\n  saved: {type: integer}\n"
    both = [
        f"dealer discards 4 cards of hand\n{one}\n{other}"
        for one, other in ((counted, taken), (taken, counted))
    ]
    one, other = (house(state + rule("kitty", text)).program for text in both)
    assert not same_in_other_words(one, other)


@pytest.mark.slow
def test_mutants_that_differ_in_a_hand_are_never_the_same() -> None:
    differing = 0
    for mutant in mutants(documented("pagat"), 15, seed=3):
        if any(difference(hand, mutant.ruleset.program) for hand in played().hands):
            differing += 1
            assert same(pagat(), mutant.ruleset.program) is None, mutant.name
    assert differing >= 5


def test_a_residue_holds_only_cards_and_choices() -> None:
    program = documented("pagat").program
    known = {("first-hand",): False, ("dealer",): 0}
    known |= {("over", 0): 2, ("over", 1): -1, ("over", 2): -1}
    steps, after = residue(program, known, {}, {}, split(program)[0][:-1])
    told = [getattr(step, "label", type(step).__name__) for step in steps]
    dealt, given = ["Shuffle", "Deal", "Deal", "Deal", "Deal"], ["give", "Assign", "give"] * 2
    answered, kitty = ["Assign", "return"] * 2, ["discard", "discard", "Assign", "take-kitty", "show", "show"]
    assert told == [*dealt, *given, *answered, "trump", "Assign", *kitty]
    assert [dict(after)[("target", p)] for p in range(3)] == [8, 5, 3]
