"""The cost of search: rollouts and decisions per second on one core, compared with random simulation and OpenSpiel's searcher.

    python tests/benchmarks/search.py [--deals 6] [--rounds 3] [RULESET…]

Reported are medians over the rounds, in processor time.  Ratios are between figures of the same round; unlike seconds, they are
comparable between machines.  OpenSpiel's searcher is the one written in Python, the only one that can play games written in Python;
it is skipped if it is not installed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from checker.adapters.peer_rulesets import ROOT, loaded
from checker.search.hands import engine_of, moments, seen_by_actor
from trickproof.information.record import HOLE
from trickproof.information.stream import Stream
from trickproof.search.candidates import question
from trickproof.search.engine import SearchEngine
from trickproof.search.player import SearchPlayer
from trickproof.search.worlds import Worlds
from trickproof.simulate.api import simulate
from trickproof.simulate.script.machine import Setting
from trickproof_dsl.library import Ruleset

HANDS, ROLLOUTS, SIMULATIONS = 100_000, 2_000, 200


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rulesets", nargs="*", default=["pagat", "games/whist", "games/hearts"])
    parser.add_argument("--deals", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for name in options.rulesets:
        ruleset = loaded(ROOT / f"rulesets/{name}.yaml")
        rounds = [measured(ruleset, options.deals) for _ in range(options.rounds)]
        print(name)
        for key in rounds[0]:
            print(f"  {key:44} {median(x[key] for x in rounds):14,.2f}")


def measured(ruleset: Ruleset, deals: int) -> dict[str, float]:
    """The figures of one round."""
    engine = engine_of(ruleset)
    first = next(moments(ruleset, 1))
    hands = per_second(lambda: simulate(ruleset, hands=HANDS), HANDS)
    setting = Setting([0, *first.words], 1, engine.form.first + 1, engine.form.first + 1, 1, 0)
    rollouts = per_second(lambda: engine.machine.tried(setting, [HOLE], HANDS, 1, HANDS), HANDS)
    figures = {"random hands a second (simulate)": hands, "whole hands as rollouts a second": rollouts}
    figures["… to random hands"] = rollouts / hands
    styled = replace(setting, styles=engine.styles)
    rollouts = per_second(lambda: engine.machine.tried(styled, [HOLE], HANDS, 1, HANDS), HANDS)
    figures["… in the style that rollouts are played in"] = rollouts
    figures["… to random hands, in that style"] = rollouts / hands
    asked = [x.words for x in moments(ruleset, deals, seed=1)]
    figures["rollouts a second from the middle of deals"] = from_the_middle(engine, asked)
    for budget in (50, 200):
        player = SearchPlayer(engine, budget)
        figures[f"decisions a second, search:{budget}"] = per_second(
            lambda player=player: decided(player, asked), len(asked)
        )
    if find_spec("pyspiel"):
        theirs = ismcts(ruleset)
        figures[f"decisions a second, OpenSpiel's ISMCTS, {SIMULATIONS}"] = theirs
        figures["search:200 to it"] = figures["decisions a second, search:200"] / theirs
    return figures


def decided(player: SearchPlayer, asked: Sequence[Sequence[int]]) -> None:
    """Every decision of some deals, each deal by its number: what was probed in one says nothing about another."""
    deal = length = 0
    for words in asked:
        deal += len(words) < length
        length = len(words)
        player.choose(words, 1, deal)


def from_the_middle(engine: SearchEngine, asked: Sequence[Sequence[int]]) -> float:
    """Rollouts per second of `ROLLOUTS` in each decision, drawing a world for all options together.

    Decisions in which more than one world in two is rejected are left out.
    """
    number, seconds = 0, 0.0
    for words in asked:
        last = engine.form.last(words)
        options = question(last.site, words[last.at :]).options
        seen = seen_by_actor(engine, words)
        team = engine.team(seen.viewer)
        worlds = Worlds(engine.machine, seen, engine.form.first, team, 0, engine.styles)
        if len(options) < 2 or not worlds.exact:
            continue
        wanted = ROLLOUTS // len(options)
        begin = process_time()
        worlds.tried(options, wanted, Stream(1))
        if worlds.tries <= 2 * wanted:
            seconds += process_time() - begin
            number += wanted * len(options)
    return number / seconds


def per_second(run: object, number: int) -> float:
    begin = process_time()
    run()  # type: ignore[operator]
    return number / (process_time() - begin)


def ismcts(ruleset: Ruleset) -> float:
    """Its decisions per second through the adapter, on the first cards of a deal."""
    import numpy as np
    from open_spiel.python.algorithms import ismcts as theirs, mcts

    from trickproof.adapters import openspiel

    game = openspiel.game(ruleset)
    searcher = theirs.ISMCTSBot(
        game=game,
        uct_c=2.0,
        max_simulations=SIMULATIONS,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        random_state=np.random.RandomState(1),
    )
    state, chance = game.new_initial_state(), np.random.RandomState(2)
    while state.is_chance_node():
        state.apply_action(int(chance.choice(state.legal_actions())))
    return per_second(lambda: searcher.step(state), 1)


if __name__ == "__main__":
    main()
