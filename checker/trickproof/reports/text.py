"""The layout of every report: wrapping, labels, columns, tables, colours, numbers, pictures of deals.

A report is given a `Page` and never measures, pads or colours text itself. Guarantees that no line that the
page wraps is wider than the page, that labels go above their text and columns follow one another below
`STACKED` columns, and that a page without colour has no escape codes.
"""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from trickproof.english.differences import EMPHASIS
from trickproof.english.seats import SUIT_SIGNS
from trickproof.support.bundled import ruleset_folder
from trickproof.support.confidence_intervals import Estimate
from trickproof.support.terminal import Terminal

if TYPE_CHECKING:
    from trickproof_dsl.core.program import Deck
    from trickproof_dsl.diagnostics.source import Span

STACKED = 90
"""Pages narrower than this have labels above their text, and columns one after the other."""

UNBROKEN = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken."""

_EMPHASISED = re.compile(f"{EMPHASIS}(.*?){EMPHASIS}", re.DOTALL)
_COMMAND = re.compile("`trickproof [^`]{1,36}`")
_UNIT = re.compile(r"(?<=\d) (?=pp(?!\w))|(?<=\w) (?=[+-]?\d+(?:[,;]|$))")
"""The space between a number and its unit, or a player and their number in a list."""

_BOLD, _DIM, _RED, _GREEN, _YELLOW, _BLUE, _CYAN = "1", "2", "31", "32", "33", "34", "36"

STYLES: Mapping[str, str] = {
    "strong": _BOLD,
    "faint": _DIM,
    "error": f"{_BOLD};{_RED}",
    "warning": f"{_BOLD};{_YELLOW}",
    "help": _CYAN,
    "place": _BLUE,
    "a": _CYAN,
    "b": _YELLOW,
    "red suit": _RED,
    "proved": _GREEN,
    "bounded": _GREEN,
    "tested": _CYAN,
    "undecided": _YELLOW,
    "unspecified": _YELLOW,
    "refuted": _RED,
    "same": _GREEN,
    "different": _RED,
    "incomparable": _YELLOW,
    "accepted": _GREEN,
    "rejected": _RED,
    "encoded": _GREEN,
    "contradicted": _RED,
    "uncovered": _YELLOW,
}
"""Styles by verdict or status, and for the two sides of a comparison; anything else is plain."""

_SIDES = ("a", "b")
_RED_CARD = re.compile(r"(?P<styled>\x1b\[[0-9;]*m.*?\x1b\[0m)|\w*[♦♥]")
_HEAD_OF_DIAGNOSTIC = re.compile(r"(error|warning|note|help)(?:\[\w+\])?(?=:)")
_UNDERLINE = re.compile(r"^( *\| *)(\^+)$")
HEADER_PADDING = 2
"""Columns that `tabulate` adds to a header."""

_FIGURE = re.compile(r"([+-]?[\d,.]+(?:%| pp)?) (\([-+\d,.?]+ to [-+\d,.?]+\)(?: ~)?|±[\d,.]+%?)")
"""A mean and its interval."""

_ESCAPES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;.*?\x1b\\")


@dataclass(frozen=True, slots=True)
class Label:
    """A word in front of a text, padded to `width`; `style` is one of `STYLES`."""

    text: str
    width: int = 0
    style: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A terminal from a report's point of view."""

    terminal: Terminal

    @property
    def width(self) -> int:
        """Characters per line."""
        return self.terminal.width

    @property
    def stacked(self) -> bool:
        """Whether labels go above their text."""
        return self.width < STACKED

    def narrower(self, by: int) -> Page:
        """A page for a block that is indented as a whole."""
        return Page(replace(self.terminal, margin=self.terminal.margin + by))

    def styled(self, text: str, style: str) -> str:
        """The text in one of `STYLES`, such as that of a verdict."""
        code = STYLES.get(style) if self.terminal.colour else None
        return text if code is None else f"\x1b[{code}m{text}\x1b[0m"

    def suits_coloured(self, line: str) -> str:
        """A finished line with its red-suit cards in red; what has a colour keeps it."""
        return _RED_CARD.sub(lambda card: card["styled"] or self.styled(card[0], "red suit"), line)

    def diagnostic(self, drawn: str) -> Iterator[str]:
        """Wrap and colour diagnostics that are drawn with their source lines."""
        for line in drawn.splitlines():
            head = _HEAD_OF_DIAGNOSTIC.match(line)
            if head is not None:
                first, *others = self.wrapped(line, hang=2)
                yield first.replace(head[0], self.styled(head[0], head[1]), 1)
                yield from others
            elif line.lstrip().startswith("--> "):
                yield self.styled(line, "place")
            else:
                yield _UNDERLINE.sub(lambda part: part[1] + self.styled(part[2], "error"), line)

    def wrapped(self, text: str, head: str = "", hang: int | None = None) -> list[str]:
        """Uncoloured text as lines: `head` first, the others indented by `hang`, by default to its width.

        A line is never broken at an `UNBROKEN` space, nor at a `_UNIT`, nor within a short command to paste.
        """
        lines = textwrap.wrap(
            _unbroken(_UNIT.sub(UNBROKEN, text)),
            self.width,
            initial_indent=head,
            subsequent_indent=" " * (len(head) if hang is None else hang),
            break_on_hyphens=False,
        )
        return [line.replace(UNBROKEN, " ") for line in lines] or [head.rstrip()]

    def emphasised(self, text: str, head: str) -> list[str]:
        """Wrapped text with emphasis: bold, or between asterisks."""
        lines = self.wrapped(text, head)
        if not self.terminal.colour:
            return [line.replace(EMPHASIS, "*") for line in lines]
        return _EMPHASISED.sub(
            lambda some: "\n".join(self.styled(line, "strong") for line in some[1].split("\n")),
            "\n".join(lines),
        ).splitlines()

    def verbatim(self, line: str) -> list[str]:
        """A source line with its indentation; if it is too long, continuation lines are indented further."""
        text = line.lstrip()
        head = line[: len(line) - len(text)]
        return self.wrapped(text, head, len(head) + 4) if len(line.rstrip()) > self.width else [line.rstrip()]

    def command(self, head: str, words: Sequence[str], indent: int = 0) -> list[str]:
        """A command to paste, after its purpose or below it; long ones are split with shell line continuations."""
        parts: list[str] = []
        for word in words:
            quoted = word if word == "…" else shlex.quote(word)
            if parts and parts[-1].startswith("--") and " " not in parts[-1] and not word.startswith("-"):
                parts[-1] += f" {quoted}"  # an option and its value stay together
            else:
                parts.append(quoted)
        whole = f"{' ' * (indent + 4)}{' '.join(parts)}"
        if len(whole) <= self.width < len(whole) + len(head) - 3:
            return [*self.wrapped(head, " " * indent), whole]
        lines, line = [], f"{' ' * indent}{head} {parts[0]}"
        for number, part in enumerate(parts[1:], 2):
            if len(line) + 1 + len(part) > self.width - 2 * (number < len(parts)):
                lines.append(f"{line} \\")
                line = f"{' ' * (indent + 4)}{part}"
            else:
                line += f" {part}"
        return [*lines, line]

    def linked(self, text: str, span: Span, head: str = "") -> list[str]:
        """A file location on one line, as a hyperlink if the terminal supports them."""
        lines = self.wrapped(text, head)
        if not self.terminal.links or len(lines) > 1:
            return lines
        named = Path(span.source.name)
        path = next((x for x in (named, ruleset_folder().parent / named) if x.exists()), None)
        if path is None:
            return lines
        url = path.absolute().as_uri()
        return [f"{head}\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"]

    def labelled(self, labels: Sequence[Label], text: str) -> list[str]:
        """Labels with a text beside them, or below them on a stacked page."""
        pads = [" " * max(0, label.width - len(label.text)) for label in labels]
        plain = "  " + "  ".join(label.text + pad for label, pad in zip(labels, pads, strict=True))
        styled = "  " + "  ".join(
            self.styled(label.text, label.style) + pad for label, pad in zip(labels, pads, strict=True)
        )
        if self.stacked:
            below = self.wrapped(text, " " * 6) if text else []
            return [styled.rstrip(), *below]
        first, *others = self.wrapped(text, f"{plain}  ")
        return [styled + first[len(plain) :] if text else styled.rstrip(), *others]

    def side_by_side(self, titles: tuple[str, str], rows: Sequence[tuple[str, str, str]]) -> Iterator[str]:
        """Two columns under their titles, each row with a mark in front; stacked on a narrow page."""
        if self.stacked:
            for column in (1, 2):
                yield f"     {self.styled(titles[column - 1], _SIDES[column - 1])}"
                for row in rows:
                    if row[column]:
                        lines = self.wrapped(row[column], f"     {row[0]} ", 9)
                        yield from map(self.suits_coloured, lines)
            return
        across = (self.width - 7) // 2
        for nth, (mark, *cells) in enumerate(((" ", *titles), *rows)):
            columns = (textwrap.wrap(cell, across, break_on_hyphens=False) or [""] for cell in cells)
            for number, (a, b) in enumerate(zip_longest(*columns, fillvalue="")):
                pad = " " * (across - len(a))
                left, right = (
                    self.styled(x, side if nth == 0 else "") for x, side in zip((a, b), _SIDES, strict=True)
                )
                shown = self.styled(mark, "different") if number == 0 and mark.strip() else " "
                yield self.suits_coloured(f"   {shown} {left}{pad}  {right}".rstrip())

    def across(self, cells: Sequence[str]) -> Iterator[str]:
        """Cells of equal width, as many per line as fit; they may be coloured."""
        widest = max(map(shown_width, cells), default=0)
        number = max(1, self.width // (widest + 2))
        for start in range(0, len(cells), number):
            row = (cell + " " * (widest - shown_width(cell)) for cell in cells[start : start + number])
            yield f"  {'  '.join(row)}".rstrip()

    def aligned(
        self, rows: Sequence[Sequence[str]], right: Container[int] = (), indent: int = 2
    ) -> list[str]:
        """Rows in columns without headers or rules; `right` are the right-aligned columns."""
        widths = [max(map(shown_width, column)) for column in zip(*rows, strict=True)]
        lines = []
        for row in rows:
            gaps = [" " * (width - shown_width(cell)) for cell, width in zip(row, widths, strict=True)]
            cells = (
                gap + cell if column in right else cell + gap
                for column, (cell, gap) in enumerate(zip(row, gaps, strict=True))
            )
            lines.append((" " * indent + "  ".join(cells)).rstrip())
        return lines

    def table(self, rows: Sequence[Sequence[str]], headers: Sequence[str], right: Container[int] = ()) -> str:
        """A table with a rule under its headers; `right` are the right-aligned columns.

        If a table is too wide, its cells are folded; if that is not enough, it is transposed; if it is still
        too wide, it is written row by row, each cell after its header.
        """
        drawn = _drawn(rows, headers, right)
        if _width(drawn) <= self.width:
            return drawn
        least = _widths(rows, headers, _least)
        widths = _narrowed(_widths(rows, headers, _width), least, self.width)
        if widths is None:
            turned = [[head.replace("\n", " "), *cells] for head, *cells in zip(headers, *rows, strict=True)]
            drawn = _drawn(turned[1:], turned[0], range(1, len(rows) + 1) if right else ())
            if _width(drawn) <= self.width:
                return drawn
            return "\n\n".join("\n".join(self._row(row, headers)) for row in rows)
        heads = _fold(headers, [width - HEADER_PADDING for width in widths])
        columns = zip(zip(*rows, strict=True), widths, strict=False)
        folded_rows = zip(*(_figures_folded(cells, width) for cells, width in columns), strict=True)
        return _drawn([_fold(row, widths) for row in folded_rows], heads, right)

    def _row(self, row: Sequence[str], headers: Sequence[str]) -> Iterator[str]:
        for header, cell in zip(headers, row, strict=True):
            if not cell.strip():
                continue
            yield from self.wrapped(" ".join(cell.split()), f"{' '.join(header.split())}: ", 4)


PLAIN = Page(Terminal())
"""A page of the default width without colours."""


def shown_width(text: str) -> int:
    """Width of a text on the terminal; escape sequences have none."""
    return len(_ESCAPES.sub("", text))


def folded(text: str, width: int) -> str:
    """Text filled to at most `width` characters per line."""
    return textwrap.fill(_unbroken(text), width, break_on_hyphens=False).replace(UNBROKEN, " ")


def _unbroken(text: str) -> str:
    """The text with commands that stay on one line, so that they can be pasted."""
    return _COMMAND.sub(lambda command: command[0].replace(" ", UNBROKEN), text)


def _drawn(rows: Sequence[Sequence[str]], headers: Sequence[str], right: Container[int]) -> str:
    from tabulate import tabulate

    align = ["right" if column in right else "left" for column in range(len(headers))]
    drawn = tabulate(
        rows, headers, tablefmt="simple", disable_numparse=True, colalign=align if rows else None
    )
    return "\n".join(line.rstrip() for line in drawn.splitlines())


def _widths(
    rows: Sequence[Sequence[str]], headers: Sequence[str], measure: Callable[[str], int]
) -> list[int]:
    heads = [measure(header) + HEADER_PADDING for header in headers]
    return [max(column) for column in zip(heads, *(map(measure, row) for row in rows), strict=True)]


def _width(text: str) -> int:
    return max(map(shown_width, text.splitlines()), default=0)


def _least(text: str) -> int:
    """The width that a cell cannot go below: its longest word, or the longer half of a figure."""
    figure = _FIGURE.fullmatch(text)
    return max(map(shown_width, text.split() if figure is None else figure.groups()), default=0)


def _figures_folded(column: Sequence[str], width: int) -> list[str]:
    """A column whose figures, if one is too wide, all have their intervals on a second line."""
    if all(_width(cell) <= width for cell in column):
        return list(column)
    return ["\n".join(figure.groups()) if (figure := _FIGURE.fullmatch(cell)) else cell for cell in column]


def _narrowed(widths: list[int], least: Sequence[int], most: int) -> list[int] | None:
    """Column widths that fit into `most`, narrowing the widest without breaking words; None if impossible."""
    widths = list(widths)
    while sum(widths) + 2 * (len(widths) - 1) > most:
        wide = [column for column in range(len(widths)) if widths[column] > least[column]]
        if not wide:
            return None
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def _fold(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [
        "\n".join(folded(line, width) for line in cell.splitlines())
        for cell, width in zip(cells, widths, strict=True)
    ]


# ---------------------------------------------------------------------------------------------- numbers


MOST_DIGITS = 9
"""The most decimals that are tried to show that an interval excludes 0."""


def number(x: float, digits: int = 2, sign: str = "") -> str:
    """A number with `digits` decimals and thousands separators; `sign` "+" shows a plus; `?` if infinite."""
    return "?" if abs(x) == inf else f"{x:{sign}z,.{digits}f}"


def percent(share: float) -> str:
    """`36.8%`."""
    return f"{number(100 * share, 1)}%"


def estimate(x: Estimate, digits: int = 2, sign: str = "", unit: str = "") -> str:
    """A mean with its interval, if it has one: `5.64 (5.61 to 5.66)`; with enough digits to show that it excludes 0, if it does."""
    if (nearest := max(x.low, -x.high)) > 0:
        digits = next((d for d in range(digits, MOST_DIGITS) if round(nearest, d)), digits)
    mean, low, high = (number(y, digits, sign) for y in (x.mean, x.low, x.high))
    return f"{mean}{unit} ({low} to {high})" if x.bounded else f"{mean}{unit}"


def hundredfold(x: Estimate) -> Estimate:
    """A share as a percentage."""
    return Estimate(100 * x.mean, 100 * x.low, 100 * x.high)


def percentage(x: Estimate) -> str:
    """A share with its interval: `36.8% (35.6 to 38.0)`."""
    return estimate(hundredfold(x), 1, unit="%")


def points(x: Estimate) -> str:
    """A difference of shares in percentage points: `+1.2 pp (+0.8 to +1.6)`."""
    return estimate(hundredfold(x), 1, "+", " pp")


def share_plus_minus(x: Estimate, unit: str = "%") -> str:
    """A share with the larger half of its interval, or both ends if that goes beyond 0 or 100%: `36.8 ±1.2%`."""
    x = hundredfold(x)
    half = max(x.high - x.mean, x.mean - x.low)
    fits = half <= min(x.mean, 100 - x.mean) or not x.bounded
    return f"{plus_minus(x, 1)}{unit}" if fits else estimate(x, 1, unit=unit)


def plus_minus(x: Estimate, digits: int = 2, sign: str = "") -> str:
    """`5.64 ±0.03`, the mean alone if it has no interval, or a lower bound if it is unbounded."""
    if abs(x.mean) == inf:
        return f"over {number(x.low, 0)}"
    if not x.bounded:
        return number(x.mean, digits, sign)
    return f"{number(x.mean, digits, sign)} ±{number(max(x.high - x.mean, x.mean - x.low), digits)}"


# ------------------------------------------------------------------------------------- cards and deals

RED_SUITS = ("D", "H")


def suit_sign(letter: str) -> str:
    """The symbol of a suit, or its letter if it has none."""
    return SUIT_SIGNS.get(letter, letter)


def rank_name(letter: str) -> str:
    """A rank as players write it: `10`, not `T`."""
    return "10" if letter == "T" else letter


def by_suit(deck: Deck, cards: Iterable[int]) -> list[tuple[int, list[int]]]:
    """The suits present in a hand, in deck order, each with its cards from highest to lowest."""
    held: dict[int, list[int]] = {suit: [] for suit in range(len(deck.suits))}
    for card in sorted(cards, key=lambda x: (-deck.card_rank[x], x)):
        held[deck.card_suit[card]].append(card)
    return [(suit, some) for suit, some in held.items() if some]


def hand_parts(page: Page, deck: Deck, cards: Iterable[int]) -> list[str]:
    """A hand suit by suit: `♠ A K 10`."""
    parts = []
    for suit, held in by_suit(deck, cards):
        letter = deck.suit_letters[suit]
        sign = page.styled(suit_sign(letter), "red suit" if letter in RED_SUITS else "")
        parts.append(" ".join((sign, *(rank_name(deck.cards[card][0]) for card in held))))
    return parts


def deal_picture(
    page: Page, deck: Deck, hands: Mapping[str, Iterable[str]], indent: int = 2
) -> Iterator[str]:
    """One line per hand: its name, then its cards in columns by suit; cards are two-character codes."""
    numbers = {name: card for card, name in enumerate(deck.cards)}
    rows = {
        name: hand_parts(page, deck, (numbers[card] for card in cards)) or ["no cards"]
        for name, cards in hands.items()
    }
    label = max(map(len, rows), default=0)
    longest = max((shown_width("  ".join(parts)) for parts in rows.values()), default=0)
    stacked = page.stacked and indent + label + 2 + longest > page.width
    for name, parts in rows.items():
        if stacked:
            yield " " * indent + name
            yield from filled(page, parts, " " * (indent + 4))
        else:
            yield from filled(page, parts, f"{' ' * indent}{name:<{label}}  ")


def filled(page: Page, parts: Sequence[str], head: str) -> Iterator[str]:
    """Parts joined into lines, never broken inside."""
    line = head + parts[0]
    for part in parts[1:]:
        if shown_width(line) + 2 + shown_width(part) > page.width:
            yield line
            line = " " * len(head) + part
        else:
            line += f"  {part}"
    yield line
