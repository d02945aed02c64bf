"""The cache folder, and who may have written to it.

Another user who can write there could change answers and machine code. Everything in it is therefore created
for its owner alone, and a folder or file that another user owns or that others can write to is refused with a
`CacheWarning`: the run continues without it. Programs run by the same user are not kept out (docs/trust.md).
"""

from __future__ import annotations

import os
import stat
import warnings
from contextlib import suppress
from pathlib import Path

FOLDER_VARIABLE = "TRICKPROOF_CACHE"
OFF_VARIABLE = "TRICKPROOF_NO_CACHE"
"""If set to anything, nothing is read or written; worker processes inherit it."""

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
WRITABLE = "other users can write to it"


class CacheWarning(UserWarning):
    """Something in the cache is not used: what, why, and what to do about it."""


def cache_folder() -> Path | None:
    """`$TRICKPROOF_CACHE`, or `trickproof` in the user's cache folder; None if there is none."""
    own = os.environ.get(FOLDER_VARIABLE)
    if own:
        return Path(own)
    from platformdirs import user_cache_path  # slow to import, and many commands do not need it

    try:
        path = user_cache_path("trickproof", appauthor=False)
    except RuntimeError:
        return None
    return path if path.is_absolute() else None  # without a home folder, `~` is not expanded


def is_off() -> bool:
    """Whether the cache is disabled for this run."""
    return bool(os.environ.get(OFF_VARIABLE))


def distrust(status: os.stat_result) -> str | None:
    """Why a folder or file is not trusted: who else may have written to it.

    Always None on Windows, which has no such owners.
    """
    if not hasattr(os, "geteuid"):
        return None
    if status.st_uid != os.geteuid():
        return "another user owns it"
    return WRITABLE if status.st_mode & OTHERS_WRITE else None


def refuse(folder: Path, why: str) -> None:
    """Warn, once per run, that a folder is not used."""
    ours = "`trickproof cache clear` and `chmod go-w` make it usable, or " if why == WRITABLE else ""
    message = f"the cache `{folder}` is not used: {why}; {ours}name another folder in ${FOLDER_VARIABLE}"
    warnings.warn(message, CacheWarning, stacklevel=1)


def refuse_files(folder: Path, why: str) -> None:
    """Warn, once per run, that an entry in a folder is not used and is recomputed."""
    warnings.warn(f"the cache `{folder}` had a file that is not used: {why}", CacheWarning, stacklevel=1)


def usable_folder(make: bool = False) -> Path | None:
    """The folder, if nobody else can have written to it; created with `make`.

    Raises OSError if it cannot be inspected.
    """
    folder = None if is_off() else cache_folder()
    if folder is None:
        return None
    if make:
        with suppress(PermissionError):  # reported below if something is there
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
    """Create a folder for its owner alone, unless it exists. Raises OSError if that fails."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return
