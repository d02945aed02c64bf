"""`trickproof ARGUMENTS` in plain mode, in a process that lacks everything that this mode does without.

Blocked modules count as not installed; importing one of them ends the process with `BROKEN`, except for the
YAML modules that PyYAML itself tries.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import NoReturn

BROKEN = 99

BLOCKED = ("multiprocessing", "concurrent", "sqlite3", "_sqlite3", "llvmlite")
"""Modules that plain mode must not import."""

TRIED = ("yaml._yaml", "readline")
"""Modules that are optional."""


class _Blocking(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in TRIED:
            raise ModuleNotFoundError(name, name=name)
        if name.partition(".")[0] in BLOCKED:
            _broken(f"imports {name}")
        return None


def _broken(what: str) -> NoReturn:
    sys.stderr.write(f"plain mode {what}\n")
    sys.stderr.flush()
    os._exit(BROKEN)


def block() -> None:
    """Block these modules in this process."""
    for name in (*BLOCKED, *TRIED):
        assert name not in sys.modules, name
    sys.meta_path.insert(0, _Blocking())
    for owner, name in (
        (threading.Thread, "start"),
        (signal, "signal"),
        (subprocess, "Popen"),
        (os, "fork"),
        (os, "posix_spawn"),
    ):
        setattr(owner, name, lambda *_, _name=name, **__: _broken(f"calls {_name}"))


if __name__ == "__main__":
    os.environ["TRICKPROOF_PLAIN"] = "1"
    block()
    from trickproof.__main__ import main

    main()
