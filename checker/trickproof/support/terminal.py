"""What an output is written to: how wide it is, whether it shows colours, which signs its encoding has.

This is the one place that decides these.  Reports write Unicode and are laid out for a `Terminal`; `printable` then
replaces the signs that an output cannot show.
"""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

PIPED = 100
"""Characters of a line where the output is no terminal."""

NARROWEST, WIDEST = 60, 120
"""Terminals that are narrower or wider are treated as these."""

LINKING_PROGRAMS = frozenset({"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"})
LINKING_TERMINALS = frozenset({"xterm-kitty", "alacritty", "foot", "xterm-ghostty", "wezterm"})
FIRST_LINKING_VTE = 5000
"""Terminals that open links; others may print the address."""

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
    links: bool = False
    """Whether it opens links (OSC 8)."""
    encoding: str = "utf-8"
    columns: Callable[[], int] = lambda: PIPED
    rows: Callable[[], int] = lambda: 0
    """Lines of the screen; 0 where there is none."""
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
        """The text with ASCII in place of every sign that the encoding does not have; what steers terminals is made visible."""
        text = _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
        return text if self.shows(text) else "".join(shown_as(sign, self.encoding) for sign in text)


_STEERING = re.compile("[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but for those of our own, and what turns the direction of the text around it."""


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
    """What a stream is written to; `environment` holds NO_COLOR, FORCE_COLOR, TERM and what terminals say of themselves."""
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


def shows_colour(interactive: bool, environment: Mapping[str, str], choice: ColourChoice = "auto") -> bool:
    """Whether to colour: what is asked for, then NO_COLOR, FORCE_COLOR (but for 0), then whether a terminal shows it."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return interactive and environment.get("TERM") != "dumb"


def shows_links(interactive: bool, environment: Mapping[str, str]) -> bool:
    """Whether links are understood: FORCE_HYPERLINK (but for 0), else whether a terminal is one that is known to."""
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
    """The stream's encoding; UTF-8 where it has none, as one in memory."""
    name = getattr(stream, "encoding", None) or "utf-8"
    try:
        "".encode(name)
    except LookupError:
        return "ascii"
    return str(name)
