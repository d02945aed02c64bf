"""Bytes kept between runs, a file each, in a folder that may fail in any way without an answer changing.

An entry begins with what it claims to be (its kind, the number of that kind's form and its key) and a digest of that and of its
content.  What is damaged, is something else, or lies under another name is removed, so that it is made anew; what somebody else
may have written is never read (see `cache_folder`).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from trickproof.support.atomic_files import write_atomically
from trickproof.support.cache_folder import distrust, make_private, refuse, refuse_files, usable_folder

DIGEST_BYTES = 32

MOST_BYTES = 64 << 20
"""No entry is larger: what is, is none of ours."""

_FLAGS = sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOCTTY")
)
"""Links are not followed and pipes not waited for."""


class BlobCache:
    """One kind of thing in the user's cache folder; of more than `most` the oldest go first.

    `form`: the number of the kind's form; things of another form are not found.
    """

    def __init__(self, kind: str, form: int, most: int) -> None:
        self.kind, self.name, self.most = kind, f"{kind}-{form}", most

    def read(self, key: str) -> bytes | None:
        """What is kept under a key, if it is there, whole, and nobody else's."""
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

    def write(self, key: str, content: bytes) -> bool:
        """Keeps something, instead of what is under that key; answers whether it could."""
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
        """Forgets what is under a key, if it can be removed."""
        with suppress(OSError):
            folder = self._folder()
            if folder is not None:
                remove(folder / key)

    def _head(self, key: str) -> bytes:
        return f"trickproof {self.name} {key}\n".encode()

    def _folder(self, make: bool = False) -> Path | None:
        """Where this kind is kept, if that can be trusted.  Raises OSError."""
        above = usable_folder(make)
        if above is None:
            return None
        folder = above / self.name
        if make:
            if folder.is_symlink() or not folder.is_dir():  # the folder above is ours alone, and so is this
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
    """The bytes of a regular file; None, and it is removed, for anything else and for what others may have written.

    What is looked at is the open file, which nobody can exchange in between.  Raises OSError where it cannot be read.
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
    """Removes whatever is there; where a link leads is left alone.  Raises OSError where it cannot."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
