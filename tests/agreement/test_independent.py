"""The reference interpreter against the oracle, a second implementation that shares no code with it.

Law: for every documented ruleset and random scenario (any previous hand, deal and moves, some of them illegal), both
give the same events, state and next decision, or both refuse.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from independent.oracle import RULESETS, comparable, play, random_scenario
from trickproof_dsl import Library, Ruleset, render, replay_scenario

FOLDER = Path(__file__).parents[2] / "rulesets"
EACH = pytest.mark.parametrize("name", RULESETS)


@cache
def loaded(name: str) -> Ruleset:
    ruleset, problems = Library([FOLDER]).load(name)
    assert ruleset is not None, render(problems)
    return ruleset


def check(name: str, seeds: range) -> None:
    for seed in seeds:
        scenario = random_scenario(name, Random(f"{name} {seed}"))
        answer = replay_scenario(loaded(name), scenario)
        assert comparable(answer) == comparable(play(scenario)), scenario


def test_the_oracle_knows_every_documented_ruleset() -> None:
    assert sorted(RULESETS) == Library([FOLDER]).documented()


@EACH
def test_sixty_scenarios(name: str) -> None:
    check(name, range(60))


@pytest.mark.slow
@EACH
def test_two_thousand_scenarios(name: str) -> None:
    check(name, range(60, 2060))
