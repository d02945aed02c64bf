"""Estimates with 95% confidence intervals: shares, and deals per match."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist

Z = 1.959964
"""The two-sided 95% quantile of the standard normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95% confidence interval; infinite where there is no bound."""

    mean: float
    low: float
    high: float

    def among(self, number: int) -> Estimate:
        """With the interval of one of so many estimates that all hold together with 95 % (Bonferroni)."""
        wider = NormalDist().inv_cdf(1 - 0.025 / max(number, 1)) / Z
        return Estimate(
            self.mean, self.mean - (self.mean - self.low) * wider, self.mean + (self.high - self.mean) * wider
        )


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
