"""A player who searches does better than random and greedy players, in every bundled game."""

from __future__ import annotations

from functools import cache

import pytest

from checker.adapters.peer_rulesets import ROOT, loaded
from checker.search.gates import gain
from checker.search.matches import Table, card_play, in_matches, mean

BETTER = (
    "pagat", "nine-five-two", "tallyn", "weaver-four", "shawn-51", "pagat-all-sixteen", "pagat-kitty-first",
    "trumpet-major", "six-over", "gamerules", "games/hearts", "games/oh-hell", "games/spades", "games/euchre",
    "games/weathercock", "games/skat", "games/whist",
)  # fmt: skip
"""The games in which search gains significantly: all of them."""

DEALS = {"weaver-four": 480, "games/oh-hell": 480, "games/whist": 2_000}
"""The number of deals needed to show it, if 120 are not enough."""

ROLLOUTS = {"games/whist": 200}
"""The number of rollouts with which it gains, if 50 are not enough.

In spades, where cards make a difference of hundreds of points, both play the same cards against greedy players.
"""


@pytest.mark.slow
@pytest.mark.parametrize("against", ["random", "greedy"])
@pytest.mark.parametrize("name", BETTER)
def test_search_gains(name: str, against: str) -> None:
    if (name, against) == ("games/spades", "greedy"):
        assert mean(card_play(Table(loaded(ROOT / f"rulesets/{name}.yaml")), 200, deals=250, seed=1)).low > 0
        return
    deals = DEALS.get(name, 120)
    rollouts = ROLLOUTS.get(name, 50)
    gained = gain(loaded(ROOT / f"rulesets/{name}.yaml"), against, rollouts, hands=deals, seed=7)
    assert gained.hands > deals / 2
    assert gained.low > 0


@cache
def gained_in_card_play(rollouts: int) -> list[float]:
    """Tricks over the target in first deals of pagat, card play alone, beyond those of a greedy player with the same cards."""
    return card_play(pagat(), rollouts, deals=400, seed=1)


@cache
def pagat() -> Table:
    return Table(loaded(ROOT / "rulesets/pagat.yaml"), stops=True)


@pytest.mark.slow
def test_card_play_gains_three_quarters_of_a_trick() -> None:
    gained = mean(gained_in_card_play(200))
    assert gained.number == 1200
    assert gained.low >= 0.75


@pytest.mark.slow
def test_more_rollouts_are_not_inferior() -> None:
    """200 rollouts compared with 50, with the same cards."""
    few, many = (gained_in_card_play(rollouts) for rollouts in (50, 200))
    assert mean([y - x for x, y in zip(few, many, strict=True)]).low >= -0.05


@pytest.mark.slow
def test_matches_gain_a_trick_and_a_half_a_deal() -> None:
    """Against two greedy players, who win fewer than one match in three each."""
    gained, won = in_matches(pagat(), 200, matches=150, seed=1)
    assert gained.low >= 1.5
    assert won > 0.8
