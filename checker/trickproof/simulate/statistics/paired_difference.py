"""The difference between two rulesets or policies, dealt the same cards match by match.

May assume: records of the same matches under both (`Counters.record`), in the same order, each match played
to its end or abandoned.  Promises: for every measure the difference of the means per deal, B − A, and of the
deals per completed match, with an interval that exploits the pairing: the luck of the deal cancels as far as it
is the same.

The means are ratios R = ΣX / Σn over all matches, of a measure to deals or of deals to completed matches.
Linearised, match j contributes d_j = (XB_j - RB nB_j) / mean nB - (XA_j - RA nA_j) / mean nA, and the variance of
RB - RA is Σ d_j² / ((k-1) k).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf, sqrt

from trickproof.simulate.statistics.outcome import LENGTH
from trickproof.support.confidence_intervals import Estimate, student

Record = Sequence[int]
"""A match: whether it ended, its number of hands, and the sum of each measure over them."""


def records(words: Sequence[int], measures: Sequence[str]) -> list[tuple[int, ...]]:
    """Split the notes of a run into the records of its matches."""
    size = 2 + len(measures)
    return [tuple(words[at : at + size]) for at in range(0, len(words), size)]


def paired_differences(
    records_a: Sequence[Record], records_b: Sequence[Record], measures: Sequence[str]
) -> dict[str, Estimate]:
    """B − A by measure, and the deals per completed match as `LENGTH`. Raises ValueError if the lists differ in length."""
    if len(records_a) != len(records_b):
        raise ValueError(f"{len(records_a)} matches cannot be compared with {len(records_b)}")
    differences = {name: _difference(records_a, records_b, 2 + i) for i, name in enumerate(measures)}
    differences[LENGTH] = _difference(records_a, records_b, 1, per=0)
    return differences


def _difference(records_a: Sequence[Record], records_b: Sequence[Record], at: int, per: int = 1) -> Estimate:
    (mean_a, parts_a), (mean_b, parts_b) = (_linearised(x, at, per) for x in (records_a, records_b))
    mean, number = mean_b - mean_a, len(records_a)
    if number < 2 or not parts_a or not parts_b:
        return Estimate(mean, -inf, inf)
    squares = fsum((b - a) ** 2 for a, b in zip(parts_a, parts_b, strict=True))
    half = student(number - 1) * sqrt(squares / (number - 1) / number)
    return Estimate(mean, mean - half, mean + half)


def _linearised(matches: Sequence[Record], at: int, per: int) -> tuple[float, list[float]]:
    """The mean per deal or completed match, and each match's contribution to its error; empty if there is none."""
    number, total = sum(match[per] for match in matches), sum(match[at] for match in matches)
    if number == 0:
        return 0.0, []
    each = number / len(matches)
    return total / number, [(match[at] - total * match[per] / number) / each for match in matches]
