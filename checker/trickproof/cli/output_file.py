"""Output files: refused immediately if they cannot be written, and written completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EACCES, ENOTDIR
from pathlib import Path

import click

from trickproof.support.atomic_files import Draft


@contextmanager
def whole_file(option: str, name: str) -> Iterator[Callable[[str], None]]:
    """Yield a function that takes the file's text; until then an existing file is left alone.

    Raises ClickException if it cannot be written.
    """
    with written_file(name, option):
        draft = Draft(Path(name))

    def put(text: str) -> None:
        with written_file(name, option):
            draft.put(text.encode("utf-8", "backslashreplace"))

    try:
        yield put
    finally:
        draft.discard()


@contextmanager
def written_file(name: str | Path, option: str = "") -> Iterator[None]:
    """Convert errors while writing a file to ClickException."""
    try:
        yield
    except FileExistsError:
        raise click.UsageError(f"`{name}` already exists; not overwritten") from None
    except (OSError, ValueError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else str(wrong)
        place = f"{option}: " if option else ""
        raise click.ClickException(f"{place}cannot write `{name}`: {reason}") from wrong


def prepare_folders(output: Path, *inside: str) -> None:
    """Create a folder and its subfolders. Raises ClickException if one of them is not writable."""
    for folder in (output, *(output / name for name in inside)):
        with written_file(folder, "-o"):
            if folder.exists() and not folder.is_dir():
                raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR))
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError(EACCES, os.strerror(EACCES))
