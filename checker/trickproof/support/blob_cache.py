"""Bytes cached between runs, one file per entry, in a folder that may fail without affecting answers.

An entry starts with a header (its kind, the version of that kind's format, and its key) and a digest of
header and content. An entry that is damaged, of another kind, or stored under another name is removed, so
that it is recomputed; one that somebody else may have written is never read (see `cache_folder`).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from trickproof.support.atomic_files import write_atomically
from trickproof.support.cache_folder import distrust, make_private, refuse, refuse_files, usable_folder

Parsed = TypeVar("Parsed")

DIGEST_BYTES = 32

MOST_BYTES = 64 << 20
"""Maximum size of an entry; anything larger was not written here."""

_FLAGS = sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOCTTY")
)
"""Do not follow links or wait for pipes."""


class BlobCache:
    """One kind of entry in the user's cache folder; beyond `most` entries, the oldest are removed.

    `form` is the format version of the kind; entries of other versions are not found.
    """

    def __init__(self, kind: str, form: int, most: int) -> None:
        self.kind, self.name, self.most = kind, f"{kind}-{form}", most

    def read(self, key: str) -> bytes | None:
        """The entry for a key, if it exists, is intact, and belongs to this user."""
        try:
            folder = self._folder()
            stored = _private_bytes(folder / key) if folder is not None and key.isalnum() else None
        except OSError:
            return None
        if stored is None:
            return None
        head = self._head(key)
        body = stored[len(head) + DIGEST_BYTES :]
        if stored[: len(head) + DIGEST_BYTES] == head + _digest(head, body):
            return body
        self.drop(key)
        return None

    def parsed(self, key: str, parse: Callable[[Any], Parsed]) -> Parsed | None:
        """What the JSON of an entry stands for, if there is one; an entry that cannot be parsed is removed."""
        stored = self.read(key)
        if stored is None:
            return None
        try:
            return parse(json.loads(stored))
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            self.drop(key)
            return None

    def write(self, key: str, content: bytes) -> bool:
        """Store an entry, replacing any existing one; return whether that succeeded."""
        head = self._head(key)
        try:
            folder = self._folder(make=True)
            if folder is None:
                return False
            if (folder / key).is_dir():
                self.drop(key)
            write_atomically(folder / key, head + _digest(head, content) + content, private=True)
            self._prune(folder)
        except OSError:
            return False
        return True

    def drop(self, key: str) -> None:
        """Remove the entry for a key, if possible."""
        with suppress(OSError):
            folder = self._folder()
            if folder is not None:
                remove(folder / key)

    def _head(self, key: str) -> bytes:
        return f"trickproof {self.name} {key}\n".encode()

    def _folder(self, make: bool = False) -> Path | None:
        """The folder of this kind, if it can be trusted. Raises OSError."""
        above = usable_folder(make)
        if above is None:
            return None
        folder = above / self.name
        if make:
            if folder.is_symlink() or not folder.is_dir():  # the parent is this user's alone; so must this be
                remove(folder)
            make_private(folder)
        try:
            status = folder.lstat()
        except FileNotFoundError:
            return None
        if not stat.S_ISDIR(status.st_mode):
            return None
        if (why := distrust(status)) is not None:
            refuse(folder, why)
            return None
        return folder

    def _prune(self, folder: Path) -> None:
        with os.scandir(folder) as entries:
            listed = list(entries)
        if len(listed) > self.most:
            by_age = sorted(listed, key=lambda entry: entry.stat(follow_symlinks=False).st_mtime)
            for entry in by_age[: len(listed) - self.most]:
                remove(Path(entry.path))


def _digest(head: bytes, body: bytes) -> bytes:
    return hashlib.sha256(head + body).digest()


def _private_bytes(path: Path) -> bytes | None:
    """The bytes of a regular file; None for anything else and for untrusted files, which are removed.

    The checks are on the open descriptor, so that the file cannot be exchanged in between. Raises OSError if
    it cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | _FLAGS)
    try:
        status = os.fstat(descriptor)
        why = distrust(status)
        if why is None and stat.S_ISREG(status.st_mode) and status.st_size <= MOST_BYTES:
            with open(descriptor, "rb", closefd=False) as file:
                return file.read()
    finally:
        os.close(descriptor)
    if why is not None:
        refuse_files(path.parent.parent, why)
    remove(path)
    return None


def remove(path: Path) -> None:
    """Remove a file or folder; the target of a link is left alone. Raises OSError on failure."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
