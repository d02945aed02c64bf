"""The person's opponents: a policy per seat, and for search, a record of the deal alongside the match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from trickproof.play.saved_match import Match
from trickproof.search.bids import lines_of
from trickproof.search.interpreted_player import InterpretedSearch, Option
from trickproof.simulate.ir.calling_convention import SEARCH
from trickproof.simulate.options import policies
from trickproof.simulate.policies.auto import RANDOM
from trickproof.simulate.runtime.machine import best_backend
from trickproof.testing.greedy_player import policy_player
from trickproof_dsl.compiled.machine import apply, begin, between_hands, next_hand
from trickproof_dsl.compiled.state import State
from trickproof_dsl.scenarios.moves import read_move
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value

HINT_WORLDS = 400
"""Number of worlds in which every option of a hint is tried."""


class Opponents:
    """Chooses for the others and gives hints.

    Randomness depends only on the seed and the number of the decision, so that a resumed match continues the
    same way. `search` is the one of other opponents in a match of the same rules and setting: it is tuned once.
    """

    def __init__(self, match: Match, search: InterpretedSearch | None = None) -> None:
        self.match, self.search = match, search
        self._policies = policies(match.setting.policy, match.ruleset.program.players)
        program, settings = match.ruleset.program, (match.setting.parameters, match.setting.readings)
        self._lines = cache(lambda: lines_of(program, best_backend(), *settings))
        """The lines by which greedy players bid."""
        self._state = match.now
        """The state up to which the record extends."""
        self._followed: tuple[int, int] = (-1, 0)
        """The number of the recorded deal, and how many moves of the match the record includes."""

    def choose(self, state: State, decision: Decision) -> Value:
        """The choice of the seat's policy."""
        policy = self._policies[self._seat(state, decision.player) if len(self._policies) > 1 else 0]
        setting = self.match.setting
        if policy.startswith(f"{SEARCH}:"):
            return self._searching().choose(int(policy.partition(":")[2]), decision)
        seed = Random(f"{setting.seed}/{self.match.decisions}").getrandbits(32)
        return policy_player(policy, seed, self._lines)(state, decision)

    def hint(self, decision: Decision, wanted: Sequence[Value] = ()) -> list[Option]:
        """The options, best first; of many sets of cards those `wanted`, or the best ones found; empty if unknown."""
        return self._searching().options(HINT_WORLDS, decision, wanted)

    def forget(self) -> None:
        """Start the record of this deal again: a choice was undone."""
        self._followed = (-1, 0)

    @property
    def hints_at_random(self) -> bool:
        """Whether a hint plays deals out at random, since no style does better."""
        return all(style == RANDOM for style in self._searching().engine.styles)

    def _seat(self, state: State, player: int) -> int:
        dealer = state.variables.get(("dealer",)) or 0
        return int(player - dealer) % state.program.players

    def _searching(self) -> InterpretedSearch:
        """The search, with the record of this deal brought up to date. Raises BeyondError."""
        match, setting = self.match, self.match.setting
        if self.search is None:
            program = match.ruleset.program
            self.search = InterpretedSearch(
                program, best_backend(), setting.seed, setting.parameters, setting.readings
            )
        if self._followed[0] != match.hand:
            self._begin()
        state = self._state
        for move in match.moves[self._followed[1] :]:
            assert move is not None
            choice = read_move(match.ruleset, state, move)
            self.search.record.chosen(choice)
            state = apply(state, choice)
        self._state, self._followed = state, (match.hand, match.decisions)
        return self.search

    def _begin(self) -> None:
        """Start the record at the beginning of this deal."""
        assert self.search is not None
        match, setting = self.match, self.match.setting
        moves = match.moves
        first = len(moves) - next((i for i, move in enumerate(reversed(moves)) if move is None), len(moves))
        if first:
            ended = match.state_at(first - 1)
            before, self._state = between_hands(ended), next_hand(ended)
        else:
            chance = Chance(setting.seed)
            before = begin(match.ruleset.program, chance, setting.parameters, setting.readings)
            self._state = match.states[0]
        self.search.begin_hand(before, match.hand)
        self._followed = match.hand, first
