"""Search against OpenSpiel's own searcher through the adapter: no worse in points, though it takes no more time.

Each of the two plays one seat of the same first deals against greedy players who stop at their target, and avoid tricks where there is
none: among those who do not, the points of hearts differ so much that few deals show nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import pytest

from checker.adapters.peer_rulesets import ROOT
from checker.search.matches import mean
from trickproof.adapters import policies
from trickproof.testing.greedy_player import greedy_player

pytest.importorskip("pyspiel")
np = pytest.importorskip("numpy")

ismcts, mcts = (
    importlib.import_module(f"open_spiel.python.algorithms.{name}") for name in ("ismcts", "mcts")
)
openspiel = importlib.import_module("trickproof.adapters.openspiel")

ROLLOUTS, SIMULATIONS = 50, 5
"""Of ours and of theirs; so few of theirs take more than twenty times as long."""

DEALS = 12
"""Deals, each played once for every seat and both searchers."""


def theirs(game: Any, seed: int) -> Any:
    """OpenSpiel's information set Monte Carlo tree search, with an exploration constant of the order of the points of a deal."""
    return ismcts.ISMCTSBot(
        game=game,
        uct_c=5.0,
        max_simulations=SIMULATIONS,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed)),
        random_state=np.random.RandomState(seed),
    )


@pytest.fixture(autouse=True)
def greedy_players_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        policies, "policy_player", lambda _, seed, lines: greedy_player(seed, stops=True, lines=lines)
    )


def played(game: Any, seat: int, seed: int, searcher: Any) -> tuple[float, float]:
    """The points of a seat in one deal, and the time that its searcher takes."""
    bots = [openspiel.bot(game, other, "greedy", seed=seed) for other in range(game.num_players())]
    random, state, seconds = Random(seed), game.new_initial_state(), 0.0
    while not state.is_terminal():
        if state.is_chance_node():
            action = random.choice(state.legal_actions())
        elif state.current_player() == seat:
            begin = process_time()
            action = searcher.step(state)
            seconds += process_time() - begin
        else:
            action = bots[state.current_player()].step(state)
        state.apply_action(action)
    return state.returns()[seat], seconds


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pagat", "games/oh-hell", "games/hearts"])
def test_search_is_not_worse_in_no_more_time(name: str) -> None:
    game = openspiel.game(ROOT / f"rulesets/{name}.yaml")
    searchers: list[Callable[[int, int], Any]] = [
        lambda seat, seed: openspiel.bot(game, seat, f"search:{ROLLOUTS}", seed=seed),
        lambda seat, seed: theirs(game, seed),
    ]
    played(game, 0, 0, searchers[0](0, 0))  # compiles
    gained, spent = [], [0.0, 0.0]
    for seed in range(DEALS):
        for seat in range(game.num_players()):
            ours, others = (played(game, seat, seed, searcher(seat, seed)) for searcher in searchers)
            gained.append(ours[0] - others[0])
            spent = [spent[0] + ours[1], spent[1] + others[1]]
    found = mean(gained)
    assert spent[0] <= spent[1]
    assert found.low >= 0
