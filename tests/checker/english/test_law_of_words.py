"""Two rules that differ do not read the same: over mutants of the rule texts of all documented rulesets."""

from __future__ import annotations

from functools import cache

import pytest

from checker.english.text_mutants import TextMutant, text_mutants
from checker.rulesets_for_tests import LIBRARY, SESSION, documented
from trickproof.diff.ruleset_diff import play_the_same
from trickproof.english.aspects import describe
from trickproof.english.vocabulary import ASPECTS
from trickproof_dsl.library import Ruleset

Words = dict[str, object]

BY_DEFAULT = 40
"""One in so many mutants of one ruleset is read by default."""


def words(ruleset: Ruleset, rule: str) -> Words:
    """Everything that is said of a ruleset's aspects, and of one rule."""
    said: Words = {}
    for aspect in dict.fromkeys((*ASPECTS, rule)):
        cell = describe(ruleset, aspect)
        said[aspect] = (cell.text, cell.terms, [(x.name, x.text) for x in cell.readings], cell.gap)
    return said


@cache
def base_words(name: str, rule: str) -> Words:
    return words(documented(name), rule)


def reads_the_same(base: Ruleset, mutant: TextMutant) -> bool:
    return words(mutant.ruleset, mutant.rule) == base_words(base.named, mutant.rule)


def alike(name: str, one_in: int) -> tuple[int, list[str]]:
    """How many mutants were read, and those that read like the ruleset and are not shown to play like it."""
    base, number, wrong = documented(name), 0, []
    for mutant in text_mutants(base, one_in):
        number += 1
        if reads_the_same(base, mutant) and not play_the_same(base, mutant.ruleset, SESSION):
            wrong.append(mutant.name)
    return number, wrong


def test_a_few_mutants_read_otherwise() -> None:
    number, wrong = alike("pagat", BY_DEFAULT)
    assert number
    assert wrong == []


def test_cards_counted_as_something_else_are_said_to_be() -> None:
    base = documented("pagat")
    moved = list(text_mutants(base, only="exchange-returns"))
    assert moved
    assert not any(reads_the_same(base, mutant) for mutant in moved)


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARY.documented())
def test_mutants_read_otherwise(name: str) -> None:
    _, wrong = alike(name, 1)
    assert wrong == []
