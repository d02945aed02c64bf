"""The program as a process of its own: its streams, Ctrl-C and SIGTERM, and how it ends.

A run that is stopped ends with 130 (Ctrl-C) or 143 (SIGTERM), as shells count them, without a traceback, and when what
it was writing has been taken away.
"""

from __future__ import annotations

import os
import signal
import sys
from _thread import interrupt_main
from threading import Timer
from types import FrameType
from typing import NoReturn

from trickproof.cli.main import main
from trickproof.cli.streams import prepare
from trickproof.support.exit_codes import Exit
from trickproof_dsl.plain_mode import plain_mode

SOON = 0.01
"""Seconds until Ctrl-C is raised again."""


class _Signals:
    """What stops this process; `code` is what a stopped run ends with."""

    def __init__(self) -> None:
        self.code = Exit.INTERRUPTED

    def listen(self) -> None:
        """SIGTERM does what Ctrl-C does, and neither is lost in a finaliser."""
        sys.unraisablehook = _unraisable
        signal.signal(signal.SIGTERM, self._terminate)

    def ignore(self) -> None:
        """The process ends: there is nothing left to stop."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _terminate(self, number: int, frame: FrameType | None) -> NoReturn:
        self.code = Exit.TERMINATED
        raise KeyboardInterrupt


def run() -> NoReturn:
    """Runs the command line, and ends the process."""
    signals = None if plain_mode() else _Signals()
    code: object = Exit.INTERRUPTED
    try:
        if signals:
            signals.listen()
        prepare()
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
