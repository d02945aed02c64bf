"""Estimates from the totals of a simulation, with 95% confidence intervals.

May assume: totals in the positions of `counter_layout`, of whole matches or of matches cut off where the
hands ran out.  Promises: an answer for any number of hands and matches, including none; division comes last,
so that equal totals give equal answers on every machine.

A mean over hands is a ratio X / n over batches of consecutive hands of one match, because hands of one match
depend on each other.  With R = ΣX / Σn over m batches, its variance is m/(m-1) · Σ(X - R n)² / (Σn)², the
usual linearisation (Cochran, Sampling Techniques, chapter 6); its interval is Student's with m - 1 degrees
of freedom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt

from trickproof.simulate.ir.counter_layout import LENGTHS, OVER, TRICKS, CounterLayout
from trickproof.support.confidence_intervals import Estimate, per_event, share, student

FEWEST = 10
"""Fewer matches than this say too little for figures per match."""

RARE = 100
"""Nor are there any if more than one match in so many stopped where the rules failed."""


@dataclass(frozen=True, slots=True)
class Length:
    """Hands per match; `median` and `ninety` (the 90th percentile) are None beyond the lengths counted singly."""

    mean: Estimate
    median: int | None
    ninety: int | None


@dataclass(frozen=True, slots=True)
class Spread:
    """Standard deviations of single hands; 0 with fewer than two hands, or if not counted."""

    tricks: float
    over: float


@dataclass(frozen=True, slots=True)
class Score:
    """A player's score when the match ends: its mean, and the standard deviation of single matches."""

    mean: Estimate
    spread: float


