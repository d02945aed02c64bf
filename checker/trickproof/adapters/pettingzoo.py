"""A ruleset as a PettingZoo environment: `env("pagat")`, an AEC environment with action masks.

Agents are `player_0` … clockwise. `reset(seed=s)` deals what `play_match` deals with that seed; without a
seed, each reset deals anew. Rewards are given at the end: the returns described in docs/adapters.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from trickproof.adapters.game_state import MOST_ACTIONS, Play, Terms, begin, terms
from trickproof.adapters.observations import View
from trickproof.adapters.policies import Seat
from trickproof.adapters.settings import Named, RulesetError

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as missing:
    raise ImportError(
        "trickproof.adapters.pettingzoo needs PettingZoo, which is not installed: pip install 'trickproof[peers]'"
    ) from missing

LARGEST_SEED = 2**31 - 1


def env(
    ruleset: Named,
    *,
    match: bool = False,
    most_hands: int = 100,
    most_actions: int = MOST_ACTIONS,
    returns: str | None = None,
    most_points: int | None = None,
    numbers: tuple[int, int] | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, str | int] | None = None,
    render_mode: str | None = None,
) -> Any:
    """A PettingZoo AEC environment of a ruleset, in the usual wrappers.

    An illegal action ends it with a reward of -1.

    docs/adapters.md explains the options. Raises RulesetError (a ValueError) if there is no such ruleset,
    parameter or reading.
    """
    game_terms = terms(
        ruleset,
        match=match,
        most_hands=most_hands,
        most_actions=most_actions,
        returns=returns,
        most_points=most_points,
        numbers=numbers,
        parameters=parameters,
        readings=readings,
    )
    unwrapped = TrickproofEnv(game_terms, render_mode)
    guarded = wrappers.TerminateIllegalWrapper(unwrapped, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


def bot(environment: Any, agent: str, policy: str = "search:200", seed: int = 0) -> Bot:
    """A bot for one agent of an environment made here: `random`, `greedy`, `search:N`, or one for each seat.

    It sees only what its player sees. `dealer=search:50,left=greedy` means its player's seat in each deal.

    The same seed makes the same choices. Raises RulesetError if there is no such agent or policy.
    """
    unwrapped: TrickproofEnv = environment.unwrapped
    if agent not in unwrapped.possible_agents:
        raise RulesetError(f"agents are {', '.join(unwrapped.possible_agents)}, not `{agent}`")
    return Bot(unwrapped, Seat(unwrapped.terms, unwrapped.possible_agents.index(agent), policy, seed))


class Bot:
    """Plays one agent of an environment."""

    def __init__(self, environment: TrickproofEnv, seat: Seat) -> None:
        self.environment, self.seat = environment, seat

    def step(self) -> int | None:
        """The action for `environment.step`; None if the game is over.

        Raises ValueError if it is not the agent's turn.
        """
        play = self.environment.play
        return None if play.over else self.seat.action(play)


class TrickproofEnv(AECEnv):  # type: ignore[misc]
    """The environment without wrappers: an illegal action raises ValueError."""

    def __init__(self, game_terms: Terms, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {
            "name": f"trickproof_{game_terms.ruleset.id}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.terms, self.view, self.render_mode = game_terms, View(game_terms), render_mode
        self.possible_agents = [f"player_{p}" for p in range(game_terms.program.players)]
        self.agents = self.possible_agents[:]
        actions = len(game_terms.actions)
        shape = (self.view.size,)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-1.0, 1.0, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._seeds = Random()
        self.play: Play

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a new game; `options` are ignored."""
        if seed is not None:
            self._seeds = Random(seed)
        dealt = self._seeds.randrange(LARGEST_SEED) if seed is None else seed
        self.play = begin(self.terms, dealt)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._turn()

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent sees, and its legal actions (none unless it is to act)."""
        player = self.possible_agents.index(agent)
        mask: Any = np.zeros(len(self.terms.actions), np.int8)
        if self.play.actor == player:
            mask[self.play.legal()] = 1
        return {
            "observation": np.array(self.view.numbers(self.play, player), np.float32),
            "action_mask": mask,
        }

    def step(self, action: int | None) -> None:
        """Take the selected agent's action; None for an agent that is done."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act, and None is not an action")
        self.play = self.play.after(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._turn()
        self._accumulate_rewards()

    def _turn(self) -> None:
        """Select the next agent, or assign the rewards if the game is over."""
        if not self.play.over:
            self.agent_selection = self.possible_agents[self.play.actor]
            return
        finished = self.play.over in ("hand", "match")
        for agent, reward in zip(self.possible_agents, self.play.returns(), strict=True):
            self.rewards[agent] = reward
            self.terminations[agent], self.truncations[agent] = finished, not finished
            self.infos[agent] = {"over": self.play.over}

    def render(self) -> str | None:
        """With `render_mode="ansi"`, the complete state as text, every card of every zone."""
        return self.play.described() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """No-op: there are no resources to release."""
