"""`trickproof cache path|clear`: the folder of what is kept between runs."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from trickproof.cli.console.printing import print_json, say
from trickproof.cli.shared_options import json_option
from trickproof.support.cache_contents import Contents, ForeignError, clear, contents
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
