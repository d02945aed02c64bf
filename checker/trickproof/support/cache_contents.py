"""The cache folder as a whole: its size, and clearing it."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from trickproof.support.blob_cache import remove

OWN = re.compile(
    r"(findings|certificates|pairs|quizzes|outcomes|effects|fixes|playground|games|machines|code|styles|bids|grammar)-[\d.]+(sqlite(-journal|-wal|-shm)?)?"
)
"""Names of everything that any version has cached; anything else in the folder is not trickproof's."""


class ForeignError(Exception):
    """The folder belongs to another user, as a message."""


@dataclass(frozen=True)
class Contents:
    """The number of entries and their total size."""

    entries: int
    bytes: int


def contents(folder: Path) -> Contents:
    """The size of trickproof's entries in a folder; zero if it does not exist.

    Raises OSError if it cannot be read.
    """
    sizes = [path.lstat().st_size for place in _own(folder) for path in _files(place)]
    return Contents(len(sizes), sum(sizes))


def clear(folder: Path) -> None:
    """Remove trickproof's entries, and the folder if that leaves it empty.

    Raises ForeignError if the folder belongs to another user, and OSError if something cannot be removed.
    """
    if not folder.is_dir():
        return
    if hasattr(os, "geteuid") and folder.stat().st_uid != os.geteuid():
        raise ForeignError(f"the cache `{folder}` belongs to another user: nothing was removed")
    for place in _own(folder):
        remove(place)
    with suppress(OSError):
        folder.rmdir()


def _own(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [path for path in sorted(folder.iterdir()) if OWN.fullmatch(path.name)]


def _files(place: Path) -> list[Path]:
    if place.is_symlink() or not place.is_dir():
        return [place]
    return list(place.iterdir())
