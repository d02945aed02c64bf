"""Flat Monte Carlo with sequential halving (Karnin, Koren and Somekh 2013).

All candidates are tried in the same worlds with the same random numbers; after each round the worse half is
dropped and the others are tried in more worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt


@dataclass
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
        """Half the width of the 95 % confidence interval of the mean; infinite with fewer than two worlds."""
        if self.number < 2:
            return float("inf")
        variance = (self.squares - self.total * self.total / self.number) / (self.number - 1)
        return 1.96 * sqrt(max(variance, 0.0) / self.number)


Trial = Callable[[list[int], int], list[tuple[int, int, int]]]
"""Evaluate candidates in a number of new worlds: for each, the number of worlds, the sum and the sum of squares."""


def halved(choices: Sequence[int], rollouts: int, trial: Trial) -> list[Tried]:
    """All candidates, best first, using at most `rollouts` rollouts but at least one per candidate."""
    tried = [Tried(choice) for choice in choices]
    alive = list(tried)
    rounds = max(1, (len(alive) - 1).bit_length())
    out: list[Tried] = []
    remaining = rollouts
    for number in range(rounds):
        if number and remaining < len(alive):
            break
        worlds = max(1, remaining // ((rounds - number) * len(alive)))
        remaining -= worlds * len(alive)
        for one, sums in zip(alive, trial([x.choice for x in alive], worlds), strict=True):
            one.add(*sums)
        alive.sort(key=_better)
        if number < rounds - 1:
            half = (len(alive) + 1) // 2
            out = alive[half:] + out
            alive = alive[:half]
    return alive + out


def _better(one: Tried) -> float:
    """Sort key; sorting is stable, so the first of equals wins."""
    return -one.mean
