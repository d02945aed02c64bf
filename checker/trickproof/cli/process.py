"""The program as a process: its streams, Ctrl-C and SIGTERM, and how it ends.

An interrupted run exits with 130 (Ctrl-C) or 143 (SIGTERM), as shells expect, without a traceback and after
removing incomplete output. Python handles signals only between bytecodes; a longer stretch of native code,
such as a loop of the rules in `simulate`, is ended by a thread that watches for unhandled signals.
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

from trickproof.cli.console.streams import prepare
from trickproof.cli.main import main
from trickproof.support.exit_codes import Exit
from trickproof_dsl.plain_mode import plain_mode

SOON = 0.01
"""Seconds until Ctrl-C is raised again."""

PATIENCE = 5
"""Seconds that a signal may remain unhandled."""

STOPPED_BY: dict[int, Exit] = {signal.SIGINT: Exit.INTERRUPTED, signal.SIGTERM: Exit.TERMINATED}
"""The exit code of an interrupted run, by signal."""


class _Signals:
    """The signals that stop this process; `code` is the exit code of an interrupted run."""

    def __init__(self) -> None:
        self.code = Exit.INTERRUPTED
        self.heard = Event()

    def listen(self) -> None:
        """Make SIGTERM act like Ctrl-C, and lose neither in a finaliser."""
        sys.unraisablehook = _unraisable
        signal.signal(signal.SIGTERM, self._stop)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as after `&`
            signal.signal(signal.SIGINT, self._stop)

    def ignore(self) -> None:
        """Ignore signals once the process is ending."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _stop(self, number: int, frame: FrameType | None) -> NoReturn:
        if not self.heard.is_set():
            self.code = STOPPED_BY[number]
        self.heard.set()
        raise KeyboardInterrupt

    def watch(self) -> None:
        """Watch a pipe to which signals write their numbers, whatever the process is doing; not on Windows."""
        if os.name != "posix":
            return
        arrived, written = os.pipe()
        os.set_blocking(written, False)
        signal.set_wakeup_fd(written, warn_on_full_buffer=False)
        os.register_at_fork(after_in_child=partial(signal.set_wakeup_fd, -1))
        with suppress(RuntimeError):  # if the system cannot start a thread
            Thread(target=self._end_unheard, args=(arrived,), daemon=True).start()

    def _end_unheard(self, arrived: int) -> None:
        while (number := os.read(arrived, 1)[0]) not in STOPPED_BY:
            pass
        if not self.heard.wait(PATIENCE):
            with suppress(OSError):
                os.write(2, b"interrupted\n")
            os._exit(STOPPED_BY[number])


def run() -> NoReturn:
    """Run the command line and end the process."""
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
    except KeyboardInterrupt:  # again, while handling the first
        pass
    if code == Exit.INTERRUPTED and signals:
        signals.ignore()
        os._exit(signals.code)  # after an interrupt in compiled code, Python would die of a signal instead
    sys.exit(code if code is None or isinstance(code, int) else Exit.BUG)


def _unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """Ignore an exception raised in a finaliser, except Ctrl-C, which is raised again outside it."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        again = Timer(SOON, interrupt_main)
        again.daemon = True
        again.start()
    elif os.environ.get("TRICKPROOF_DEBUG"):
        sys.__unraisablehook__(unraisable)
