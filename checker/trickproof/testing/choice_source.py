"""The source of random choices: sequences of integers that hypothesis draws and shrinks.

The only module that imports hypothesis. It draws only bits, from a fixed seed, so that a sample depends
neither on what else is loaded nor, from 6.140 on, on the version; only the failure at which shrinking ends
may differ between versions. Releases up to 6.155 have pure Python wheels, which run where nothing native
does.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from random import Random

Draw = Callable[[int], int]
"""Draws an integer with the given number of bits."""

Size = tuple[int, ...]
"""The size of a failing case; smaller ones are preferred."""

SHRINKS = 80
"""Maximum number of cases run to shrink a failure."""


class StopSampling(BaseException):
    """Raised by a case to stop sampling; not an Exception, which hypothesis would take for a failing case."""


def seeded(seed: int) -> Draw:
    """Choices from Python's own generator, which needs no setup."""
    return Random(seed).getrandbits


def recorded(values: Sequence[int]) -> Draw:
    """The choices of an earlier case, in their order."""
    rest = iter(values)
    return lambda _: next(rest)


def sample(case: Callable[[Draw], None], cases: int) -> None:
    """Run a case with up to `cases` different sequences of choices, until it raises StopSampling."""

    def never_fails(draw: Draw) -> bool:
        case(draw)
        return False

    _run(never_fails, cases, shrink=False)


def smallest_failure(case: Callable[[Draw], Size | None], cases: int) -> tuple[int, ...] | None:
    """The choices of the smallest failing case, among those drawn and SHRINKS attempts to shrink the first failure.

    A case returns its size if it fails, and raises StopSampling if no further one is wanted; it runs until
    then, or with up to `cases` different sequences of choices.
    """
    smallest: list[tuple[Size, tuple[int, ...]]] = []
    remaining = SHRINKS

    def fails(draw: Draw) -> bool:
        nonlocal remaining
        drawn: list[int] = []

        def noted(bits: int) -> int:
            drawn.append(draw(bits))
            return drawn[-1]

        size = case(noted)
        if size is not None:
            smallest[:] = [min([*smallest, (size, tuple(drawn))])]
        remaining -= bool(smallest)
        if remaining <= 0:
            raise StopSampling
        return size is not None

    _run(fails, cases, shrink=True)
    return smallest[0][1] if smallest else None


def _run(fails: Callable[[Draw], bool], cases: int, shrink: bool) -> None:
    import hypothesis as h
    from hypothesis import strategies as st
    from hypothesis.errors import HypothesisException

    @h.seed(0)
    @h.settings(
        max_examples=cases,
        database=None,
        deadline=None,
        phases=[h.Phase.generate, h.Phase.shrink] if shrink else [h.Phase.generate],
        print_blob=False,
        verbosity=h.Verbosity.quiet,
        suppress_health_check=list(h.HealthCheck),
        report_multiple_bugs=False,
    )
    @h.given(st.data())
    def one(data: st.DataObject) -> None:
        def draw(bits: int) -> int:
            return sum(data.draw(st.booleans()) << i for i in reversed(range(bits)))

        if fails(draw):
            raise AssertionError

    with contextlib.suppress(AssertionError, StopSampling, HypothesisException):
        one()
