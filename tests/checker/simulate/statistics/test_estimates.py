"""What totals say: estimates worked out by hand, compared with direct computations, and in the long run as sure as told."""

from __future__ import annotations

from math import inf, sqrt
from random import Random

import pytest

from checker.rulesets_for_tests import documented
from trickproof.simulate.ir.counter_layout import CounterLayout, with_offsets
from trickproof.simulate.runtime.kernel import Kernel
from trickproof.simulate.statistics.estimates import Counts
from trickproof.support.confidence_intervals import Estimate, per_event, share, student

PLAN = with_offsets(
    CounterLayout(
        players=3,
        seat=True,
        tricks=True,
        over=True,
        met=">=",
        score=True,
        carried=True,
        payout=True,
        give=True,
    )
)
"""Everything that can be counted of three players."""


def made(known: dict[str, int | dict[int, int]]) -> Counts:
    """Counts that are 0 but for some; histograms are given as a number by bin."""
    totals = [0] * PLAN.size
    for name, value in known.items():
        for offset, count in (value if isinstance(value, dict) else {0: value}).items():
            totals[PLAN.offsets[name] + offset] = count
    return Counts(PLAN, totals)


def of_batches(name: str, batches: list[tuple[int, int]]) -> Counts:
    """Counts of one measure from batches (hands, sum)."""
    return made(
        {
            "hands": sum(n for n, _ in batches),
            "batches": len(batches),
            "batch": sum(n for n, _ in batches),
            "batch2": sum(n * n for n, _ in batches),
            name: sum(x for _, x in batches),
            f"{name}*2": sum(x * x for _, x in batches),
            f"{name}*n": sum(x * n for n, x in batches),
        }
    )


def about(found: Estimate, mean: float, half: float) -> bool:
    """Whether an estimate is the mean give or take half an interval."""
    return [found.mean, found.low, found.high] == pytest.approx([mean, mean - half, mean + half])


# ---------------------------------------------------------------------------------------- means by hand


def test_a_ratio_by_hand() -> None:
    """Means 5 and 6.5 of 2 and 4 hands: 6 together; the batches are 2 tricks below and above it."""
    found = of_batches("over.1", [(2, 10), (4, 26)]).over(1)
    assert about(found, 6, student(1) * sqrt(8 * 2 / 1 / 36))


@pytest.mark.parametrize("seed", range(5))
def test_a_ratio_is_what_a_direct_computation_finds(seed: int) -> None:
    rng = Random(seed)
    sizes = [rng.choice((128, rng.randrange(1, 129))) for _ in range(40)]
    batches = [(n, sum(rng.randrange(-8, 9) for _ in range(n))) for n in sizes]
    hands = sum(sizes)
    mean = sum(x for _, x in batches) / hands
    residuals = sum((x - mean * n) ** 2 for n, x in batches)
    half = student(39) * sqrt(40 / 39 * residuals) / hands
    assert about(of_batches("over.2", batches).over(2), mean, half)


def test_batches_that_agree_leave_no_doubt() -> None:
    assert of_batches("given", [(1, 3), (2, 6), (128, 384)]).given() == Estimate(3.0, 3.0, 3.0)


def test_one_batch_bounds_nothing() -> None:
    assert of_batches("over.0", [(128, 64)]).over(0) == Estimate(0.5, -inf, inf)
    assert of_batches("tricks.0", [(128, 64)]).tricks(0) == Estimate(0.5, 0, inf)
    assert of_batches("met.0", [(128, 64)]).met(0) == Estimate(0.5, 0, 1)


def test_shares_stay_between_none_and_all() -> None:
    seldom = of_batches("met.0", [(10, 0), (10, 1), (10, 0)]).met(0)
    assert seldom.mean == pytest.approx(1 / 30)
    assert seldom.low == 0
    assert seldom.high < 0.18
    assert of_batches("met.0", [(10, 0), (10, 0)]).met(0) == share(0, 20)
    assert of_batches("met.0", [(10, 10), (10, 10)]).met(0) == share(20, 20)


def test_spread_and_distribution() -> None:
    counts = made({"tricks#0": {4: 1, 6: 1}, "over#0": {64 - 4: 3, 64: 3}, "given#": {0: 3, 2: 1}})
    spread = counts.spread(0)
    assert [spread.tricks, spread.over] == pytest.approx([sqrt(2), sqrt(4 * 6 / 5)])
    assert counts.distribution(0) == [0, 0, 0, 0, 0.5, 0, 0.5]
    assert counts.given_distribution() == [0.75, 0, 0.25]
    assert made({"tricks#0": {4: 1}}).spread(0).tricks == 0


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_quantiles_of_student(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=0.002)


def test_figures_per_match_need_matches_and_rules_that_seldom_fail() -> None:
    assert not made({"matches": 9}).tell_of_matches
    assert made({"matches": 200, "broken": 2}).tell_of_matches
    assert not made({"matches": 200, "broken": 3}).tell_of_matches


