"""The parts of the adapters specific to OpenSpiel and PettingZoo; the play itself is tested in test_play.py."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from budget import RUN
from checker.adapters.peer_rulesets import QUICK, ROOT, from_text, loaded
from trickproof.adapters.game_state import begin, terms
from trickproof.adapters.settings import RulesetError

pyspiel = pytest.importorskip("pyspiel")
np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo")

openspiel = importlib.import_module("trickproof.adapters.openspiel")
pettingzoo = importlib.import_module("trickproof.adapters.pettingzoo")

TINY = """
ruleset: tiny
title: Two tricks with four cards
players: {number: 2, assumes: a test}
deck: {ranks: J Q, suits: H=hearts S=spades, assumes: a test}
rules:
  deal:
    rule: |
      for p in players:
          deal 2 cards to hand of p
    assumes: a test
  lead: {rule: left of dealer, assumes: a test}
  follow: {rule: if some card in hand has suit = led then cards in hand with suit = led else hand, assumes: a test}
  targets: {rule: left of dealer chooses trump, assumes: a test}
  trick-winner:
    rule: |
      if some player has suit of played = trump
      then players with the highest rank of played among players with suit of played = trump
      else players with the highest rank of played among players with suit of played = led
    assumes: a test
  scoring: {rule: nothing happens, assumes: a test}
  end: {rule: not first-hand, assumes: a test}
  winner: {rule: players with the highest tricks, assumes: a test}
  next-dealer: {rule: left of dealer, assumes: a test}
"""


def test_openspiel_loads_it_by_name() -> None:
    game = pyspiel.load_game("trickproof(ruleset=nine-five-two,match=True,parameters=goal:20,most_hands=7)")
    same = openspiel.game("nine-five-two", match=True, parameters={"goal": 20}, most_hands=7)
    assert str(game) == str(same)
    assert game.terms.parameters == {"goal": 20}
    assert (game.num_players(), game.num_distinct_actions()) == (3, 58)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    assert game.max_game_length() == 7 * 500


def test_actions_have_names() -> None:
    state = openspiel.game("pagat").new_initial_state()
    assert state.is_chance_node()
    assert dict(state.chance_outcomes()) == dict.fromkeys(range(52), 1 / 52)
    assert state.action_to_string(51) == "chance gives AS"
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert [state.action_to_string(a) for a in state.legal_actions()] == [
        "clubs",
        "diamonds",
        "hearts",
        "spades",
    ]
    assert state.information_state_string(0).splitlines()[-1] == "you have to trump: "


def test_openspiel_goes_through_all_deals() -> None:
    """4 · 3 deals, card by card; the two remaining cards are no chance node."""
    states, deals = [openspiel.game(from_text(TINY)).new_initial_state()], 0
    while states:
        state = states.pop()
        if state.is_chance_node():
            states += [state.child(card) for card, _ in state.chance_outcomes()]
        else:
            deals += 1
            assert state.legal_actions() == [state.get_game().terms.actions.first["suit"], 5]
    assert deals == 12


@pytest.mark.slow
def test_openspiel_solves_a_small_game() -> None:
    """Best responses by their own solver, over all deals: exploitability decreases as it learns."""
    from open_spiel.python.algorithms import cfr, exploitability

    game = openspiel.game(from_text(TINY), returns="difference")
    solver = cfr.CFRSolver(game)
    first = exploitability.nash_conv(game, solver.average_policy())
    for _ in range(6):
        solver.evaluate_and_update_policy()
    assert 0 <= exploitability.nash_conv(game, solver.average_policy()) < first / 5


def test_states_are_written_as_their_actions() -> None:
    game = openspiel.game(QUICK[3], match=True, most_hands=2)
    state, chance = game.new_initial_state(), Random(1)
    for _ in range(150):
        state.apply_action(chance.choice(state.legal_actions()))
    again_game, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert (str(again), again.history(), str(again_game)) == (str(state), state.history(), str(game))
    assert len(pickle.dumps(state)) < 6000
    copied = state.clone()
    copied.apply_action(copied.legal_actions()[0])
    assert copied.now is not state.now
    assert len(state.history()) == 150


@RUN
def test_a_seed_fixes_the_deal() -> None:
    one, same, other = (str(openspiel.game("pagat", seed=n).new_initial_state()) for n in (3, 3, 4))
    assert one == same != other
    assert str(pickle.loads(pickle.dumps(openspiel.game("pagat", seed=3))).new_initial_state()) == one


def test_loaded_rulesets_and_odd_paths(tmp_path: Path) -> None:
    """OpenSpiel cannot encode every path in a game's name; within this process that does not matter."""
    path = tmp_path / "a, (b)=c.yaml"
    path.write_text("ruleset: odd\ntitle: Odd\nextends: pagat\n")
    for game in (openspiel.game(path), openspiel.game(from_text(TINY, "other, one.yaml"))):
        state = game.new_initial_state()
        again, _ = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        assert again.terms is game.terms


def test_wrong_names_are_told_by_both() -> None:
    for make in (openspiel.game, pettingzoo.env):
        with pytest.raises(RulesetError, match="did you mean `pagat`"):
            make("paget")
        with pytest.raises(RulesetError, match="no parameter"):
            make("pagat", parameters={"goal": 1})
    with pytest.raises(RulesetError, match="say which ruleset"):
        openspiel.TrickproofGame()
    with pytest.raises(RulesetError, match="`numbers` is written lowest:highest, not `few`"):
        openspiel.TrickproofGame({"ruleset": "pagat", "numbers": "few"})
    with pytest.raises(ValueError, match="parameters of observations"):
        openspiel.game("pagat").make_py_observer(None, {"x": 1})


