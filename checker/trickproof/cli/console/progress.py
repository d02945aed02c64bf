"""A one-line progress display on a terminal, rewritten in place every second and erased at the end."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from types import FrameType

import click

from trickproof.support.terminal import terminal_of

ERASE = "\r\x1b[K"

TICK = 1.0
"""Seconds between two displays."""


class Clock:
    """The time that work has taken, its rate, and the time remaining at that rate."""

    def __init__(self, total: int | None, now: Callable[[], float] = monotonic, rate: bool = True) -> None:
        self._total, self._now, self._begun, self._rate = total, now, now(), rate
        self._done, self._reached = 0, self._begun

    def pace(self, done: int) -> str:
        """` 12 s, 1,200/s, about 3 min left`; empty in the first second.

        Between two parts of the work the time left counts down; it is not shown before the first is done, or if
        the part at work takes longer than was expected of all the rest.
        """
        now = self._now()
        if done != self._done:
            self._done, self._reached = done, now
        if now - self._begun < 1:
            return ""
        words = [f" {_elapsed(int(now - self._begun))}"]
        if self._total is not None and done > 0:
            each = (self._reached - self._begun) / done
            rest = each * (self._total - done) - (now - self._reached)
            if self._rate and done > 1 and each > 0 and 1 / each >= 2:  # one part makes no rate
                words.append(f"{1 / each:,.0f}/s")
            if rest >= 1:
                words.append(f"about {_duration(rest)} left")
        return ", ".join(words)


def _elapsed(seconds: int) -> str:
    """`45 s` or `2 min 5 s`: it changes every second."""
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60} min {seconds % 60} s"


def _duration(seconds: float) -> str:
    """`45 s`, `12 min` or `1 h 5 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


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
    total: int | None, doing: str = "checking", percent: bool = False, at_once: bool = True
) -> Iterator[Callable[[int, str], None]]:
    """Yield a function of the number done and the next name, which rewrites the line; no `total` is no number.

    Silent if stderr is not a terminal; without `at_once`, the line is shown every second only.
    """
    terminal = terminal_of(sys.stderr, os.environ)
    if not terminal.interactive or os.environ.get("TERM") == "dumb":
        yield lambda done, name: None
        return

    descriptor = sys.stderr.fileno()
    clock = Clock(total, rate=not percent)
    now: tuple[int, str] = (0, "")
    begun = at_once

    def line(done: int, name: str) -> str:
        room = terminal.columns() - 1
        number = (
            "" if total is None or not name else f" {done + 1}%" if percent else f" {done + 1:,} of {total:,}"
        )
        head = f"{doing}{number}: {name} …" if name else f"{doing} …"
        pace = clock.pace(done)
        space = room - len(pace)
        return ERASE + (head if len(head) <= space else f"{head[: space - 2]} …") + pace

    def show(done: int, name: str) -> None:
        nonlocal now
        now = done, name
        if at_once:
            click.echo(line(done, name), nl=False, err=True)

    def tick() -> None:
        nonlocal begun
        begun = True
        with suppress(
            OSError
        ):  # a closed terminal is no fault of the work, which it would interrupt anywhere
            os.write(descriptor, line(*now).encode(terminal.encoding, "replace"))

    if at_once:
        click.echo(f"{ERASE}{doing} …", nl=False, err=True)
    try:
        with _every_second(tick):
            yield show
    finally:
        if begun:
            click.echo(ERASE, nl=False, err=True)


@contextmanager
def _every_second(act: Callable[[], object]) -> Iterator[None]:
    """Act every second while the main thread runs Python or waits; not where there are no timers."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def alarm(number: int, frame: FrameType | None) -> None:
        act()

    before = signal.signal(signal.SIGALRM, alarm)
    outer = signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *outer)
