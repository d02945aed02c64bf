"""What is printed: pages for the terminal, JSON documents, and what is wrong with the input."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import click

from trickproof.cli.colour import colour_choice
from trickproof.cli.pager import paged
from trickproof.support.exit_codes import Exit
from trickproof.support.terminal import PIPED, Terminal, terminal_of

if TYPE_CHECKING:
    from trickproof.reports.text import Page
    from trickproof_dsl.diagnostics.diagnostic import Diagnostic


BUG_HINT = (
    "please report it: `trickproof --bug-report FILE`, then the same command, writes what a report needs"
)
"""What is said of a bug."""

_ENDLESS = re.compile(r"(?<!\S)(\S{100})\S{300,}(\S{20})(?!\S)")


def output() -> Terminal:
    """What standard output is."""
    return terminal_of(sys.stdout, os.environ, colour_choice())


def messages() -> Terminal:
    """What standard error is."""
    return terminal_of(sys.stderr, os.environ, colour_choice())


def page() -> Page:
    """The page that a report is laid out for."""
    from trickproof.reports.text import Page

    return Page(output())


def diagnostics_shown(wrong: Iterable[Diagnostic], terminal: Terminal) -> str:
    """What is wrong with the user's text, drawn for a terminal."""
    from trickproof.reports.text import Page
    from trickproof_dsl.diagnostics.diagnostic import render

    shown = Page(terminal)
    return "\n".join(shown.diagnostic(render(wrong, shown.width)))


def help_width() -> int:
    """Characters of a line of `--help`: a page of text is not wider than 100."""
    return min(output().width, PIPED) - 2


def say(text: str, terminal: Terminal | None = None) -> None:
    """A report on standard output, in signs that it can show; with $PAGER if it is longer than the terminal."""
    terminal = terminal or output()
    shown = terminal.printable(text)
    if terminal.interactive and text.count("\n") >= terminal.rows() and paged(shown, os.environ):
        return
    click.echo(shown, color=terminal.colour or None)


def warn(text: str) -> None:
    """A message on standard error."""
    terminal = messages()
    if terminal.interactive and "\x1b" not in text:
        from trickproof.reports.text import Page

        text = "\n".join(part for line in text.splitlines() for part in Page(terminal).verbatim(line))
    click.echo(text, err=True, color=terminal.colour or None)


def print_file(text: str) -> None:
    """A file's text on standard output: in UTF-8, whatever its encoding."""
    binary = getattr(sys.stdout, "binary", None) or getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    binary.write(text.encode())
    binary.flush()


def print_json(content: Any, solver: bool = False) -> None:
    """One JSON document on standard output, under the versions it was made with; `solver`: that of the solver too."""
    from trickproof.support.serialise import document, json_text

    _print_json(partial(json_text, document(content, solver)))


def print_json_line(value: Any) -> None:
    """One line of JSON on standard output."""
    _print_json(partial(json.dumps, value, sort_keys=True))


def _print_json(text: Callable[..., str]) -> None:
    """JSON as it is, or in ASCII where the output does not have a sign."""
    shown = text(ensure_ascii=False)
    click.echo(shown if output().shows(shown) else text(ensure_ascii=True))


def shortened(message: str) -> str:
    """A message in which the middle of endless words, names that nobody has given, is left out."""
    return _ENDLESS.sub(r"\1...\2", message)


def refuse(wrong: list[Diagnostic], json_wanted: bool = False) -> NoReturn:
    """Says what is wrong with the user's input and ends with 2."""
    from trickproof_dsl.diagnostics.diagnostic import as_json

    if json_wanted:
        print_json({"errors": [as_json(diagnostic) for diagnostic in wrong]})
    warn(diagnostics_shown(wrong, messages()))
    sys.exit(Exit.BAD_INPUT)
