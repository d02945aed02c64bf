"""Standard input, output and error of this process, which may be closed, full, or of an encoding that lacks a sign.

After `prepare` a closed input or output raises OSError when it is used, an output never raises UnicodeError, and
messages that standard error does not take are lost without a word.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from contextlib import suppress
from errno import EBADF
from typing import Any

from trickproof.support.terminal import shown_as

ERRORS = "trickproof.readable"
"""The way of encoding in which what can be read stands for a sign that an output does not have."""

INPUT, OUTPUT = "standard input", "standard output"
"""The file names of errors in these."""

_OUTPUT, _ERROR = 1, 2


class _Closed(io.RawIOBase):
    """What stands for a stream that the process was begun without."""

    def __init__(self, name: str) -> None:
        self._name = name

    def readable(self) -> bool:
        return self._name == INPUT

    def writable(self) -> bool:
        return self._name == OUTPUT

    def readinto(self, _: Any) -> int:
        raise OSError(EBADF, "it is closed", self._name)

    def write(self, _: Any) -> int:
        raise OSError(EBADF, "it is closed", self._name)


class _Output(io.FileIO):
    """Standard output; errors name it."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as problem:
            problem.filename = OUTPUT
            raise


class _Messages(io.FileIO):
    """Standard error, on which nothing depends."""

    def write(self, data: Any) -> int:
        with suppress(OSError):
            super().write(data)
        return len(data)


class _Text(io.TextIOWrapper):
    """Text that is encoded here: click, which finds no buffer, does not write UTF-8 where ASCII is asked for."""

    buffer = None  # type: ignore[assignment]

    def __init__(self, binary: io.BufferedWriter, encoding: str, line_buffering: bool) -> None:
        super().__init__(binary, encoding, ERRORS, line_buffering=line_buffering)
        self.binary = binary
        """For files, which are UTF-8 whatever the encoding."""


def prepare() -> None:
    """Makes the standard streams of this process as this module promises."""
    codecs.register_error(ERRORS, _readable)
    _fill_gaps()
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(_Closed(INPUT)), "utf-8")
    elif isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    output = _Closed(OUTPUT) if sys.stdout is None else _Output(_OUTPUT, "w", closefd=False)
    sys.stdout = _text(output, sys.stdout)
    sys.stderr = _text(_Messages(_ERROR, "w", closefd=False), sys.stderr)


def drop_output() -> None:
    """Standard output takes nothing: what was written to it is forgotten, so that the process can end."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _OUTPUT)
        sys.stdout = _text(_Output(nowhere, "w"), sys.stdout)


def _text(raw: io.RawIOBase, before: Any) -> io.TextIOWrapper:
    """A text stream in the encoding of the one that was there before."""
    encoding = getattr(before, "encoding", None) or "utf-8"
    return _Text(io.BufferedWriter(raw), encoding, raw.isatty())


def _fill_gaps() -> None:
    """Files that are opened later do not get the number of a closed stream, where other programs would write into them."""
    with suppress(OSError):
        while (number := os.open(os.devnull, os.O_RDWR)) <= _ERROR:
            os.set_inheritable(number, True)
        os.close(number)


def _readable(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    signs = problem.object[problem.start : problem.end]
    return "".join(shown_as(sign, problem.encoding) for sign in signs), problem.end
