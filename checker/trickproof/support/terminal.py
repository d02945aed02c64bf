"""What an output is written to: how wide it is, whether it shows colours, which signs its encoding has.

This is the one place that decides these.  Reports write Unicode and are laid out for a `Terminal`; `printable` then
replaces the signs that an output cannot show.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

PIPED = 100
"""Characters of a line where the output is no terminal."""

NARROWEST, WIDEST = 60, 120
"""Terminals that are narrower or wider are treated as these."""

ColourChoice = Literal["auto", "always", "never"]

_ASCII = str.maketrans(
    {
        "♣": "C",
        "♦": "D",
        "♥": "H",
        "♠": "S",
        "·": "-",
        "–": "-",
        "—": "-",
        "−": "-",
        "±": "+-",
        "→": "->",
        "≠": "#",
        "…": "...",
        "″": '"',
        "“": '"',
        "”": '"',
        "‘": "'",
        "’": "'",
    }
)
"""What stands for a sign where the encoding does not have it."""


class Stream(Protocol):
    """The part of a text stream that says what it is."""

    def isatty(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where text goes; `columns` is asked anew each time, as a window can be made narrower."""

    interactive: bool = False
    colour: bool = False
    encoding: str = "utf-8"
    columns: Callable[[], int] = lambda: PIPED
    margin: int = 0
    """Columns on the left that are taken."""

    @property
    def width(self) -> int:
        """Characters of a line."""
        return min(max(self.columns(), NARROWEST), WIDEST) - self.margin

    def shows(self, text: str) -> bool:
        """Whether the encoding has every sign of the text."""
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return True

    def printable(self, text: str) -> str:
        """The text with ASCII in place of every sign that the encoding does not have."""
        return text if self.shows(text) else "".join(shown_as(sign, self.encoding) for sign in text)


def shown_as(sign: str, encoding: str) -> str:
    """One sign, or what is read for it: `é` as `e`, and `?` where nothing is known."""
    for shown in (sign, sign.translate(_ASCII), unicodedata.normalize("NFKD", sign)[0]):
        try:
            shown.encode(encoding)
            return shown
        except UnicodeEncodeError:
            continue
    return "?"


def terminal_of(
    stream: Stream, environment: Mapping[str, str], colour_choice: ColourChoice = "auto"
) -> Terminal:
    """What a stream is written to; `environment` holds NO_COLOR, FORCE_COLOR, TERM and COLUMNS."""
    interactive = stream.isatty()
    return Terminal(
        interactive,
        shows_colour(interactive, environment, colour_choice),
        _encoding(stream),
        (lambda: shutil.get_terminal_size().columns) if interactive else (lambda: PIPED),
    )


def shows_colour(interactive: bool, environment: Mapping[str, str], choice: ColourChoice = "auto") -> bool:
    """Whether to colour: what is asked for, then NO_COLOR, FORCE_COLOR (but for 0), then whether a terminal shows it."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return interactive and environment.get("TERM") != "dumb"


def _encoding(stream: Stream) -> str:
    """The stream's encoding; UTF-8 where it has none, as one in memory."""
    name = getattr(stream, "encoding", None) or "utf-8"
    try:
        "".encode(name)
    except LookupError:
        return "ascii"
    return str(name)
