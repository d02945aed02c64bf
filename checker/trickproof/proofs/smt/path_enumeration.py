"""All paths through something that branches on unknowns: it is run again and again, each time another way.

A run asks the oracle which of several alternatives holds; the oracle answers with one that can hold besides what was
answered before, and remembers the others for later runs.  The order is fixed, and no path is taken twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.cone_of_influence import Facts
from trickproof.proofs.smt.query_cache import identity, memoised
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof.proofs.smt.symbolic_values import Bool

MOST_PATHS = 600
"""Paths followed through one part of a hand, at most."""

T = TypeVar("T")


class TooManyPathsError(Exception):
    """There are more paths than are followed."""


class PathOracle:
    """The answers of one run: `answers` are given again first; `facts` hold besides."""

    def __init__(self, answers: Sequence[int], facts: Sequence[Bool]) -> None:
        self._given, self.answers = tuple(answers), list[int]()
        self.open: list[tuple[int, ...]] = []
        self.facts: list[Bool] = list(facts)
        self._known, self._told, self._bearing = 0, 0, Facts()
        self._questions: SolverSession | None = None

    def decide(self, condition: Bool) -> bool:
        """Whether a condition holds on this path."""
        return self.pick([condition, y.neg(condition)]) == 0

    def pick(self, alternatives: Sequence[Bool]) -> int:
        """Which of some alternatives, of which at least one must be able to hold, does on this path."""
        certain = [i for i, condition in enumerate(alternatives) if condition is True]
        if certain:
            return certain[0]
        left = [i for i, condition in enumerate(alternatives) if condition is not False]
        number = len(self.answers)
        if number < len(self._given):
            answer = self._given[number]
        else:
            able = left if len(left) == 1 else self._able(left, alternatives)
            answer, *others = able or left[:1]
            self.open += [(*self.answers, other) for other in others]
        self.answers.append(answer)
        self.facts.append(alternatives[answer])
        return answer

    def _able(self, left: Sequence[int], alternatives: Sequence[Bool]) -> list[int]:
        """Those that can hold besides the facts; what does not bear on them can hold anyway."""
        self._bearing.add(*self.facts[self._told :])
        self._told = len(self.facts)
        asked = [alternatives[i] for i in left]
        words = [*map(identity, self._bearing.bearing_on(*asked)), "?", *map(identity, asked)]
        able = memoised("able", words, lambda: self._asked(left, alternatives))
        return [left[number] for number in able]

    def _asked(self, left: Sequence[int], alternatives: Sequence[Bool]) -> list[int]:
        """Which of those left can hold; what the last model shows need not be asked."""
        if self._questions is None:
            self._questions = SolverSession()
        new, self._known = self.facts[self._known :], len(self.facts)
        self._questions.add(*new)
        shown = self._questions.shown(new, [alternatives[i] for i in left])
        return [
            number
            for number, (i, known) in enumerate(zip(left, shown, strict=True))
            if known or self._questions.possible(alternatives[i]) is not Answer.NO
        ]


def explore(
    run: Callable[[PathOracle], T], facts: Sequence[Bool] = (), most: int = MOST_PATHS
) -> Iterator[T]:
    """What every run makes, path by path.  Raises TooManyPathsError."""
    left: list[tuple[int, ...]] = [()]
    number = 0
    while left:
        number += 1
        if number > most:
            raise TooManyPathsError
        oracle = PathOracle(left.pop(), facts)
        made = run(oracle)
        left += reversed(oracle.open)
        yield made