def test_observers_name_the_parts_of_the_tensor() -> None:
    game = openspiel.game("pagat", seed=2)
    observer = game.make_py_observer()
    observer.set_from(game.new_initial_state(), 1)
    assert [*observer.dict][:5] == ["player", "asked", "picked", "known_cards", "cards_in_zones"]
    assert observer.dict["player"].tolist() == [0, 1, 0]
    assert observer.dict["known_cards"].sum() == 16
    assert observer.tensor.size == game.observation_tensor_size()
    recalling = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert recalling.tensor is None
    assert recalling.string_from(game.new_initial_state(), 1).startswith("player 1\nshuffle\n")


def test_a_loaded_ruleset_is_played_as_it_is() -> None:
    """Not as the file with its name says; and the name still refers to the file."""
    sound = loaded("pagat")
    other = replace(sound, program=replace(sound.program, hand=loaded("tallyn").program.hand))
    assert str(openspiel.game(sound)) == "trickproof(ruleset=pagat)"
    assert str(openspiel.game(other)) == str(openspiel.game(other)) == "trickproof(ruleset=given:pagat)"
    assert openspiel.game("pagat").terms.ruleset.program == sound.program


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "changing.yaml"
    path.write_text("ruleset: changing\ntitle: One\nextends: pagat\n")
    before = openspiel.game(path)
    assert openspiel.game(path).terms is before.terms
    lead = "rules:\n  lead: {rule: dealer, assumes: a test}\n"
    path.write_text("ruleset: changing\ntitle: One\nextends: pagat\n" + lead)
    assert openspiel.game(path).terms.program != before.terms.program


# ------------------------------------------------------------------------------------------- PettingZoo


def random_match(env: Any, seed: int) -> list[tuple[str, int]]:
    chance, found = Random(seed), []
    for agent in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        action = None if over or cut else chance.choice(legal)
        if action is not None:
            found.append((agent, action))
        env.step(action)
    return found


def test_the_same_seed_deals_the_same() -> None:
    env = pettingzoo.env("pagat")
    env.reset(seed=5)
    first = random_match(env, 1)
    env.reset()
    after = env.unwrapped.play.state.zones
    env.reset(seed=5)
    assert env.unwrapped.play.state.zones == begin(terms(loaded("pagat")), 5).state.zones
    assert random_match(env, 1) == first
    env.reset()
    assert env.unwrapped.play.state.zones == after


@RUN
def test_environments_can_be_pickled() -> None:
    env = pettingzoo.env("pagat")
    env.reset(seed=5)
    for _ in range(30):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    again = pickle.loads(pickle.dumps(env))
    assert again.render_mode is None
    assert again.unwrapped.play.described() == env.unwrapped.play.described()
    assert random_match(again, 1) == random_match(env, 1)


def test_rewards_are_the_returns() -> None:
    env = pettingzoo.env("pagat")
    env.reset(seed=5)
    rewards = {}
    chance = Random(0)
    for agent in env.agent_iter():
        seen, reward, over, cut, info = env.last()
        if over or cut:
            rewards[agent] = reward
            assert info == {"over": "hand"}
        env.step(None if over or cut else chance.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    play = env.unwrapped.play
    assert tuple(rewards[f"player_{p}"] for p in range(3)) == play.returns()
    assert any(rewards.values())


def test_masks_are_for_the_one_to_act() -> None:
    env = pettingzoo.env("pagat", render_mode="ansi")
    env.reset(seed=5)
    assert env.agent_selection == "player_0"
    masks = [env.observe(agent)["action_mask"] for agent in env.agents]
    assert [mask.sum() for mask in masks] == [4, 0, 0]
    assert "hand of 0: " in env.render()


def test_illegal_actions() -> None:
    env = pettingzoo.env("pagat")
    env.reset(seed=5)
    env.step(0)
    assert env.unwrapped.terminations["player_0"]
    bare = pettingzoo.env("pagat").unwrapped
    bare.reset(seed=5)
    with pytest.raises(ValueError, match=r"0 is not a legal action here; legal are \[52, 53, 54, 55\]"):
        bare.step(0)
    with pytest.raises(ValueError, match="None is not an action"):
        bare.step(None)


def test_a_match_broken_off_is_truncated() -> None:
    env = pettingzoo.env("pagat", match=True, most_hands=1)
    env.reset(seed=5)
    random_match(env, 2)
    assert env.unwrapped.play.over == "most hands"


# --------------------------------------------------------------------------------------- missing extras

MISSING = """
import sys
sys.modules[{library!r}] = None
import trickproof.adapters.game_state, trickproof.adapters.observations
try:
    import trickproof.adapters.{module}
except ImportError as told:
    assert str(told).endswith("which is not installed: pip install 'trickproof[peers]'"), told
    assert {name!r} in str(told)
else:
    raise SystemExit("no error")
"""


@pytest.mark.parametrize(
    ("module", "library", "name"),
    [("openspiel", "pyspiel", "OpenSpiel"), ("pettingzoo", "pettingzoo", "PettingZoo")],
)
def test_a_missing_extra_is_told(module: str, library: str, name: str) -> None:
    code = MISSING.format(module=module, library=library, name=name)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
