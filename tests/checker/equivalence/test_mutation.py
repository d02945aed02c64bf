"""Small changes of a sound ruleset are noticed: most by a check, the others by a hand that goes differently."""

from __future__ import annotations

from functools import cache

import pytest

from budget import RUN, slow_but
from checker.mutant_verdicts import Original, Told, difference, fate, original
from checker.mutants import Mutant, mutants
from checker.rulesets_for_tests import documented
from trickproof.equivalence.normal_form import normal, same_in_other_words
from trickproof_dsl.core.well_formed import violations

FEW = 4
MANY = 40
TOLD_APART = 0.8
"""Of the mutants that are not the same in other words, at least so many are refuted or differ."""

REFUTED = 0.5
"""At least so many are refuted by a check."""


@cache
def of(name: str) -> Original:
    return original(documented(name), matches=15, sweeps=False)


def _some(name: str) -> list[Mutant]:
    return list(mutants(documented(name), FEW, seed=1))


def test_the_original_differs_from_itself_in_no_hand() -> None:
    pagat = of("pagat")
    assert pagat.hands
    assert {difference(hand, pagat.ruleset.program) for hand in pagat.hands} == {None}
    assert same_in_other_words(pagat.ruleset.program, pagat.ruleset.program)


def test_mutants_are_programs_of_their_own() -> None:
    made = _some("pagat")
    assert len({mutant.name for mutant in made}) == FEW
    assert made == _some("pagat")
    for mutant in made:
        assert violations(mutant.ruleset.program) == []
        assert mutant.ruleset.program != documented("pagat").program


@pytest.mark.parametrize("number", slow_but((1,), range(FEW)))
@RUN
def test_a_few_mutants_are_told_apart(number: int) -> None:
    told = fate(of("pagat"), _some("pagat")[number])
    assert told.fate in ("refuted", "different", "same"), f"{told.mutant.name}: {told.fate} {told.by}"


@pytest.mark.slow
def test_normal_form_does_not_join_what_differs() -> None:
    """Mutants that behave differently in some hand never share a normal form with the original."""
    pagat = of("pagat")
    for mutant in mutants(pagat.ruleset, 15, seed=2):
        if same_in_other_words(pagat.ruleset.program, mutant.ruleset.program):
            assert {difference(hand, mutant.ruleset.program) for hand in pagat.hands} == {None}, mutant.name
    assert normal(pagat.ruleset.program) != pagat.ruleset.program


@pytest.mark.slow
def test_score() -> None:
    pagat = original(documented("pagat"))
    told: list[Told] = [fate(pagat, mutant) for mutant in mutants(pagat.ruleset, MANY)]
    counted = [t for t in told if t.fate != "same"]
    assert sum(t.fate in ("refuted", "different") for t in counted) >= TOLD_APART * len(counted)
    assert sum(t.fate == "refuted" for t in counted) >= REFUTED * len(counted)
