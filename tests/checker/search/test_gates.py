"""A player who searches does better than random and greedy players, in every bundled game."""

from __future__ import annotations

import pytest

from checker.adapters.peer_rulesets import ROOT, loaded
from checker.search.gates import gain

BETTER = (
    "pagat", "nine-five-two", "tallyn", "weaver-four", "shawn-51", "pagat-all-sixteen", "pagat-kitty-first",
    "trumpet-major", "six-over", "gamerules", "games/hearts", "games/oh-hell", "games/spades", "games/euchre",
    "games/weathercock", "games/skat", "games/whist",
)  # fmt: skip
"""The games in which 50 rollouts gain significantly: all of them."""

DEALS = {"games/whist": 1_500}
"""The number of deals needed to show it, if 120 are not enough."""


@pytest.mark.slow
@pytest.mark.parametrize("against", ["random", "greedy"])
@pytest.mark.parametrize("name", BETTER)
def test_search_gains(name: str, against: str) -> None:
    deals = DEALS.get(name, 120)
    gained = gain(loaded(ROOT / f"rulesets/{name}.yaml"), against, rollouts=50, hands=deals, seed=7)
    assert gained.hands > deals / 2
    assert gained.low > 0


@pytest.mark.slow
def test_more_rollouts_do_not_lose_in_pagat() -> None:
    """200 rollouts compared with 50, in points of the first deal against greedy players."""
    pagat = loaded(ROOT / "rulesets/pagat.yaml")
    few, many = (gain(pagat, "greedy", rollouts, hands=120, seed=7) for rollouts in (50, 200))
    assert many.mean - few.mean > -((many.error**2 + few.error**2) ** 0.5) - 0.05
