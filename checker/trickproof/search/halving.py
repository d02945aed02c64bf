"""Flat Monte Carlo with sequential halving (Karnin, Koren and Somekh 2013).

All candidates are tried in the same worlds with the same random numbers; after each round the worse half is
dropped and the others are tried in more worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from typing import NamedTuple


@dataclass(slots=True)
class Tried:
    """Statistics of one candidate: number of worlds, sum of its values, sum of their squares."""

    choice: int
    number: int = 0
    total: int = 0
    squares: int = field(default=0, repr=False)

    def add(self, number: int, total: int, squares: int) -> None:
        """Add the number, sum and sum of squares of further worlds."""
        self.number += number
        self.total += total
        self.squares += squares

    @property
    def mean(self) -> float:
        return self.total / self.number if self.number else 0.0

    @property
    def error(self) -> float:
        """Half the width of the 95% confidence interval of the mean; infinite with fewer than two worlds."""
        if self.number < 2:
            return float("inf")
        variance = (self.squares - self.total * self.total / self.number) / (self.number - 1)
        return 1.96 * sqrt(max(variance, 0.0) / self.number)


Trial = Callable[[list[int], int], Sequence[tuple[int, int, int]]]
"""Evaluate candidates in a number of new worlds: for each, the number of worlds, the sum and the sum of squares."""


class Progress(NamedTuple):
    """How far trials have come: the numbers of the candidates, best first, and the sums of each.

    Then the number of complete rounds, and the number of worlds in the next one.
    """

    order: Sequence[int]
    sums: Sequence[tuple[int, int, int]]
    rounds: int
    worlds: int


@lru_cache(1 << 10)
def rounds_of(candidates: int, rollouts: int) -> tuple[tuple[int, int], ...]:
    """Numbers of worlds and of candidates: at most `rollouts` rollouts, but at least one for each."""
    number = max(1, (candidates - 1).bit_length())
    rounds: list[tuple[int, int]] = []
    for i in range(number):
        if i and rollouts < candidates:
            break
        worlds = max(1, rollouts // ((number - i) * candidates))
        rounds.append((worlds, candidates))
        rollouts -= worlds * candidates
        candidates = (candidates + 1) // 2
    return tuple(rounds)


def halved(
    choices: Sequence[int], rollouts: int, trial: Trial, progress: Progress | None = None
) -> list[Tried]:
    """All candidates, best first, using at most `rollouts` rollouts but at least one per candidate.

    What is in `progress` already need not be tried.
    """
    rounds, complete, done = rounds_of(len(choices), rollouts), 0, 0
    if progress is None:
        order = [Tried(choice) for choice in choices]
    else:
        order = [Tried(choices[i], *progress.sums[i]) for i in progress.order]
        complete, done = progress.rounds, progress.worlds
    for worlds, candidates in rounds[complete:]:
        alive = order[:candidates]
        for one, sums in zip(alive, trial([x.choice for x in alive], worlds - done), strict=True):
            one.add(*sums)
        order[:candidates] = sorted(alive, key=_better)
        done = 0
    return order


def _better(one: Tried) -> float:
    """Sort key; sorting is stable, so the first of equals wins."""
    return -one.mean
