"""Flat Monte Carlo with sequential halving (Karnin, Koren and Somekh 2013): all candidates are tried in the same worlds with the
same chance; after each round the worse half goes, and the others are tried in more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt


@dataclass
class Tried:
    """What is known of one candidate: worlds it was tried in, the sum of what it was worth and of the squares."""

    choice: int
    number: int = 0
    total: int = 0
    squares: int = field(default=0, repr=False)

    def add(self, number: int, total: int, squares: int) -> None:
        """So many more worlds, the sum of what it was worth in them and of the squares."""
        self.number += number
        self.total += total
        self.squares += squares

    @property
    def mean(self) -> float:
        return self.total / self.number if self.number else 0.0

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval of the mean; infinite after fewer than two worlds."""
        if self.number < 2:
            return float("inf")
        variance = (self.squares - self.total * self.total / self.number) / (self.number - 1)
        return 1.96 * sqrt(max(variance, 0.0) / self.number)


Trial = Callable[[list[int], int], list[tuple[int, int, int]]]
"""What candidates are worth in so many new worlds: of each candidate in how many, the sum, and the sum of the squares."""


def halved(choices: Sequence[int], rollouts: int, trial: Trial) -> list[Tried]:
    """All candidates, the best first; at most so many rollouts, but one of each candidate."""
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
    """Sorting is stable: of equals the first goes on."""
    return -one.mean
