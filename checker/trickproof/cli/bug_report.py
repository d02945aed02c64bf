"""What developers ask of a user: the versions, and the report of a bug (command, traceback, and the input if the user agrees)."""

from __future__ import annotations

import platform
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click

from trickproof.cli.console.output_file import written_file
from trickproof.support.atomic_files import write_atomically
from trickproof.support.serialise import package_version

MOST_BYTES = 1 << 20
"""Size limit of an input file that is included in a report."""

DECIDERS = ("z3-solver", "hypothesis", "lark", "pyyaml", "click", "llvmlite", "cvc5", "bitwuzla")
"""Packages whose versions matter."""

_HOMES = re.compile(r"/(?:home|Users)/[^/\s\"'`]+")


def write_report(path: str, words: Sequence[str], problem: BaseException, with_input: bool) -> None:
    """Write the report of a failed run; on a terminal, ask whether to include the command's files."""
    files = [file for file in _inputs(words) if file != Path(path)]
    if files and not with_input and sys.stdin.isatty() and sys.stderr.isatty():
        names = ", ".join(f"`{file}`" for file in files)
        with_input = click.confirm(f"put {names} into the report?", err=True)
    text = _without_homes("\n".join(_lines(words, problem, files if with_input else [])))
    with written_file(path, "--bug-report"):
        write_atomically(Path(path), text.encode("utf-8", "backslashreplace"))
    click.echo(f"the report is in `{path}`: read it before you send it", err=True)


def _lines(words: Sequence[str], problem: BaseException, files: Sequence[Path]) -> Iterator[str]:
    yield f"trickproof {package_version('trickproof')}"
    yield f"Python {platform.python_version()}, {platform.platform()}"
    yield ", ".join(f"{name} {package_version(name)}" for name in DECIDERS)
    yield f"command: trickproof {' '.join(words)}"
    yield ""
    yield "".join(traceback.format_exception(problem)).rstrip()
    for file in files:
        yield f"\n--- {file}"
        yield file.read_text(encoding="utf-8", errors="replace")
    yield ""


def _inputs(words: Sequence[str]) -> list[Path]:
    """The files that a command names and that are small enough."""
    names = (word.partition("=")[2] if word.startswith("-") else word for word in words)
    paths = dict.fromkeys(Path(name) for name in names if name)
    return [path for path in paths if path.is_file() and path.stat().st_size <= MOST_BYTES]


def _without_homes(text: str) -> str:
    """The text without the names of home folders."""
    with suppress(RuntimeError):
        text = text.replace(str(Path.home()), "~")
    return _HOMES.sub("~", text)


def version_line() -> str:
    """`trickproof 0.1.0 (z3 4.15.4, Python 3.11.7)`."""
    solver = f"z3 {package_version('z3-solver')}"
    return f"trickproof {package_version('trickproof')} ({solver}, Python {platform.python_version()})"
