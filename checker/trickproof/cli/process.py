"""The program as a process of its own: its streams, Ctrl-C and SIGTERM, and how it ends.

A run that is stopped ends with 130 (Ctrl-C) or 143 (SIGTERM), as shells count them, without a traceback, and when what
it was writing has been taken away.  Python hears signals between its own steps only; a step in machine code that takes
longer, as a loop of the rules in `simulate` may, is ended by a thread that waits for signals that nobody hears.
"""

from __future__ import annotations

import os
import signal
import sys
from _thread import interrupt_main
from contextlib import suppress
from functools import partial
from threading import Event, Thread, Timer
from types import FrameType
from typing import NoReturn

from trickproof.cli.main import main
from trickproof.cli.streams import prepare
from trickproof.support.exit_codes import Exit
from trickproof_dsl.plain_mode import plain_mode

SOON = 0.01
"""Seconds until Ctrl-C is raised again."""

PATIENCE = 5
"""Seconds that a signal may go unheard."""

STOPPED_BY: dict[int, Exit] = {signal.SIGINT: Exit.INTERRUPTED, signal.SIGTERM: Exit.TERMINATED}
"""What a run that was stopped ends with, by signal."""


class _Signals:
    """What stops this process; `code` is what a stopped run ends with."""

    def __init__(self) -> None:
        self.code = Exit.INTERRUPTED
        self.heard = Event()

    def listen(self) -> None:
        """SIGTERM does what Ctrl-C does, and neither is lost in a finaliser."""
        sys.unraisablehook = _unraisable
        signal.signal(signal.SIGTERM, self._stop)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as after `&`
            signal.signal(signal.SIGINT, self._stop)

    def ignore(self) -> None:
        """The process ends: there is nothing left to stop."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _stop(self, number: int, frame: FrameType | None) -> NoReturn:
        if not self.heard.is_set():
            self.code = STOPPED_BY[number]
        self.heard.set()
        raise KeyboardInterrupt

    def watch(self) -> None:
        """Signals write their numbers into a pipe, whatever this process is doing; not on Windows."""
        if os.name != "posix":
            return
        arrived, written = os.pipe()
        os.set_blocking(written, False)
        signal.set_wakeup_fd(written, warn_on_full_buffer=False)
        os.register_at_fork(after_in_child=partial(signal.set_wakeup_fd, -1))
        with suppress(RuntimeError):  # where the system gives no thread
            Thread(target=self._end_unheard, args=(arrived,), daemon=True).start()

    def _end_unheard(self, arrived: int) -> None:
        while (number := os.read(arrived, 1)[0]) not in STOPPED_BY:
            pass
        if not self.heard.wait(PATIENCE):
            with suppress(OSError):
                os.write(2, b"interrupted\n")
            os._exit(STOPPED_BY[number])


def run() -> NoReturn:
    """Runs the command line, and ends the process."""
    signals = None if plain_mode() else _Signals()
    code: object = Exit.INTERRUPTED
    try:
        if signals:
            signals.listen()
        prepare()
        if signals:
            signals.watch()
        main()
    except SystemExit as ended:
        code = ended.code
    except KeyboardInterrupt:  # once more, while the first was being told
        pass
    if code == Exit.INTERRUPTED and signals:
        signals.ignore()
        os._exit(signals.code)  # where compiled text was interrupted, Python would end with a signal instead
    sys.exit(code if code is None or isinstance(code, int) else Exit.BUG)


def _unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """What a finaliser raised, which changes nothing; Ctrl-C is raised again, outside of it."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        again = Timer(SOON, interrupt_main)
        again.daemon = True
        again.start()
    elif os.environ.get("TRICKPROOF_DEBUG"):
        sys.__unraisablehook__(unraisable)
