"""Charts of simulation results as SVG, written directly: the same counts give the same text.

`figure` shows tricks by seat and match lengths of one outcome; `sweep_figure` shows estimates with their 95%
intervals over some values. Both return a complete document, with titles for tooltips and screen readers.
Series differ by position, marker or dashes as well as by colour, and the policy is printed on the figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite

from trickproof.reports.svg.primitives import (
    INK,
    Key,
    Panel,
    axis_number,
    below,
    colour,
    column,
    dashes,
    document,
    frame,
    key_rows,
    keys,
    line,
    marker,
    text,
    ticks,
)
from trickproof.reports.text import estimate
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.confidence_intervals import Estimate

MOST_BARS = 60
"""Maximum number of bars of match lengths; beyond it, a bar covers several lengths."""

MOST_SHOWN = 0.99
"""The share of matches that bars are drawn for; for the longest, only the number is given."""

WIDE = 440
"""Width of a panel, in pixels."""

BOLD = "font-weight='bold'"

HEIGHT = 440
"""Height of a sweep panel, in pixels."""

Point = tuple[str, Sequence[Estimate]]
"""A value on the axis of a sweep, and the estimate of each series there."""


def figure(outcome: Outcome) -> str:
    """Two panels: tricks per deal by seat, and deals per match."""
    counts = outcome.counts
    played = f"{counts.hands:,} deals, {counts.matches:,} matches, policy: {outcome.policy}"
    body = [*_tricks(outcome, 72), *_lengths(outcome, 592)]
    return document(1060, 450, f"{outcome.ruleset}: {played}", body)


# ---------------------------------------------------------------------------------------- tricks by seat


def _tricks(outcome: Outcome, left: float) -> Iterator[str]:
    counts, seats = outcome.counts, outcome.seats
    yield text(left, 66, "Tricks in a deal, by seat, with the mean", 14, more=BOLD)
    if not (counts.plan.tricks and counts.hands):
        yield text(left, 92, "none counted")
        return
    shares = [[100 * share for share in counts.distribution(s)] for s in range(len(seats))]
    means = [Key(_square(s), f"{name} {counts.tricks(s).mean:.2f}") for s, name in enumerate(seats)]
    across = max(map(len, shares))
    panel, up = _panel(left, means, -0.5, across - 0.5, [share for part in shares for share in part])
    yield from keys(left, 90, WIDE, means)
    yield from frame(panel, "tricks", "share of deals, %", up)
    yield from below(panel, [(x, str(x)) for x in range(across)])
    wide = 0.84 / len(seats)
    for s, name in enumerate(seats):
        for tricks, share in enumerate(shares[s]):
            x = tricks - 0.42 + s * wide
            title = f"{name}, {tricks} tricks: {share:.2f}% of deals"
            yield column(panel, x, x + wide, share, colour(s), title)


def _panel(
    left: float, shown: Sequence[Key], x0: float, x1: float, high: Sequence[float]
) -> tuple[Panel, list[float]]:
    """The frame below the key, and its y ticks, starting at 0."""
    top, up = 84 + 20 * key_rows(shown, WIDE), ticks(0, max(high))
    return Panel(left, top, WIDE, 390 - top, x0, x1, up[0], up[-1]), up


def _square(series: int) -> str:
    return f"<rect x='4' y='-10' width='12' height='12' fill='{colour(series)}'/>"


# ---------------------------------------------------------------------------------------- match lengths


@dataclass(frozen=True, slots=True)
class _Bars:
    """Ended matches in bars of `width` lengths each, starting at length 1."""

    width: int
    matches: list[int]

    @property
    def last(self) -> int:
        return self.width * len(self.matches)

    def of(self, i: int) -> str:
        first = 1 + i * self.width
        return str(first) if self.width == 1 else f"{first} to {first + self.width - 1}"


def _bars(lengths: Sequence[int], number: int) -> _Bars:
    """Bars for the shorter lengths, up to `MOST_SHOWN` of the matches."""
    reached, most = 0, 1
    for length, matches in enumerate(lengths):
        if matches and reached < MOST_SHOWN * number:
            most = max(1, length)
        reached += matches
    width = next(w for w in (1, 2, 5, 10, 20) if most <= w * MOST_BARS)
    return _Bars(width, [sum(lengths[at : at + width]) for at in range(1, most + 1, width)])


def _lengths(outcome: Outcome, left: float) -> Iterator[str]:
    counts, number = outcome.counts, outcome.counts.matches
    yield text(left, 66, "Length of a match", 14, more=BOLD)
    lengths = counts.lengths()[:-1]
    if not any(lengths):
        yield text(left, 92, "too long to count separately" if number else "no match ended")
        return
    bars, marks = _bars(lengths, number), _marks(outcome)
    shares = [100 * x / number for x in bars.matches]
    shown = [Key(line((0, -4), (18, -4), INK, 2, dash), words) for _, dash, words in marks]
    panel, up = _panel(left, shown, 0.5, bars.last + 0.5, shares)
    yield from keys(left, 90, WIDE, shown)
    longer = number - sum(bars.matches)
    xlabel = f"deals ({longer:,} matches are longer)" if longer else "deals"
    each = "" if bars.width == 1 else f" in {bars.width} deals"
    yield from frame(panel, xlabel, f"share of matches, %{each}", up)
    yield from below(panel, [(x, axis_number(x)) for x in ticks(0, bars.last) if 0 < x <= bars.last])
    yield from _columns(panel, bars, shares)
    for x, dash, words in marks:
        if x <= bars.last:
            yield line((panel.x(x), panel.top), (panel.x(x), panel.bottom), INK, 2, dash, words)


def _columns(panel: Panel, bars: _Bars, shares: Sequence[float]) -> Iterator[str]:
    for i, share in enumerate(shares):
        x, title = 1 + i * bars.width, f"{bars.of(i)} deals: {share:.2f}% of matches"
        yield column(panel, x - 0.46, x + bars.width - 0.54, share, "#9CC3DE", title)


def _marks(outcome: Outcome) -> list[tuple[float, str, str]]:
    """Mean, median and 90th percentile of the length: position, dashes, label."""
    length = outcome.counts.match_length()
    marks = [(length.mean.mean, dashes(0), f"mean {length.mean.mean:,.1f}")]
    if length.median is not None:
        marks.append((length.median, dashes(1), f"median {length.median}"))
    if length.ninety is not None:
        marks.append((length.ninety, dashes(2), f"90% up to {length.ninety}"))
    return marks


# ----------------------------------------------------------------------------------------------- sweeps


@dataclass(frozen=True)
class Measure:
    """One panel of a sweep: the estimates of each series over the members."""

    name: str
    points: Sequence[Point]
    series: Sequence[str]


def sweep_figure(measures: Sequence[Measure], xlabel: str, title: str = "") -> str:
    """One panel per measure, stacked, each with a line and 95% intervals per series.

    If all labels are distinct numbers, they are placed to scale.
    """
    body: list[str] = []
    for nth, measure in enumerate(measures):
        body += [f"<g transform='translate(0 {nth * HEIGHT})'>", *_sweep_panel(measure, xlabel), "</g>"]
    return document(770, 20 + HEIGHT * len(measures), title or f"by {xlabel}", body)


def _sweep_panel(measure: Measure, xlabel: str) -> Iterator[str]:
    labels = [label for label, _ in measure.points]
    shown = [Key(_dashed(s), name) for s, name in enumerate(measure.series)]
    across, up, top = _across(labels), _up(measure.points), 54 + 20 * key_rows(shown, 660)
    first, last = min(across, default=0.0), max(across, default=0.0)
    margin = 0.06 * (last - first) or 0.5
    panel = Panel(78, top, 660, 400 - top, first - margin, last + margin, up[0], up[-1])
    yield from (*keys(78, 60, 660, shown), *frame(panel, xlabel, measure.name, up))
    yield from below(panel, zip(across, labels, strict=True))
    for s, name in enumerate(measure.series):
        estimates = [(x, point[1][s]) for x, point in zip(across, measure.points, strict=True)]
        yield from _series(panel, estimates, s, name)


def _dashed(series: int) -> str:
    return line((0, -4), (20, -4), colour(series), 2, dashes(series)) + marker(10, -4, series)


def _across(labels: Sequence[str]) -> list[float]:
    try:
        numbers = [float(label) for label in labels]
    except ValueError:
        numbers = []
    distinct = len(set(numbers)) == len(labels) and all(map(isfinite, numbers))
    return numbers if distinct else [float(i) for i in range(len(labels))]


def _up(points: Sequence[Point]) -> list[float]:
    """Ticks that span the finite values."""
    every = [y for _, estimates in points for e in estimates for y in (e.mean, e.low, e.high) if abs(y) < inf]
    return ticks(min(every, default=0.0), max(every, default=1.0))


def _series(panel: Panel, estimates: Sequence[tuple[float, Estimate]], s: int, name: str) -> Iterator[str]:
    """A line through the means with error bars where they are finite; an unbounded mean interrupts the line."""
    aside = 3.0 * ((s + 1) // 2) * (1 if s % 2 else -1)
    before: tuple[float, float] | None = None
    for at, e in estimates:
        if not isfinite(e.mean):
            before = None
            continue
        x, here = panel.x(at) + aside, (panel.x(at) + aside, panel.y(e.mean))
        if before:
            yield line(before, here, colour(s), 2, dashes(s))
        yield line((x, panel.y(e.low)), (x, panel.y(e.high)), colour(s), 1.5)
        for end in (y for y in (e.low, e.high) if isfinite(y)):
            yield line((x - 4, panel.y(end)), (x + 4, panel.y(end)), colour(s), 1.5)
        yield marker(*here, s, f"{name}: {estimate(e, 3)}")
        before = here
