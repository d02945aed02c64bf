"""Estimates with 95% confidence intervals: shares, and deals per match."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, pi, sqrt, tan
from statistics import NormalDist

Z = 1.959964
"""The two-sided 95% quantile of the standard normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95% confidence interval; infinite where there is no bound."""

    mean: float
    low: float
    high: float

    @property
    def bounded(self) -> bool:
        """Whether it has an interval."""
        return -inf < self.low and self.high < inf

    def among(self, number: int) -> Estimate:
        """With the interval of one of so many estimates that all hold together with 95 % (Bonferroni)."""
        wider = NormalDist().inv_cdf(1 - 0.025 / max(number, 1)) / Z
        return Estimate(
            self.mean, self.mean - (self.mean - self.low) * wider, self.mean + (self.high - self.mean) * wider
        )


def student(freedom: int) -> float:
    """The two-sided 95% quantile of Student's distribution (beyond 2 degrees of freedom to 2 in 1,000).

    The expansion is formula 26.7.5 of Abramowitz and Stegun.
    """
    if freedom < 3:
        return tan(0.475 * pi) if freedom == 1 else 0.95 / sqrt(2 * 0.975 * 0.025)
    z, n = Z, freedom
    first = (z**3 + z) / (4 * n)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    return z + first + second + third + fourth


def share(count: int, of: int) -> Estimate:
    """A proportion, with Wilson's interval (Wilson 1927)."""
    if of == 0:
        return Estimate(0.0, 0.0, 1.0)
    p, z2 = count / of, Z * Z
    centre = (p + z2 / (2 * of)) / (1 + z2 / of)
    half = Z / (1 + z2 / of) * sqrt(p * (1 - p) / of + z2 / (4 * of * of))
    return Estimate(p, max(0.0, centre - half), min(1.0, centre + half))


def per_event(units: int, events: int) -> Estimate:
    """Units per event (deals per match) of a Poisson process (interval after Wilson and Hilferty)."""
    upper = events + 1.0
    most = upper * (1 - 1 / (9 * upper) + Z / (3 * sqrt(upper))) ** 3
    if events == 0:
        return Estimate(inf, units / most, inf)
    least = events * (1 - 1 / (9 * events) - Z / (3 * sqrt(events))) ** 3
    return Estimate(units / events, units / most, units / least if least > 0 else inf)
