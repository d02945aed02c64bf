"""Files are written whole or not at all, and folders of them have digests."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, content: bytes, private: bool = False) -> None:
    """A new file takes the old one's place, with its rights; where a link leads, the link stays.

    A `private` one can be read and written by its owner only, and takes the place of a link as well.
    Raises OSError when it cannot be written; what was there is then as it was.
    """
    path = path if private else Path(os.path.realpath(path))
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if private:
            draft.touch(mode=0o600)
        draft.write_bytes(content)
        if path.exists() and not private:
            draft.chmod(path.stat().st_mode & 0o7777)
        os.replace(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def files_digest(folder: Path, *patterns: str) -> str:
    """A digest of the files of a folder, and of folders in it, with their names."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in folder.rglob(pattern)):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()}\n{len(text)}\n".encode() + text)
    return digest.hexdigest()
