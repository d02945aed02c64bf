"""Whether the program does without processes, threads, SQLite, signals, machine code and the C loader of YAML.

`TRICKPROOF_PLAIN=1` says so; what is answered is the same.  A browser has none of these.
"""

from __future__ import annotations

import os

VARIABLE = "TRICKPROOF_PLAIN"


def plain_mode() -> bool:
    """Whether the environment asks for the plain mode: `TRICKPROOF_PLAIN` is set, and neither empty nor 0."""
    return os.environ.get(VARIABLE, "") not in ("", "0")
