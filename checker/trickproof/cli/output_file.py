"""A file that a command writes: refused at once where it cannot be, there as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click


@contextmanager
def whole_file(option: str, name: str) -> Iterator[Callable[[str], None]]:
    """Gives what takes the file's text; until then an older file stays.  Raises a usage error if it cannot be written."""
    path = Path(os.path.realpath(name))
    if path.exists() and not path.is_file():
        raise click.UsageError(f"{option}: `{name}` is not a file that can be replaced")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        file = draft.open("x", encoding="utf-8", errors="backslashreplace", newline="\n")
    except (OSError, ValueError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else str(wrong)
        raise click.UsageError(f"{option}: cannot write `{name}`: {reason}") from wrong

    def put(text: str) -> None:
        try:
            with file:
                file.write(text)
            draft.replace(path)
        except OSError as wrong:
            raise click.FileError(name, wrong.strerror) from wrong

    try:
        yield put
    finally:
        file.close()
        with suppress(OSError):
            draft.unlink(missing_ok=True)
