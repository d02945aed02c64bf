"""Standard input, output and error, which may be closed, full, or unable to encode a character.

After `prepare`, a closed input or output raises OSError when it is used, output never raises UnicodeError,
and messages that standard error does not accept are dropped silently.
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
"""The encoding error handler that replaces characters the output lacks with readable ones."""

INPUT, OUTPUT = "standard input", "standard output"
"""File names in errors of these streams."""

_OUTPUT, _ERROR = 1, 2


class _Closed(io.RawIOBase):
    """Stands in for a stream that was closed when the process started."""

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
    """Standard error, whose failures are ignored."""

    def write(self, data: Any) -> int:
        with suppress(OSError):
            super().write(data)
        return len(data)


class _Text(io.TextIOWrapper):
    """A text stream that hides its buffer, because click would write UTF-8 to it even if ASCII is requested."""

    buffer = None  # type: ignore[assignment]

    def __init__(self, binary: io.BufferedWriter, encoding: str, line_buffering: bool) -> None:
        super().__init__(binary, encoding, ERRORS, line_buffering=line_buffering)
        self.binary = binary
        """For file contents, which are UTF-8 whatever the encoding."""


def prepare() -> None:
    """Set up the standard streams of this process as described above."""
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
    """Discard everything written to standard output, so that the process can end."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _OUTPUT)
        sys.stdout = _text(_Output(nowhere, "w"), sys.stdout)


def _text(raw: io.RawIOBase, before: Any) -> io.TextIOWrapper:
    """A text stream with the encoding of the one that it replaces."""
    encoding = getattr(before, "encoding", None) or "utf-8"
    return _Text(io.BufferedWriter(raw), encoding, raw.isatty())


def _fill_gaps() -> None:
    """Occupy the descriptors of closed streams, so that files opened later do not get other output."""
    with suppress(OSError):
        while (number := os.open(os.devnull, os.O_RDWR)) <= _ERROR:
            os.set_inheritable(number, True)
        os.close(number)


def _readable(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    signs = problem.object[problem.start : problem.end]
    return "".join(shown_as(sign, problem.encoding) for sign in signs), problem.end
