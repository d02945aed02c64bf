"""File input limited to regular files of bounded size; anything else is rejected before a byte is read.

Reading a pipe would block, a device may be endless, and a huge file exhausts memory.  Opening never blocks,
and the opened file is checked again, so that it cannot be swapped in between.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

_KINDS = (
    (stat.S_ISDIR, errno.EISDIR, "Is a directory"),
    (stat.S_ISFIFO, errno.ESPIPE, "Is a pipe, not a file"),
    (stat.S_ISSOCK, errno.ENXIO, "Is a socket, not a file"),
    (lambda mode: not stat.S_ISREG(mode), errno.ENODEV, "Is a device, not a file"),
)


class TooLargeError(OSError):
    """A file that exceeds its size limit."""


def open_regular(path: str | os.PathLike[str], limit: int | None = None) -> BinaryIO:
    """Open a regular file for reading.

    Raises OSError, in particular TooLargeError; ValueError if no file can have that name.
    """
    _refuse_unfit(path, os.stat(path), limit)
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    file = os.fdopen(descriptor, "rb")
    try:
        _refuse_unfit(path, os.fstat(descriptor), limit)
    except OSError:
        file.close()
        raise
    return file


def read_regular(path: str | os.PathLike[str], limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes.  Raises as `open_regular` does."""
    with open_regular(path, limit) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise _too_large(path, limit)
    return data


def bounded_lines(stream: BinaryIO, longest: int) -> Iterator[str]:
    """The lines of a stream, invalid UTF-8 replaced; lines over `longest` bytes are cut to one byte more."""
    while line := stream.readline(longest + 1):
        rest = line
        while len(rest) > longest and not rest.endswith(b"\n"):
            rest = stream.readline(longest + 1)
        yield line.decode("utf-8", "replace")


def _refuse_unfit(path: str | os.PathLike[str], status: os.stat_result, limit: int | None) -> None:
    for is_kind, number, reason in _KINDS:
        if is_kind(status.st_mode):
            raise OSError(number, reason, os.fspath(path))
    if limit is not None and status.st_size > limit:
        raise _too_large(path, limit)


def _too_large(path: str | os.PathLike[str], limit: int) -> TooLargeError:
    return TooLargeError(errno.EFBIG, f"Is larger than {limit} bytes", os.fspath(path))
