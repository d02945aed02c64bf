"""The folder of what is kept between runs, and who may have written what lies there.

Another user who can write there could change answers and machine code.  So everything in it is made for its owner alone, and a
folder or a file that another user owns, or that others can write to, is refused with a `CacheWarning`: the run goes on without.
Whoever runs programs as the same user is not kept out (docs/trust.md).
"""

from __future__ import annotations

import os
import stat
import warnings
from contextlib import suppress
from pathlib import Path

FOLDER_VARIABLE = "TRICKPROOF_CACHE"
OFF_VARIABLE = "TRICKPROOF_NO_CACHE"
"""Set to anything: nothing is read or written; worker processes inherit it."""

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
WRITABLE = "other users can write to it"


class CacheWarning(UserWarning):
    """Something in the cache is not used: what, why, and what to do."""


def cache_folder() -> Path | None:
    """`$TRICKPROOF_CACHE`, or `trickproof` in the user's cache folder; None where there is no such thing."""
    own = os.environ.get(FOLDER_VARIABLE)
    if own:
        return Path(own)
    from platformdirs import user_cache_path  # slow to import, and many commands keep nothing

    try:
        path = user_cache_path("trickproof", appauthor=False)
    except RuntimeError:
        return None
    return path if path.is_absolute() else None  # without a home, `~` stays as it is


def is_off() -> bool:
    """Whether this run is told to use no cache."""
    return bool(os.environ.get(OFF_VARIABLE))


def distrust(status: os.stat_result) -> str | None:
    """Why a folder or a file is not to be used: who else may have written to it.  Windows has no such owners: None."""
    if not hasattr(os, "geteuid"):
        return None
    if status.st_uid != os.geteuid():
        return "another user owns it"
    return WRITABLE if status.st_mode & OTHERS_WRITE else None


def refuse(folder: Path, why: str) -> None:
    """Says, once in a run, that a folder is not used."""
    ours = "`trickproof cache clear` and `chmod go-w` make it usable, or " if why == WRITABLE else ""
    message = f"the cache `{folder}` is not used: {why}; {ours}name another folder in ${FOLDER_VARIABLE}"
    warnings.warn(message, CacheWarning, stacklevel=1)


def refuse_files(folder: Path, why: str) -> None:
    """Says, once in a run, that something in a folder is not used, and made anew."""
    warnings.warn(f"the cache `{folder}` had a file that is not used: {why}", CacheWarning, stacklevel=1)


def usable_folder(make: bool = False) -> Path | None:
    """The folder, if there is one that nobody else can have written to; with `make` it is made.  Raises OSError if it cannot be looked at."""
    folder = None if is_off() else cache_folder()
    if folder is None:
        return None
    if make:
        with suppress(PermissionError):  # told below if something is there
            make_private(folder)
    try:
        status = folder.stat()
    except FileNotFoundError:
        return None
    except PermissionError:
        refuse(folder, "it may not be looked into")
        return None
    why = distrust(status) if stat.S_ISDIR(status.st_mode) else "it is not a folder"
    if why is not None:
        refuse(folder, why)
        return None
    return folder


def make_private(folder: Path) -> None:
    """Makes a folder, for its owner alone, unless something is there.  Raises OSError if it cannot be made."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return
