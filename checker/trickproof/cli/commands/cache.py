"""`trickproof cache path|clear`: the folder of what is kept between runs."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import click

from trickproof.cli.console.printing import print_json, say
from trickproof.cli.shared_options import json_option
from trickproof.support.blob_cache import remove
from trickproof.support.cache_folder import FOLDER_VARIABLE, cache_folder


@click.group()
def command() -> None:
    """Show the cache folder, or empty it.

    The cache is $TRICKPROOF_CACHE or, if that is not set, `trickproof` in the user's cache folder. Removed entries
    are recomputed when needed. With $TRICKPROOF_NO_CACHE set, as with --no-cache, commands do not use the cache.
    """


@command.command()
@json_option
def path(as_json_: bool) -> None:
    """Print the folder's path, whether or not it exists yet."""
    folder = _folder()
    if as_json_:
        print_json({"path": str(folder), **vars(_looked_at(folder))})
    else:
        say(str(folder))


@command.command(name="clear")
@json_option
def clear_(as_json_: bool) -> None:
    """Remove everything that trickproof cached there, and nothing else."""
    folder = _folder()
    removed = _looked_at(folder)
    try:
        clear(folder)
    except ForeignError as wrong:
        raise click.UsageError(str(wrong)) from None
    except OSError as wrong:
        _refuse(folder, wrong)
    if as_json_:
        print_json({"path": str(folder), "removed": vars(removed)})
    elif removed.entries:
        say(f"removed {removed.entries} entries, {removed.bytes / 1e6:.1f} MB, from {folder}")
    else:
        say(f"the cache is empty: {folder}")


def _folder() -> Path:
    folder = cache_folder()
    if folder is None:
        raise click.UsageError(
            f"there is no cache folder, because your home folder is unknown; set ${FOLDER_VARIABLE}"
        )
    return folder


def _looked_at(folder: Path) -> Contents:
    try:
        return contents(folder)
    except OSError as wrong:
        _refuse(folder, wrong)


def _refuse(folder: Path, wrong: OSError) -> NoReturn:
    raise click.UsageError(f"cannot read or empty the cache `{folder}`: {wrong.strerror}") from None


OWN = re.compile(
    r"(findings|certificates|pairs|quizzes|outcomes|playground|games|machines|code|styles|grammar)-[\d.]+(sqlite(-journal|-wal|-shm)?)?"
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
