"""Input that is read line by line: a regular file, or standard input as `-`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import click

from trickproof_dsl.diagnostics.diagnostic import escaped
from trickproof_dsl.files.regular_file import bounded_lines, open_regular

STDIN = "-"


@dataclass(frozen=True)
class InputFile:
    """An open input, with its name in messages."""

    name: str
    stream: BinaryIO

    def lines(self, longest: int) -> Iterator[str]:
        """Its lines; a line of more than `longest` bytes is cut after one byte too many."""
        return bounded_lines(self.stream, longest)


class InputFileType(click.ParamType[InputFile]):
    """A file to read, opened immediately; anything but a regular file is refused unread."""

    name = "filename"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> InputFile:
        if isinstance(value, InputFile):
            return value
        if value == STDIN:
            return InputFile("<stdin>", sys.stdin.buffer)
        try:
            return InputFile(escaped(value), open_regular(value))
        except FileNotFoundError:
            raise click.UsageError(f"file `{click.format_filename(value)}` not found", ctx) from None
        except OSError as wrong:
            self.fail(f"'{click.format_filename(value)}': {wrong.strerror}", param, ctx)
        except ValueError:
            self.fail(f"'{click.format_filename(value)}': no file can have this name", param, ctx)
