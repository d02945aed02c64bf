"""SVG building blocks: text, lines, axes with round ticks, keys.

All numbers have fixed decimals, so that equal input gives equal bytes. Nothing here depends on what is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8B6508")
"""The Okabe-Ito palette, with an eighth colour for tables of eight."""

DASHES = ("", "7 4", "2 3", "9 3 2 3", "14 4", "4 2", "1 4", "6 2 2 2")
INK, PALE = "#222222", "#DDDDDD"
FONTS = "Helvetica, Arial, 'DejaVu Sans', sans-serif"

LETTER = 6.6
"""Average width of a 12-pixel letter."""

_MARKERS = (
    "<circle r='4'/>",
    "<rect x='-3.6' y='-3.6' width='7.2' height='7.2'/>",
    "<path d='M0 -5 L4.6 3.6 L-4.6 3.6 Z'/>",
    "<path d='M0 -5.2 L5.2 0 L0 5.2 L-5.2 0 Z'/>",
    "<path d='M0 5 L4.6 -3.6 L-4.6 -3.6 Z'/>",
)


@dataclass(frozen=True, slots=True)
class Panel:
    """A frame in pixels and the range of values that it represents; y values grow upwards."""

    left: float
    top: float
    width: float
    height: float
    x0: float
    x1: float
    y0: float
    y1: float

    def x(self, value: float) -> float:
        return self.left + self.width * (value - self.x0) / (self.x1 - self.x0)

    def y(self, value: float) -> float:
        """The y coordinate of a value, clamped to the frame."""
        inside = min(max(value, self.y0), self.y1)
        return self.top + self.height * (self.y1 - inside) / (self.y1 - self.y0)

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def right(self) -> float:
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class Key:
    """An entry of the key; the sign is drawn in the 18 by 12 pixels above and to the right of the origin."""

    sign: str
    words: str


def colour(series: int) -> str:
    return COLOURS[series % len(COLOURS)]


def dashes(series: int) -> str:
    """The dash pattern of a series; empty for a solid line."""
    return DASHES[series % len(DASHES)]


def document(width: int, height: int, title: str, body: Iterable[str]) -> str:
    """A complete SVG file."""
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' "
        f"height='{height}' role='img' font-family=\"{FONTS}\" font-size='12' fill='{INK}'>"
    )
    ground = f"<rect width='{width}' height='{height}' fill='white'/>"
    named = f"<title>{escape(title)}</title>"
    return "\n".join([head, named, ground, text(20, 30, title, 16), *body, "</svg>"]) + "\n"


def text(x: float, y: float, words: str, size: int = 12, anchor: str = "start", more: str = "") -> str:
    """A text element; `more` holds additional attributes."""
    placed = f"x='{x:.2f}' y='{y:.2f}' font-size='{size}' text-anchor='{anchor}'"
    return f"<text {placed}{' ' + more if more else ''}>{escape(words, quote=False)}</text>"


def line(
    start: tuple[float, float],
    end: tuple[float, float],
    ink: str,
    width: float = 1,
    dash: str = "",
    title: str = "",
) -> str:
    placed = f"x1='{start[0]:.2f}' y1='{start[1]:.2f}' x2='{end[0]:.2f}' y2='{end[1]:.2f}'"
    dashed = f" stroke-dasharray='{dash}'" if dash else ""
    named = f"<title>{escape(title)}</title>" if title else ""
    return f"<line {placed} stroke='{ink}' stroke-width='{width:g}'{dashed}>{named}</line>"


def column(panel: Panel, x0: float, x1: float, high: float, fill: str, title: str) -> str:
    """A bar rising from the bottom of the frame."""
    x, y = panel.x(x0), panel.y(high)
    size = f"width='{panel.x(x1) - x:.2f}' height='{panel.bottom - y:.2f}'"
    return f"<rect x='{x:.2f}' y='{y:.2f}' {size} fill='{fill}'><title>{escape(title)}</title></rect>"


def marker(x: float, y: float, series: int, title: str = "") -> str:
    """A point; its shape identifies the series."""
    shape = _MARKERS[series % len(_MARKERS)]
    named = f"<title>{escape(title)}</title>" if title else ""
    return f"<g transform='translate({x:.2f} {y:.2f})' fill='{colour(series)}'>{named}{shape}</g>"


# ------------------------------------------------------------------------------------------------- axes


def ticks(low: float, high: float) -> list[float]:
    """About six round values that span `low` to `high`."""
    if high <= low:
        low, high = low - 0.5, low + 0.5
    rough = (high - low) / 6
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def axis_number(x: float) -> str:
    """An axis label."""
    return f"{x:,.6f}".rstrip("0").rstrip(".") if x else "0"


def frame(panel: Panel, xlabel: str, ylabel: str, up: Sequence[float]) -> Iterator[str]:
    """Grid lines with their values, the bottom line, and the axis labels."""
    for y in up:
        at = panel.y(y)
        yield line((panel.left, at), (panel.right, at), PALE)
        yield text(panel.left - 8, at + 4, axis_number(y), anchor="end")
    yield line((panel.left, panel.bottom), (panel.right, panel.bottom), INK)
    middle = panel.top + panel.height / 2
    widest = max(len(axis_number(y)) for y in up)
    aside = panel.left - 22 - LETTER * widest
    yield text(panel.left + panel.width / 2, panel.bottom + 38, xlabel, 13, "middle")
    yield text(aside, middle, ylabel, 13, "middle", f"transform='rotate(-90 {aside:.2f} {middle:.2f})'")


def below(panel: Panel, places: Iterable[tuple[float, str]]) -> Iterator[str]:
    """Ticks on the bottom line; labels that would overlap are omitted."""
    free = -1e9
    for x, words in places:
        at, half = panel.x(x), LETTER * len(words) / 2 + 4
        yield line((at, panel.bottom), (at, panel.bottom + 4), INK)
        if at - half >= free:
            yield text(at, panel.bottom + 18, words, anchor="middle")
            free = at + half


# ------------------------------------------------------------------------------------------------- keys


def key_rows(shown: Sequence[Key], width: float) -> int:
    """Number of rows, 20 pixels each, that the keys take up."""
    return ceil(len(shown) / _in_a_row(shown, width))


def keys(x: float, y: float, width: float, shown: Sequence[Key]) -> Iterator[str]:
    """Signs with their labels, in rows downwards from a base line."""
    each = _in_a_row(shown, width)
    for i, key in enumerate(shown):
        at = x + (i % each) * _wide(shown), y + 20 * (i // each)
        yield f"<g transform='translate({at[0]:.2f} {at[1]:.2f})'>{key.sign}{text(24, 0, key.words)}</g>"


def _wide(shown: Sequence[Key]) -> float:
    return 24 + 16 + LETTER * max((len(key.words) for key in shown), default=1)


def _in_a_row(shown: Sequence[Key], width: float) -> int:
    return max(1, floor((width + 16) / _wide(shown)))
