"""A one-line progress display on a terminal, rewritten in place and erased at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import click

from trickproof.support.terminal import terminal_of

ERASE = "\r\x1b[K"


class Clock:
    """The rate of work, and the time remaining at that rate."""

    def __init__(self, total: int, now: Callable[[], float] = monotonic, rate: bool = True) -> None:
        self._total, self._now, self._begun, self._rate = total, now, now(), rate

    def pace(self, done: int) -> str:
        """` 1,200/s, 0:12 left`; empty in the first second, or before anything is done."""
        seconds = self._now() - self._begun
        if seconds < 1 or done < 1:
            return ""
        rest = round(seconds * (self._total - done) / done)
        rate = done / seconds
        speed = f" {rate:,.0f}/s," if self._rate and rate >= 2 else ""
        return f"{speed} {rest // 60}:{rest % 60:02} left"


@contextmanager
def counting(doing: str) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function of a name, the amount done and the total; shows percentages, or nothing if stderr is not a terminal."""
    shown = [-1]
    with progress(100, doing, percent=True) as tell:

        def count(name: str, done: int, of: int) -> None:
            part = min(100, 100 * done // of) - 1
            if part != shown[0]:
                shown[0] = part
                tell(part, name)

        yield count


@contextmanager
def progress(
    total: int | None, doing: str = "checking", percent: bool = False
) -> Iterator[Callable[[int, str], None]]:
    """Yield a function of the number done and the next name, which rewrites the line; no `total` is no number.

    Silent if stderr is not a terminal.
    """
    terminal = terminal_of(sys.stderr, os.environ)
    if not terminal.interactive or os.environ.get("TERM") == "dumb":
        yield lambda done, name: None
        return

    clock = Clock(total or 0, rate=not percent)

    def show(done: int, name: str) -> None:
        room = terminal.columns() - 1
        number = "" if total is None else f" {done + 1} %" if percent else f" {done + 1:,} of {total:,}"
        line = f"{doing}{number}: {name} …" if name else ""
        pace = clock.pace(done) if name and total is not None else ""
        click.echo(ERASE + (line[: room - len(pace)] + pace), nl=False, err=True)

    click.echo(f"{ERASE}{doing} …", nl=False, err=True)
    try:
        yield show
    finally:
        click.echo(ERASE, nl=False, err=True)
