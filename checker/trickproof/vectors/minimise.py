"""A small set of candidates that reaches everything: greedy set cover."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeVar

from trickproof.vectors.search import Candidate

T = TypeVar("T")

FIRST = 10_000
"""Larger than the number of goals."""


def chosen(
    candidates: Sequence[Candidate], vector_of: Callable[[Candidate, int, int], T | None], times: int = 1
) -> Iterator[T]:
    """The results for chosen candidates, as long as each adds something.

    Ties go to fewer moves, then to the earlier candidate.

    A candidate whose result is None is skipped. Every goal is reached by `times` of the chosen candidates (or
    by all that reach it); `vector_of` receives the goals reached for the first time, and those reached again.

    A candidate's gain never grows, so it is recomputed only when the candidate may be the best (lazy greedy).
    """
    missing = [-1] * times
    waiting = [(-_gain(x, missing), len(x.hand.choices), n) for n, x in enumerate(candidates)]
    heapify(waiting)
    while waiting:
        claimed, moves, n = heappop(waiting)
        candidate = candidates[n]
        gain = _gain(candidate, missing)
        if gain == 0:
            continue
        if gain < -claimed:
            heappush(waiting, (-gain, moves, n))
            continue
        after, uncounted, added = list[int](), candidate.reaches, list[int]()
        for goals in missing:
            added.append(goals & uncounted)
            after.append(goals & ~uncounted)
            uncounted &= ~goals
        done = vector_of(candidate, added[0], sum(added[1:]))
        if done is not None:
            yield done
            missing = after


def _gain(candidate: Candidate, missing: list[int]) -> int:
    """A candidate's gain; a goal reached for the first time outweighs all repeated ones."""
    first, uncounted = (candidate.reaches & missing[0]).bit_count(), candidate.reaches & ~missing[0]
    again = 0
    for goals in missing[1:]:
        again += (uncounted & goals).bit_count()
        uncounted &= ~goals
    return first * FIRST + again
