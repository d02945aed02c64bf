"""The peers' own suites on one ruleset, with our hooks: cards are conserved, and observing changes nothing.

Each function raises (AssertionError, pyspiel.SpielError …) if the suite finds something.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from pettingzoo.test import api_test, seed_test

from trickproof.adapters import openspiel, pettingzoo
from trickproof_dsl import Ruleset

MATCH = {"match": True, "most_hands": 3}
"""A match that is truncated early."""


def conserved(state: Any) -> None:
    """Every card of the deck is in exactly one zone, what players know is true, and hands have the stated sizes."""
    play = state.now
    cards = sorted(card for zone in play.state.zones.values() for card in zone)
    assert cards == list(range(len(play.terms.program.deck.cards)))
    assert play.known.sizes == {key: len(zone) for key, zone in play.state.zones.items()}
    for places in play.known.places:
        assert all(card in play.state.zones[place] for card, place in places.items())
    assert play.taken <= play.terms.most_actions
    assert len(play.picked) <= len(play.terms.program.deck.cards)


def random_sim(ruleset: Ruleset | Path, plays: int = 1, **choices: Any) -> None:
    """OpenSpiel's C++ suite, with our checks at every state."""
    game = openspiel.game(ruleset, **choices)
    pyspiel.random_sim_test(game, plays, True, False, state_checker_fn=conserved)


def games_sim(ruleset: Ruleset | Path, **choices: Any) -> None:
    """OpenSpiel's Python suite: clones, both serialisations of a state, pickled games, returns."""
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    np.random.seed(0)
    GamesSimTest().sim_game(openspiel.game(ruleset, **choices))


def pettingzoo_api(ruleset: Ruleset | Path, cycles: int = 60, **choices: Any) -> None:
    """PettingZoo's API test; any warning is an error, except that observations are dicts."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for harmless in ("Observation is not a NumPy array", "Observation space for each agent probably"):
            warnings.filterwarnings("ignore", message=harmless)
        api_test(pettingzoo.env(ruleset, **choices), num_cycles=cycles)


def pettingzoo_seed(ruleset: Ruleset | Path, cycles: int = 60, **choices: Any) -> None:
    """PettingZoo's test that the same seed gives the same play."""
    seed_test(lambda: pettingzoo.env(ruleset, **choices), num_cycles=cycles)


SUITES = {
    "random_sim_test": random_sim,
    "games_sim_test": games_sim,
    "api_test": pettingzoo_api,
    "seed_test": pettingzoo_seed,
}
