"""Paired differences of matches dealt the same cards."""

from __future__ import annotations

from math import inf, sqrt
from statistics import mean, stdev

import pytest

from checker.rulesets_for_tests import documented
from trickproof.simulate.runtime.executor import SerialExecutor
from trickproof.simulate.runtime.scheduler import Request
from trickproof.simulate.simulation import paired
from trickproof.simulate.statistics.outcome import LENGTH
from trickproof.simulate.statistics.paired_difference import paired_differences
from trickproof.support.confidence_intervals import Estimate, student

A = [(1, 2, 10), (1, 4, 26), (0, 3, 15)]
B = [(1, 3, 12), (1, 2, 10), (1, 4, 20)]
"""Matches: ended, hands, tricks."""


def test_paired_differences_by_hand() -> None:
    """A: 51 tricks in 9 hands, B: 42 in 9; three hands a match on average under both."""
    found = paired_differences(A, B, ["tricks.0"])
    ra, rb = 51 / 9, 42 / 9
    parts = [(b[2] - rb * b[1]) / 3 - (a[2] - ra * a[1]) / 3 for a, b in zip(A, B, strict=True)]
    half = student(2) * sqrt(sum(x * x for x in parts) / 2 / 3)
    assert found["tricks.0"].mean == pytest.approx(-1)
    assert found["tricks.0"].high == pytest.approx(-1 + half)
    assert found["tricks.0"].low == pytest.approx(-1 - half)
    assert found[LENGTH].mean == 9 / 3 - 9 / 2


def test_lengths_are_compared_match_by_match_if_all_end() -> None:
    ended = [(1, deals, 0) for _, deals, _ in A]
    found = paired_differences(ended, B, ["x"])[LENGTH]
    differences = [b[1] - a[1] for a, b in zip(ended, B, strict=True)]
    exact, half = mean(differences), student(2) * stdev(differences) / sqrt(len(A))
    assert (found.mean, found.low, found.high) == pytest.approx((exact, exact - half, exact + half))


def test_the_difference_of_lengths_is_that_of_the_lengths() -> None:
    """Matches that a fault ends count as deals without an end, on each side, whatever happens on the other."""
    broken = [(0, 9, 0), *B[1:]]
    found = paired_differences(B, broken, ["x"])[LENGTH]
    assert found.mean == pytest.approx(15 / 2 - 9 / 3)
    assert found.low < found.mean < found.high


def test_paired_with_itself_there_is_no_difference() -> None:
    found = paired_differences(A, A, ["tricks.0"])
    assert found == {"tricks.0": Estimate(0, 0, 0), LENGTH: Estimate(0, 0, 0)}


def test_pairs_that_are_none() -> None:
    assert paired_differences([], [], ["x"]) == {"x": Estimate(0, -inf, inf), LENGTH: Estimate(0, -inf, inf)}
    assert paired_differences(A[:1], B[:1], ["x"])["x"] == Estimate(-1, -inf, inf)
    assert paired_differences([(0, 0, 0)] * 2, A[:2], ["x"])["x"].high == inf
    with pytest.raises(ValueError, match="3 matches cannot be compared with 2"):
        paired_differences(A, B[:2], ["x"])


@pytest.mark.parametrize("request_", [Request(("random",), 0, 500), Request(("random",), 0, None, 20)])
def test_a_comparison_tells_how_far_it_is(request_: Request) -> None:
    told: list[tuple[str, int, int]] = []
    a, b = documented("pagat"), documented("pagat-kitty-first")
    paired(a, b, request_, SerialExecutor(), tell=lambda *x: told.append(x))
    assert list(dict.fromkeys(name for name, _, _ in told)) == [a.id, b.id]
    shares = [done / of for _, done, of in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
