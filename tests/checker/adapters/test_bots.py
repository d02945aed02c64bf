"""The project's policies in games of OpenSpiel and PettingZoo, and OpenSpiel's bots on our rulesets."""

from __future__ import annotations

import importlib
from random import Random
from typing import Any

import pytest

from budget import RUN, slow_but
from checker.adapters.peer_rulesets import PATHS, ROOT
from trickproof.adapters.settings import RulesetError

pyspiel = pytest.importorskip("pyspiel")
np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo")

openspiel = importlib.import_module("trickproof.adapters.openspiel")
pettingzoo = importlib.import_module("trickproof.adapters.pettingzoo")


def moments(game: Any, seed: int, every: int, most: int) -> list[Any]:
    """Decision states of a game played at random."""
    random, state, found = Random(seed), game.new_initial_state(), []
    asked = 0
    while not state.is_terminal() and len(found) < most:
        if not state.is_chance_node():
            asked += 1
            if asked % every == 0:
                found.append(state.clone())
        state.apply_action(random.choice(state.legal_actions()))
    return found


@RUN
@pytest.mark.parametrize("path", slow_but((ROOT / "rulesets/pagat.yaml",), PATHS), ids=lambda path: path.stem)
def test_hidden_cards_are_dealt_anew(path: Any) -> None:
    """The player cannot distinguish the state from the true one and has the same legal actions; other players hold other cards."""
    game, random, others = openspiel.game(path, match=True, most_hands=2), Random(1), 0
    for state in moments(game, seed=4, every=9, most=8):
        player = state.current_player()
        again = state.resample_from_infostate(player, random.random)
        assert again.information_state_string(player) == state.information_state_string(player)
        assert again.legal_actions() == state.legal_actions()
        assert again.current_player() == player
        others += again.history() != state.history()
    assert others


def test_with_a_seed_nothing_can_be_dealt_anew() -> None:
    game = openspiel.game("pagat", seed=3)
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="seed"):
        state.resample_from_infostate(state.current_player(), lambda: 0.5)


@RUN
def test_open_spiels_own_searcher_plays() -> None:
    """The Python implementation of information set Monte Carlo tree search finishes a deal: pyspiel's own cannot query games
    that are written in Python."""
    ismcts, mcts = (
        importlib.import_module(f"open_spiel.python.algorithms.{name}") for name in ("ismcts", "mcts")
    )
    game = openspiel.game(ROOT / "tests/adversarial/cases/plain-three.yaml", returns="difference")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(3))
    searcher = ismcts.ISMCTSBot(
        game=game, uct_c=2.0, max_simulations=20, evaluator=evaluator, random_state=np.random.RandomState(7)
    )
    random, state = Random(2), game.new_initial_state()
    steps = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
            continue
        state.apply_action(searcher.step(state))
        steps += 1
    assert steps == 6


@pytest.mark.parametrize("policy", slow_but(("greedy",), ("random", "greedy", "search:20")))
def test_bots_play_a_match(policy: str) -> None:
    """Legal actions until the end, the same for the same seed."""
    game = openspiel.game("pagat", match=True, most_hands=2)
    ends = []
    for _ in range(2):
        bots = [openspiel.bot(game, seat, policy, seed=5) for seat in range(game.num_players())]
        random, state = Random(8), game.new_initial_state()
        while not state.is_terminal():
            chance = state.is_chance_node()
            action = (
                random.choice(state.legal_actions()) if chance else bots[state.current_player()].step(state)
            )
            assert action in state.legal_actions()
            state.apply_action(action)
        ends.append(state.history())
    assert ends[0] == ends[1]


@RUN
@pytest.mark.parametrize("policy", ["greedy", "search:5"])
def test_bots_bid_by_the_strength_of_their_hands(policy: str) -> None:
    """In spades, four bids at random add up to 26 on average; there are 13 tricks."""
    game, random = openspiel.game("spades"), Random(8)
    state, bids = game.new_initial_state(), list[str]()
    bots = [openspiel.bot(game, seat, policy) for seat in range(4)]
    while len(bids) < 4:
        if state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
        else:
            action = bots[state.current_player()].step(state)
            bids.append(state.action_to_string(action))
            state.apply_action(action)
    assert 7 <= sum(int(bid.split()[-1]) for bid in bids) <= 15, bids


def test_a_bot_of_a_petting_zoo() -> None:
    """It plays the first deal to its end, and then returns None."""
    env = pettingzoo.env(ROOT / "rulesets/games/whist.yaml")
    env.reset(seed=4)
    bots = {agent: pettingzoo.bot(env, agent, "search:5") for agent in env.possible_agents}
    for agent in env.agent_iter():
        env.step(bots[agent].step())
    assert not env.agents


@pytest.mark.parametrize(("dealer", "like"), [(0, "greedy"), (2, "random")])
def test_a_bot_plays_the_policy_of_its_seat_in_the_deal(dealer: int, like: str) -> None:
    """Seats that are not named play at random, as on the command line."""
    game = openspiel.game("pagat", seed=3, match=True, most_hands=3)
    mixed, alike = (openspiel.bot(game, 0, policy, seed=1) for policy in ("dealer=greedy", like))
    asked = 0
    for state in moments(game, seed=1, every=1, most=10_000):
        if state.current_player() == 0 and state.now.state.variables[("dealer",)] == dealer:
            assert mixed.step(state) == alike.step(state)
            asked += 1
    assert asked > 10


def test_seats_and_policies_that_there_are_not() -> None:
    game = openspiel.game("pagat")
    with pytest.raises(RulesetError, match="seats are 0 to 2"):
        openspiel.bot(game, 3)
    with pytest.raises(RulesetError, match="rollouts"):
        openspiel.bot(game, 0, "search:none")
    dealt = openspiel.game("pagat", seed=1)
    bot, state = openspiel.bot(dealt, 1, "random"), dealt.new_initial_state()
    with pytest.raises(ValueError, match="not asked"):
        bot.step(state)
    with pytest.raises(RulesetError, match="agents are"):
        pettingzoo.bot(pettingzoo.env("pagat"), "player_9")
