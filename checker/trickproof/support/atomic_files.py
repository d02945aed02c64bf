"""Files are written whole or not at all; what is kept between runs lies in one folder."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """A new file takes the old one's place, with its rights; where a link leads, the link stays.

    Raises OSError when it cannot be written; what was there is then as it was.
    """
    path = Path(os.path.realpath(path))
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.write_bytes(content)
        if path.exists():
            draft.chmod(path.stat().st_mode & 0o7777)
        os.replace(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def cache_folder() -> Path | None:
    """`$TRICKPROOF_CACHE`, or `trickproof` in the user's cache folder; None where there is no such thing."""
    own = os.environ.get("TRICKPROOF_CACHE")
    if own:
        return Path(own)
    from platformdirs import user_cache_path  # slow to import, and many commands keep nothing

    try:
        return user_cache_path("trickproof", appauthor=False)
    except RuntimeError:  # no home
        return None


def files_digest(folder: Path, *patterns: str) -> str:
    """A digest of the files of a folder, and of folders in it, with their names."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in folder.rglob(pattern)):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()}\n{len(text)}\n".encode() + text)
    return digest.hexdigest()
