"""Properties of an output: its width, its colours, and the characters that its encoding has.

Only this module determines these. Reports write Unicode and are laid out for a `Terminal`; `printable` then
replaces the characters that an output cannot show.
"""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

PIPED = 100
"""Line width if the output is not a terminal."""

NARROWEST, WIDEST = 60, 120
"""Terminal widths are clamped to this range."""

LINKING_PROGRAMS = frozenset({"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"})
LINKING_TERMINALS = frozenset({"xterm-kitty", "alacritty", "foot", "xterm-ghostty", "wezterm"})
FIRST_LINKING_VTE = 5000
"""Terminals that support hyperlinks; others may print the address."""

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
"""Replacements for characters that the encoding lacks."""


class Stream(Protocol):
    """The part of a text stream that describes it."""

    def isatty(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where text goes; `columns` is called each time, since a window can be resized."""

    interactive: bool = False
    colour: bool = False
    links: bool = False
    """Whether it supports hyperlinks (OSC 8)."""
    encoding: str = "utf-8"
    columns: Callable[[], int] = lambda: PIPED
    rows: Callable[[], int] = lambda: 0
    """Lines of the screen; 0 if there is none."""
    margin: int = 0
    """Columns reserved on the left."""

    @property
    def width(self) -> int:
        """Characters per line."""
        return min(max(self.columns(), NARROWEST), WIDEST) - self.margin

    def shows(self, text: str) -> bool:
        """Whether the encoding has every character of the text."""
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return True

    def printable(self, text: str) -> str:
        """The text with replacements for characters that the encoding lacks; control characters are escaped."""
        text = _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
        return text if self.shows(text) else "".join(shown_as(sign, self.encoding) for sign in text)


_STEERING = re.compile("[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters other than the program's own, and bidirectional controls."""


def shown_as(sign: str, encoding: str) -> str:
    """A character, or its replacement: `é` as `e`, and `?` if there is none."""
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
    """The properties of a stream's terminal; `environment` has NO_COLOR, FORCE_COLOR, TERM and the like."""
    interactive = stream.isatty()
    colour = shows_colour(interactive, environment, colour_choice)
    return Terminal(
        interactive,
        colour,
        colour and shows_links(interactive, environment),
        _encoding(stream),
        (lambda: shutil.get_terminal_size().columns) if interactive else (lambda: PIPED),
        (lambda: shutil.get_terminal_size().lines) if interactive else (lambda: 0),
    )


def width_of_help(terminal: Terminal, environment: Mapping[str, str]) -> int:
    """The width of a help page: that of the terminal; if there is none, COLUMNS, which programs that show help set."""
    columns = environment.get("COLUMNS", "")
    if terminal.interactive or not (columns.isascii() and columns.isdecimal()):
        return terminal.width
    return min(max(int(columns), NARROWEST), WIDEST)


def shows_colour(interactive: bool, environment: Mapping[str, str], choice: ColourChoice = "auto") -> bool:
    """Whether to use colour: the explicit choice, then NO_COLOR, FORCE_COLOR (except 0), then the terminal."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return interactive and environment.get("TERM") != "dumb"


def shows_links(interactive: bool, environment: Mapping[str, str]) -> bool:
    """Whether to use hyperlinks: FORCE_HYPERLINK (except 0), or else what the terminal is known for."""
    forced = environment.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced not in ("", "0")
    known = (
        environment.get("TERM_PROGRAM") in LINKING_PROGRAMS
        or environment.get("TERM") in LINKING_TERMINALS
        or any(environment.get(name) for name in ("WT_SESSION", "KONSOLE_VERSION", "DOMTERM"))
    )
    vte = environment.get("VTE_VERSION", "")
    return interactive and (known or (vte.isdecimal() and int(vte) >= FIRST_LINKING_VTE))


def _encoding(stream: Stream) -> str:
    """The stream's encoding; UTF-8 if it has none, as an in-memory stream."""
    name = getattr(stream, "encoding", None) or "utf-8"
    try:
        "".encode(name)
    except LookupError:
        return "ascii"
    return str(name)
