"""Search in a match played by the interpreter: what a player chooses, and how it values the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trickproof.information.record import PLAYER
from trickproof.information.stream import Stream, mixed
from trickproof.search.candidates import question
from trickproof.search.engine import SearchEngine
from trickproof.search.interpreted import HandRecord
from trickproof.search.player import SearchPlayer
from trickproof.search.worlds import viewed
from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its mean points, and half the width of the 95% confidence interval."""

    choice: Value
    points: float
    error: float


class InterpretedSearch:
    """Follows a match hand by hand.  Raises BeyondError if the program has no integer form."""

    def __init__(
        self,
        program: c.Program,
        backend: str,
        seed: int,
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
    ) -> None:
        self.engine, self.seed = SearchEngine(program, backend), seed
        self.engine.bind(parameters, readings)
        self._players: dict[int, SearchPlayer] = {}
        self.record = HandRecord(self.engine.form, self.engine.layout)
        self.hand = 0

    def begin_hand(self, before: State, hand: int) -> None:
        """Begin the hand with that number from a state that has no pending decision."""
        self.hand = hand
        self.record.begin(before)

    def choose(self, rollouts: int, decision: Decision) -> Value:
        """The choice of the player to act."""
        player = self._players.setdefault(rollouts, SearchPlayer(self.engine, rollouts))
        word = player.choose(self.record.words, mixed(self.seed) >> 1, self.hand)
        return self.record.decoded(decision, word)

    def options(self, rollouts: int, decision: Decision, wanted: Sequence[Value] = ()) -> list[Option]:
        """The options, best first, each tried in `rollouts` worlds.

        Of many sets of cards, only those `wanted`, or if there are none, the best ones found.
        """
        words = self.record.words
        last = self.engine.form.last(words)
        asked = question(last.site, words[last.at :])
        if asked.blind:
            return []
        player = SearchPlayer(self.engine, rollouts)
        masks = [self.record.encoded(decision.type, value) for value in wanted]
        chance = Stream(mixed(self.seed, self.hand, len(words)))
        seen = viewed(self.engine, words, words[last.at + PLAYER])
        return [
            Option(self.record.decoded(decision, x.choice), x.mean, x.error)
            for x in player.compared(seen, asked, chance, masks)
        ]
