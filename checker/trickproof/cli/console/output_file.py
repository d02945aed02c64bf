"""Output files: refused immediately if they cannot be written, and written completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from errno import EACCES, ENOTDIR
from pathlib import Path
from typing import Any, TypeVar

import click

from trickproof.cli.console.printing import warn
from trickproof.support.atomic_files import Draft

F = TypeVar("F", bound=Callable[..., Any])


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
        warn(f"{name}: written")

    try:
        with written_file(name, option):
            draft.open()
        yield put
    finally:
        draft.discard()


def file_to_write(option: str, name: str | None) -> Callable[[str], None] | None:
    """What takes the text of the file that an option names, if one is named, until the command ends."""
    return None if name is None else click.get_current_context().with_resource(whole_file(option, name))


@contextmanager
def written_file(name: str | Path, option: str = "") -> Iterator[None]:
    """Convert errors while writing a file to ClickException."""
    try:
        yield
    except FileExistsError:
        raise click.UsageError(f"`{name}` already exists; not overwritten") from None
    except (OSError, ValueError) as wrong:
        os.getcwd()  # a current folder that is gone is the better reason, and reported as that
        reason = wrong.strerror if isinstance(wrong, OSError) else str(wrong)
        folder = Path(name).parent
        if isinstance(wrong, FileNotFoundError) and not folder.exists():
            reason = f"there is no folder `{folder}`; create it first"
        place = f"{option}: " if option else ""
        raise click.ClickException(f"{place}cannot write `{name}`: {reason}") from wrong


def written_option(formats: Mapping[str, str]) -> Callable[[F], F]:
    """`-o FILE`; `formats` are those of `format_of`."""
    text = f"Write to a file; without --format, its suffix decides the format ({', '.join(formats)})."
    return click.option("-o", "--output", "written", metavar="FILE", help=text)


def format_of(name: str, formats: Mapping[str, str]) -> str:
    """The format of a file by its suffix.  Raises UsageError if that says nothing."""
    suffix = Path(name).suffix.lower()
    if suffix not in formats:
        raise click.UsageError(f"-o: `{name}`: unknown format; expected {', '.join(formats)}, or --format")
    return formats[suffix]


def prepare_folders(output: Path, *inside: str) -> None:
    """Create a folder and its subfolders. Raises ClickException if one of them is not writable."""
    for folder in (output, *(output / name for name in inside)):
        with written_file(folder, "-o"):
            if folder.exists() and not folder.is_dir():
                raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR))
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError(EACCES, os.strerror(EACCES))
