"""Bytes kept between runs, a file each, in a folder that may fail in any way without anybody noticing."""

from __future__ import annotations

import hashlib
from pathlib import Path

from trickproof.support.atomic_files import cache_folder, write_atomically

DIGEST_BYTES = 32
"""Bytes before the content that tell whether it is whole."""


class BlobCache:
    """One kind of thing in the user's cache folder; of more than `most` the oldest go first.

    `form`: the number of the kind's form; things of another form are not found.
    """

    def __init__(self, kind: str, form: int, most: int) -> None:
        self.name, self.most = f"{kind}-{form}", most

    def read(self, key: str) -> bytes | None:
        """What is kept under a key, if it is there and whole."""
        folder = self._folder()
        try:
            text = (folder / key).read_bytes() if folder else b""
        except OSError:
            return None
        content = text[DIGEST_BYTES:]
        return content if hashlib.sha256(content).digest() == text[:DIGEST_BYTES] else None

    def write(self, key: str, content: bytes) -> None:
        """Keeps something, if that can be done."""
        folder = self._folder()
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / key, hashlib.sha256(content).digest() + content)
            by_age = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)
            for path in by_age[: max(0, len(by_age) - self.most)]:
                path.unlink(missing_ok=True)
        except OSError:
            return

    def _folder(self) -> Path | None:
        folder = cache_folder()
        return None if folder is None else folder / self.name
