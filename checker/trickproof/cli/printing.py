"""What is printed: pages for the terminal, JSON documents, and what is wrong with the input."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from trickproof.support.exit_codes import Exit
from trickproof.support.terminal import Terminal, terminal_of

if TYPE_CHECKING:
    from trickproof.reports.text import Page
    from trickproof_dsl.diagnostics.diagnostic import Diagnostic


def output() -> Terminal:
    """What standard output is; reports are not coloured yet."""
    return terminal_of(sys.stdout, os.environ, "never")


def page() -> Page:
    """The page that a report is laid out for."""
    from trickproof.reports.text import Page

    return Page(output())


def say(text: str, terminal: Terminal | None = None) -> None:
    """A report on standard output, in signs that it can show."""
    terminal = terminal or output()
    click.echo(terminal.printable(text), color=terminal.colour or None)


def warn(text: str) -> None:
    """A message on standard error."""
    click.echo(text, err=True)


def print_json(content: Any, solver: bool = False) -> None:
    """One JSON document on standard output, under the versions it was made with; `solver`: that of the solver too."""
    from trickproof.support.serialise import document, json_text

    click.echo(json_text(document(content, solver)))


def refuse(wrong: list[Diagnostic], json_wanted: bool = False) -> NoReturn:
    """Says what is wrong with the user's input and ends with 2."""
    from trickproof_dsl.diagnostics.diagnostic import as_json, render

    if json_wanted:
        print_json({"errors": [as_json(diagnostic) for diagnostic in wrong]})
    warn(render(wrong))
    sys.exit(Exit.BAD_INPUT)
