"""Shared by every command that caches something: `--no-cache`, and one-line warnings."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import click

from trickproof.cli.console.printing import warn
from trickproof.support.cache_folder import OFF_VARIABLE, CacheWarning


def _off(ctx: click.Context, _: click.Parameter, given: bool) -> None:
    """Disable the cache until the command ends, also for the processes that it starts."""
    if not given or os.environ.get(OFF_VARIABLE):
        return
    os.environ[OFF_VARIABLE] = "1"
    ctx.call_on_close(lambda: os.environ.pop(OFF_VARIABLE, None))


no_cache_option = click.option(
    "--no-cache",
    is_flag=True,
    expose_value=False,
    callback=_off,
    help="Ignore and do not write the cache.",
)


@contextmanager
def cache_warnings() -> Iterator[None]:
    """Print each warning about an unusable cache entry on one line of standard error."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, CacheWarning):
                warn(f"trickproof: {message}")
            else:
                usual(message, category, filename, lineno, file, line)

        warnings.simplefilter("default", CacheWarning)
        warnings.showwarning = show
        yield
