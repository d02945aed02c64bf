"""Printing: pages for the terminal, or in the user's pager ($PAGER), JSON documents, and diagnostics of the input."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import click

from trickproof.cli.console.colour import colour_choice
from trickproof.support.exit_codes import Exit
from trickproof.support.terminal import PIPED, Terminal, terminal_of, width_of_help
from trickproof_dsl.plain_mode import plain_mode

if TYPE_CHECKING:
    from trickproof.check_runner.runner import Disagreement
    from trickproof.reports.text import Page
    from trickproof_dsl.diagnostics.diagnostic import Diagnostic


BUG_HINT = (
    "please report it: `trickproof --bug-report FILE`, then the same command, writes what a report needs"
)
"""Shown after an internal error."""

_ENDLESS = re.compile(r"(?<!\S)(\S{100})\S{300,}(\S{20})(?!\S)")


def output() -> Terminal:
    """The terminal properties of standard output."""
    return terminal_of(sys.stdout, os.environ, colour_choice())


def messages() -> Terminal:
    """The terminal properties of standard error."""
    return terminal_of(sys.stderr, os.environ, colour_choice())


def page() -> Page:
    """The page for which a report is laid out."""
    from trickproof.reports.text import Page

    return Page(output())


def diagnostics_shown(wrong: Iterable[Diagnostic], terminal: Terminal) -> str:
    """Diagnostics of the user's text, drawn for a terminal."""
    from trickproof.reports.text import Page
    from trickproof_dsl.diagnostics.diagnostic import render

    shown = Page(terminal)
    return "\n".join(shown.diagnostic(render(wrong, shown.width)))


def help_width() -> int:
    """The line width of `--help`: at most 100 characters, or COLUMNS if it is piped, less a margin."""
    return min(width_of_help(output(), os.environ), PIPED) - 2


def say(text: str, terminal: Terminal | None = None) -> None:
    """Print a report in characters that the output can show; in $PAGER if it is longer than the terminal."""
    terminal = terminal or output()
    shown = terminal.printable(text)
    if terminal.interactive and text.count("\n") >= terminal.rows() and paged(shown, os.environ):
        return
    click.echo(shown, color=terminal.colour or None)


def warn(text: str) -> None:
    """Print a message on standard error."""
    terminal = messages()
    if terminal.interactive and "\x1b" not in text:
        from trickproof.reports.text import Page

        text = "\n".join(part for line in text.splitlines() for part in Page(terminal).verbatim(line))
    click.echo(text, err=True, color=terminal.colour or None)


def print_file(text: str) -> None:
    """Print a file's text on standard output in UTF-8, whatever the locale."""
    binary = getattr(sys.stdout, "binary", None) or getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    binary.write(text.encode())
    binary.flush()


def print_json(content: Any, in_a_line: bool = False) -> None:
    """Print one JSON document with the versions that produced it."""
    from trickproof.support.serialise import document, json_text

    if in_a_line:
        print_json_line(document(content))
    else:
        _print_json(partial(json_text, document(content)))


def print_json_line(value: Any) -> None:
    """Print one line of JSON."""
    _print_json(partial(json.dumps, value, sort_keys=True))


def _print_json(text: Callable[..., str]) -> None:
    """Print JSON as it is, or in ASCII if the output cannot show a character."""
    shown = text(ensure_ascii=False)
    click.echo(shown if output().shows(shown) else text(ensure_ascii=True))


def shortened(message: str) -> str:
    """A message with the middle of very long words, such as generated names, left out."""
    return _ENDLESS.sub(r"\1...\2", message)


def refuse(wrong: list[Diagnostic], json_wanted: bool = False) -> NoReturn:
    """Report the errors in the user's input and exit with 2."""
    from trickproof_dsl.diagnostics.diagnostic import as_json

    if json_wanted:
        print_json({"errors": [as_json(diagnostic) for diagnostic in wrong]})
    warn(diagnostics_shown(wrong, messages()))
    sys.exit(Exit.BAD_INPUT)


def end_for_bugs(failed: Iterable[Disagreement]) -> None:
    """Report checks that had an internal error and, if there are any, end the program with 70."""
    ended = None
    for one in failed:
        warn(f"trickproof: {one.ruleset}: internal error in check `{one.check}`: {one.message}")
        if os.environ.get("TRICKPROOF_DEBUG"):
            warn(one.trace)
        ended = ended or SystemExit(Exit.BUG)
        ended.add_note(f"{one.ruleset}: {one.check}: {one.message}\n{one.trace}")
    if ended:
        warn(BUG_HINT)
        raise ended


OPTIONS_OF_LESS = "FRX"
"""Options for `less`: show colours, quit if the text fits on the screen, and leave it there."""


def paged(text: str, environment: Mapping[str, str]) -> bool:
    """Show the text in $PAGER and return whether that was done; never without a terminal or in plain mode.

    A pager that exits with an error may have shown nothing. One that is quit early does not.
    """
    pager = environment.get("PAGER", "").strip()
    if not pager or pager == "cat" or plain_mode() or not sys.stdin.isatty():
        return False
    import subprocess

    settings = {"LESS": OPTIONS_OF_LESS, **environment}
    try:
        process = subprocess.Popen(pager, shell=True, stdin=subprocess.PIPE, env=settings)
    except OSError:
        return False
    assert process.stdin is not None
    with suppress(BrokenPipeError), process.stdin as pipe:  # the pager was quit early
        pipe.write(f"{text}\n".encode())
    return process.wait() not in ERRORS


ERRORS = range(1, 128)
"""Exit codes of a pager that fails, and of a shell that cannot start it; higher ones are signals."""
