"""What lies in the cache folder as a whole: counted, and removed."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from trickproof.support.blob_cache import remove

OWN = re.compile(
    r"(findings|certificates|pairs|quizzes|playground|games|machines|code|grammar)-[\d.]+(sqlite(-journal|-wal|-shm)?)?"
)
"""The names of all that any version has kept there; whatever else lies in the folder is not ours."""


class ForeignError(Exception):
    """The folder is not this user's: what to say."""


@dataclass(frozen=True)
class Contents:
    """How much is kept."""

    entries: int
    bytes: int


def contents(folder: Path) -> Contents:
    """What trickproof keeps in a folder; nothing where there is none.  Raises OSError where it cannot be looked at."""
    sizes = [path.lstat().st_size for place in _own(folder) for path in _files(place)]
    return Contents(len(sizes), sum(sizes))


def clear(folder: Path) -> None:
    """Removes what trickproof keeps, and the folder if it is empty then.

    Raises ForeignError for another user's folder, and OSError where something cannot be removed.
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
