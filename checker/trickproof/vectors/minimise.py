"""Few candidates that together reach all that any of them reaches: greedily, the one that adds most first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeVar

from trickproof.vectors.search import Candidate

T = TypeVar("T")

FIRST = 10_000
"""More than there are goals."""


def chosen(
    candidates: Sequence[Candidate], vector_of: Callable[[Candidate, int, int], T | None], times: int = 1
) -> Iterator[T]:
    """What is made of candidates, as long as any adds something: of equals the one with fewer moves, then the earlier.

    A candidate of which nothing can be made (None) is left out.  Everything is reached by so many of those chosen (or by
    all that reach it); `vector_of` is told what is reached for the first time, and what once more.

    What a candidate adds never grows, so it is counted again only when it may be the best.
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
    """How many goals a candidate adds; one that is reached for the first time counts for more than all others."""
    first, uncounted = (candidate.reaches & missing[0]).bit_count(), candidate.reaches & ~missing[0]
    again = 0
    for goals in missing[1:]:
        again += (uncounted & goals).bit_count()
        uncounted &= ~goals
    return first * FIRST + again