# ------------------------------------------------------------------------------------- numbers by match


def of_lengths(*lengths: int, more: int = 0, unfinished: int = 0, broken: int = 0) -> Counts:
    """Counts of ended matches, and of `more` hands in others."""
    bins: dict[int, int] = {}
    for length in lengths:
        bins[min(length, 1023)] = bins.get(min(length, 1023), 0) + 1
    return made(
        {
            "hands": sum(lengths) + more,
            "matches": len(lengths),
            "unfinished": unfinished,
            "broken": broken,
            "lengths": sum(lengths),
            "lengths2": sum(x * x for x in lengths),
            "length": bins,
        }
    )


def test_length_of_matches_by_hand() -> None:
    found = of_lengths(2, 4, 6).match_length()
    assert (found.mean.mean, found.mean.low) == (4, 1)
    assert found.mean.high == pytest.approx(4 + student(2) * sqrt(8 * 3 / 2 / 9))
    assert (found.median, found.ninety) == (4, 6)


def test_a_match_that_was_cut_off_counts() -> None:
    """15 hands for 3 ends: the lengths are 3, 1 and -1 below 5, and 3 hands have no end."""
    found = of_lengths(2, 4, 6, more=3).match_length()
    assert (found.mean.mean, found.mean.low) == (5, 1)
    assert found.mean.high == pytest.approx(5 + student(3) * sqrt((9 + 1 + 1 + 9) * 4 / 3 / 9))
    assert found.median == 4


def test_lengths_alike_and_a_long_match_cut_off() -> None:
    """That all matches that ended took 2 hands does not make the mean of 6 sure."""
    found = of_lengths(2, 2, 2, more=12).match_length().mean
    assert found.mean == 6
    assert found.low < 2.5


def test_matches_given_up_are_longer_than_any_but_broken_ones_are_not() -> None:
    given_up = of_lengths(2, 4, 6, more=1000, unfinished=1).match_length()
    assert (given_up.median, given_up.ninety) == (4, None)
    broken = of_lengths(2, 4, 6, more=1, unfinished=2, broken=2).match_length()
    assert (broken.median, broken.ninety) == (4, 6)


def test_lengths_beyond_the_histogram() -> None:
    found = of_lengths(5, 6, 2000, 3000).match_length()
    assert (found.median, found.ninety) == (6, None)
    assert of_lengths(2000, 3000).match_length().median is None


def test_few_matches() -> None:
    none, one, short = (of_lengths(*x, more=10).match_length() for x in ((), (4,), (1, 1)))
    assert none.mean == Estimate(inf, per_event(10, 0).low, inf)
    assert (none.median, none.ninety) == (None, None)
    assert one.mean == per_event(14, 1)
    assert (short.mean.mean, short.mean.low) == (6, 1)


def test_wins_and_scores() -> None:
    counts = made(
        {"matches": 4, "wins.0": 3, "last.2": 4, "winners": {1: 3, 2: 1}, "score.1": 20, "score2.1": 120}
    )
    assert counts.wins() == [share(0, 4), share(0, 4), share(4, 4)]
    assert counts.wins_by_start() == [share(3, 4), share(0, 4), share(0, 4)]
    assert counts.winners() == [0, 3, 1, 0]
    score = counts.scores()[1]
    assert score.spread == pytest.approx(sqrt(20 / 3))
    assert about(score.mean, 5, student(3) * sqrt(20 / 3 / 4))


def test_nothing_played() -> None:
    counts = made({})
    assert (counts.hands, counts.matches, counts.unfinished, counts.broken) == (0, 0, 0, 0)
    assert counts.tricks(0) == counts.given() == Estimate(0, 0, inf)
    assert counts.met(0) == counts.wins()[0] == Estimate(0, 0, 1)
    assert counts.match_length().mean == Estimate(inf, 1, inf)
    assert counts.distribution(0) == counts.given_distribution() == []
    assert (counts.spread(0).tricks, counts.scores()[0].spread) == (0, 0)


# ----------------------------------------------------------------------------------------- in real play


def test_intervals_are_as_sure_as_they_say() -> None:
    """Long-run values are of tens of millions of hands; tricks by seat add up to all there are."""
    pytest.importorskip("llvmlite")
    kernel = Kernel(documented("pagat").program)
    plan = kernel.compiled.counters
    runs = [Counts(plan, kernel.play(seed, 0, 10**9, 1000).totals) for seed in range(200)]
    for values, true in (
        ([x.tricks(0) for x in runs], 5.635),
        ([x.match_length().mean for x in runs], 31.55),
    ):
        covered = sum(x.low <= true <= x.high for x in values) / len(values)
        assert 0.88 <= covered <= 0.99
    for counts in runs[:20]:
        assert sum(counts.tricks(s).mean for s in range(3)) == pytest.approx(16)
        assert counts.over(0).mean == pytest.approx(counts.tricks(0).mean - 8)
        assert sum(counts.distribution(1)) == pytest.approx(1)
