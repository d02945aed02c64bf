"""The reference interpreter against the oracle, a second implementation that shares no code with it.

Law: for every documented ruleset and random scenario (any previous deal, cards and moves, some of them
illegal), both give the same events, state and next decision, or both refuse.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from budget import seeds
from independent.oracle import RULESETS, comparable, play, random_scenario
from trickproof_dsl import Library, Ruleset, render, replay_scenario

FOLDER = Path(__file__).parents[2] / "rulesets"
EACH = pytest.mark.parametrize("name", RULESETS)


@cache
def loaded(name: str) -> Ruleset:
    ruleset, problems = Library([FOLDER]).load(name)
    assert ruleset is not None, render(problems)
    return ruleset


def test_the_oracle_knows_every_documented_ruleset() -> None:
    assert sorted(RULESETS) == Library([FOLDER]).documented()


@pytest.mark.grows("agreement.scenarios")
@EACH
def test_random_scenarios(name: str) -> None:
    for seed in seeds("agreement.scenarios"):
        scenario = random_scenario(name, Random(f"{name} {seed}"))
        answer = replay_scenario(loaded(name), scenario)
        assert comparable(answer) == comparable(play(scenario)), scenario
