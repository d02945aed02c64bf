"""Matches by players: one searches, all others are greedy, and so is the searching player in what it does not search.

Greedy players may be told to stop at their target, as those do against whom the gains that are asked were measured.

The interpreter plays, so that a player searches in every deal of a match, whichever seat that player then has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt

from trickproof.information.stream import mixed
from trickproof.search.interpreted_player import InterpretedSearch
from trickproof.simulate.runtime.machine import best_backend
from trickproof.testing.greedy_player import greedy_player
from trickproof_dsl.compiled.machine import apply, begin, begin_hand, between_hands
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision

Searched = Callable[[Decision], bool]
"""Which decisions are searched."""


@dataclass(frozen=True)
class Mean:
    """A mean, and half the width of its 95 % interval."""

    mean: float
    error: float
    number: int

    @property
    def low(self) -> float:
        return self.mean - self.error


def mean(values: list[float]) -> Mean:
    """The mean of independent values."""
    number = len(values)
    middle = sum(values) / number
    variance = sum((x - middle) ** 2 for x in values) / (number - 1)
    return Mean(middle, 1.96 * sqrt(variance / number), number)


def everything(_: Decision) -> bool:
    return True


def cards_played(decision: Decision) -> bool:
    """Card play only."""
    return decision.label == "play"


class Table:
    """A ruleset of which matches are played; `stops` as for `greedy_player`."""

    def __init__(self, ruleset: Ruleset, stops: bool | None = None) -> None:
        self.program, self.stops = ruleset.program, stops
        self._search = InterpretedSearch(ruleset.program, best_backend(), 0, {}, {})

    def deals(self, seed: int, who: int, rollouts: int, searched: Searched = everything) -> Iterator[State]:
        """The ends of the deals of a match in which a player searches with so many rollouts, none for greedy play."""
        search, greedy = self._search, greedy_player(seed, self.stops, self._search.engine.lines)
        search.seed = mixed(seed)
        state = begin(self.program, Chance(seed))
        for number in range(1000):
            if rollouts:
                search.begin_hand(state, number)
            state = begin_hand(state)
            while (decision := state.decision) is not None:
                thinks = rollouts and decision.player == who and searched(decision)
                choice = search.choose(rollouts, decision) if thinks else greedy(state, decision)
                state = apply(state, choice)
                if rollouts:
                    search.record.chosen(choice)
            assert state.fault is None
            yield state
            if state.match_over:
                return
            state = between_hands(state)
        raise AssertionError("no end after 1,000 deals")

    def points(self, state: State, who: int) -> float:
        """Points of a first deal, those of partners included."""
        engine = self._search.engine
        at = engine.points.at(state)
        return engine.points.sign * sum(x for p, x in enumerate(at) if engine.team(who) >> p & 1)


def card_play(table: Table, rollouts: int, deals: int, seed: int = 0) -> list[float]:
    """Points of the searching player minus those of a greedy player, in the same first deals; each seat equally often."""
    gains = []
    for number in range(deals):
        for who in range(table.program.players):
            searched, greedy = (
                table.points(next(table.deals(seed + number, who, n, cards_played)), who)
                for n in (rollouts, 0)
            )
            gains.append(searched - greedy)
    return gains


def in_matches(table: Table, rollouts: int, matches: int, seed: int = 0) -> tuple[Mean, float]:
    """`over` per deal of a player who searches, as a ratio over matches, and the share of matches that this player wins."""
    overs, deals, won = [], [], 0
    for number in range(matches):
        who = number % table.program.players
        ends = list(table.deals(seed + number, who, rollouts))
        overs.append(sum(x.variable("over", who) for x in ends))
        deals.append(len(ends))
        won += who in ends[-1].winners
    ratio, each = sum(overs) / sum(deals), sum(deals) / matches
    spread = mean([(over - ratio * number) / each for over, number in zip(overs, deals, strict=True)])
    return Mean(ratio, spread.error, matches), won / matches
