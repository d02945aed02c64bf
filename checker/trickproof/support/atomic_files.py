"""Atomic file writes, and digests of folders."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from errno import EACCES, EEXIST, EINVAL
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO


class Draft:
    """A file in preparation, written next to its target; raises OSError immediately if that is impossible.

    Symbolic links are followed and preserved. The previous content remains until `put` succeeds. A `private`
    file is readable and writable only by its owner, and replaces a link. Nothing is written before `open`, so that an
    interruption at any moment after that can be followed by `discard`.
    """

    def __init__(self, path: Path, private: bool = False) -> None:
        self.path, self._private = path if private else Path(os.path.realpath(path)), private
        if self.path.exists() and not private and not self.path.is_file():
            raise OSError(EINVAL, "not a file that can be replaced", str(path))
        if self.path.exists() and not private and not os.access(self.path, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES), str(path))
        self._draft = self.path.with_name(f".{token_hex(8)}.part")
        self._file: BinaryIO | None = None

    def open(self) -> None:
        """Create the draft, with nothing in it."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self._file = os.fdopen(os.open(self._draft, flags, 0o600 if self._private else 0o666), "wb")

    def put(self, content: bytes, replace: bool = True) -> None:
        """Replace the file with this content, preserving its mode.

        Without `replace`, raises FileExistsError if the file exists.
        """
        assert self._file is not None
        with self._file:
            self._file.write(content)
        if not replace:
            self._link()
            return
        if self.path.exists() and not self._private:
            self._draft.chmod(self.path.stat().st_mode & 0o7777)
        os.replace(self._draft, self.path)

    def discard(self) -> None:
        """Remove what is left of the draft."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
        with suppress(OSError):
            self._draft.unlink(missing_ok=True)

    def _link(self) -> None:
        try:
            os.link(self._draft, self.path)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links
            if self.path.exists():
                raise FileExistsError(EEXIST, os.strerror(EEXIST), str(self.path)) from None
            os.replace(self._draft, self.path)


def write_atomically(path: Path, content: bytes, replace: bool = True, private: bool = False) -> None:
    """Write a file atomically. Raises OSError if it cannot be written; see `Draft`."""
    draft = Draft(path, private)
    try:
        draft.open()
        draft.put(content, replace)
    finally:
        draft.discard()


def files_digest(folder: Path, *patterns: str) -> str:
    """A digest of the files in a folder and its subfolders, including their names."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in folder.rglob(pattern)):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()}\n{len(text)}\n".encode() + text)
    return digest.hexdigest()
