"""Figures of random play that others have measured with C of their own, six times ten million hands a row.

Their label says that the kitty is taken before discarding; what they measured is what `pagat` plays, which discards
first: taking it first gives the dealer 5.650 tricks.  Bounds are four standard errors of two million hands, and half a
unit of the last digit that was told; lengths of matches within two in a hundred.
"""

from __future__ import annotations

import pytest

from dsl.small_games import bundled
from trickproof.simulate.api import simulate
from trickproof.simulate.counts import Counts
from trickproof.simulate.kernel import Kernel
from trickproof.simulate.sweeps import family

HANDS = 2_000_000


def test_hands() -> None:
    counts = simulate(bundled("pagat"), hands=HANDS, seed=7).counts
    assert [counts.tricks(s).mean for s in range(3)] == pytest.approx([5.635, 5.970, 4.396], abs=0.007)
    shares = [counts.distribution(s) for s in range(3)]
    assert sum(sum(x[12:]) for x in shares) == pytest.approx(0.0317, abs=0.0006)
    assert sum(sum(x[13:]) for x in shares) == pytest.approx(0.0104, abs=0.0004)
    assert counts.match_length().mean.mean == pytest.approx(31.55, rel=0.02)


def test_first_hands() -> None:
    kernel = Kernel(bundled("pagat").program)
    stretch = kernel.play(7, 0, HANDS // 4, HANDS, most=1)
    counts = Counts(kernel.compiled.plan, stretch.totals)
    assert counts.hands == HANDS // 4
    assert [counts.tricks(s).mean for s in range(3)] == pytest.approx([5.326, 5.347, 5.326], abs=0.014)


@pytest.mark.parametrize(
    ("name", "vary", "length"),
    [("pagat", "end+winner=13", 91.4), ("six-over", "", 10.91), ("nine-five-two", "goal=10", 7.50)],
)
def test_length_of_matches(name: str, vary: str, length: float) -> None:
    ruleset, given = bundled(name), {}
    if vary:
        found = family(ruleset, [vary])
        ruleset, given = found.ruleset, found.members()[0]
    mean = simulate(ruleset, hands=HANDS // 2, seed=7, parameters=given).counts.match_length().mean
    assert mean.mean == pytest.approx(length, rel=0.03)
    assert mean.low < mean.mean < mean.high