@dataclass(frozen=True, slots=True)
class Counts:
    """Totals and their layout.  Seats count clockwise from the dealer of the hand, players by index."""

    plan: CounterLayout
    totals: Sequence[int]

    # ----------------------------------------------------------------------------------------- counts

    @property
    def hands(self) -> int:
        """Hands played to their end."""
        return self._at("hands")

    @property
    def matches(self) -> int:
        """Matches that ended."""
        return self._at("matches")

    @property
    def unfinished(self) -> int:
        """Matches abandoned: too long, or the rules failed at run time."""
        return self._at("unfinished")

    @property
    def broken(self) -> int:
        """Hands in which the rules failed at run time; each ended its match."""
        return self._at("broken")

    @property
    def tell_of_matches(self) -> bool:
        """Whether there is enough for figures per match."""
        return not self.few_matches and self.broken * RARE <= self.matches

    @property
    def few_matches(self) -> bool:
        """Whether fewer than `FEWEST` matches ended."""
        return self.matches < FEWEST

    @property
    def batches(self) -> int:
        """Number of observations from which the variance of means over hands is estimated."""
        return self._at("batches")

    # --------------------------------------------------------------------------------- means per hand

    def tricks(self, seat: int) -> Estimate:
        """Tricks per hand."""
        return _within(self.measure(f"tricks.{seat}"), 0.0, inf)

    def over(self, seat: int) -> Estimate:
        """Tricks over the target, negative if under."""
        return self.measure(f"over.{seat}")

    def met(self, seat: int) -> Estimate:
        """The fraction of hands in which the target was met, as the rules mean it (`CounterLayout.met`)."""
        count = self._at(f"met.{seat}")
        if count in (0, self.hands):
            return share(count, self.hands)
        return _within(self.measure(f"met.{seat}"), 0.0, 1.0)

    def scored(self, seat: int) -> Estimate:
        """What a hand adds to the score; the score itself if it is not carried from hand to hand."""
        return self.measure(f"scored.{seat}")

    def paid(self, seat: int) -> Estimate:
        """What is paid to the player for a hand, negative if the player pays."""
        return self.measure(f"paid.{seat}")

    def given(self) -> Estimate:
        """Cards given away per hand, by all players together."""
        return _within(self.measure("given"), 0.0, inf)

    def measure(self, name: str) -> Estimate:
        """One of `CounterLayout.measures`, by its name; the interval is unbounded with fewer than two batches."""
        batches, n, n2 = self.batches, self._at("batch"), self._at("batch2")
        x, x2, xn = self._at(name), self._at(f"{name}*2"), self._at(f"{name}*n")
        if batches < 2:
            return Estimate(x / n if n else 0.0, -inf, inf)
        residual = Fraction(x2) - Fraction(2 * x * xn, n) + Fraction(x * x * n2, n * n)
        return _interval(Fraction(x, n), residual * batches / ((batches - 1) * n * n), batches)

    def spread(self, seat: int) -> Spread:
        """The spread of single hands."""
        tricks = self._bins(f"tricks#{seat}", TRICKS) if self.plan.tricks else []
        over = self._bins(f"over#{seat}", OVER) if self.plan.over else []
        return Spread(_deviation(tricks), _deviation(over))

    def distribution(self, seat: int) -> list[float]:
        """The fraction of hands with 0, 1, 2, … tricks, up to the largest number seen."""
        return _shares(self._bins(f"tricks#{seat}", TRICKS))

    def given_distribution(self) -> list[float]:
        """The fraction of hands with 0, 1, 2, … cards given away, up to the largest number seen."""
        return _shares(self._bins("given#", TRICKS))

    # ------------------------------------------------------------------------------------- per match

    def match_length(self) -> Length:
        """The length of matches.

        The mean is all hands over all ends, including the hands of matches without an end: to leave these out
        would favour short matches.  Quantiles are of matches that ended or were abandoned as too long.
        """
        mean = per_event(self.hands, self.matches)
        if self.matches > 1:
            mean = _interval(Fraction(self.hands, self.matches), *self._length_variance())
        return Length(_within(mean, 1.0, inf), self._quantile(1, 2), self._quantile(9, 10))

    def lengths(self) -> list[int]:
        """Ended matches by their number of hands; the last entry has all that are at least that long."""
        return self._bins("length", LENGTHS)

    def wins(self) -> list[Estimate]:
        """By seat in the last hand: the fraction of ended matches won; several players may win, or nobody."""
        return [share(self._at(f"last.{s}"), self.matches) for s in range(self.plan.players)]

    def wins_by_start(self) -> list[Estimate]:
        """By player: the fraction of ended matches won."""
        return [share(self._at(f"wins.{s}"), self.matches) for s in range(self.plan.players)]

    def winners(self) -> list[int]:
        """Ended matches won by nobody, by one player or partnership, by two, …"""
        return self._bins("winners", self.plan.players + 1)

    def scores(self) -> list[Score]:
        """By player: the score when the match ended; empty if no score is kept."""
        players = range(self.plan.players if self.plan.score else 0)
        return [self._score(self._at(f"score.{s}"), self._at(f"score2.{s}")) for s in players]

    # ------------------------------------------------------------------------------------ internals

    def _at(self, name: str) -> int:
        return self.totals[self.plan.offsets[name]]

    def _bins(self, name: str, size: int) -> list[int]:
        at = self.plan.offsets[name]
        return list(self.totals[at : at + size])

    def _length_variance(self) -> tuple[Fraction, int]:
        """The variance of hands over ends, linearised, and from how many matches it is estimated.

        A match that ended contributes its length minus the mean, any other its length.  Only the sum is known
        for those without an end: they are taken to be equally long.
        """
        hands, ended, counted = self.hands, self.matches, self._at("lengths")
        endless = hands - counted
        others = max(self.unfinished, int(endless > 0))
        mean = Fraction(hands, ended)
        residual = self._at("lengths2") - 2 * mean * counted + mean * mean * ended
        if others:
            residual += Fraction(endless * endless, others)
        matches = ended + others
        return residual * matches / ((matches - 1) * ended * ended), matches

    def _quantile(self, part: int, of: int) -> int | None:
        number = self.matches + max(0, self.unfinished - self.broken)
        reached = 0
        for length, matches in enumerate(self.lengths()[:-1]):
            reached += matches
            if number and reached * of >= number * part:
                return length
        return None

    def _score(self, total: int, squares: int) -> Score:
        number = self.matches
        if number < 2:
            return Score(Estimate(total / number if number else 0.0, -inf, inf), 0.0)
        variance = Fraction(squares * number - total * total, number * (number - 1))
        return Score(_interval(Fraction(total, number), variance / number, number), sqrt(variance))


def _interval(mean: Fraction, variance: Fraction, observations: int) -> Estimate:
    half = student(observations - 1) * sqrt(variance)
    return Estimate(float(mean), float(mean) - half, float(mean) + half)


def _within(x: Estimate, least: float, most: float) -> Estimate:
    """The estimate, clamped to the range of the quantity."""
    return Estimate(x.mean, max(least, x.low), min(most, x.high))


def _deviation(bins: Sequence[int]) -> float:
    """The standard deviation of binned numbers."""
    number = sum(bins)
    if number < 2:
        return 0.0
    total = sum(x * count for x, count in enumerate(bins))
    squares = sum(x * x * count for x, count in enumerate(bins))
    return sqrt(Fraction(squares * number - total * total, number * (number - 1)))


def _shares(bins: Sequence[int]) -> list[float]:
    number = sum(bins)
    used = max((x + 1 for x, count in enumerate(bins) if count), default=0)
    return [count / number for count in bins[:used]]
