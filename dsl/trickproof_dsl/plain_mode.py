"""Plain mode: no processes, threads, SQLite, signals, machine code or C loader of YAML.

Enabled by `TRICKPROOF_PLAIN=1`; results are the same.  Needed in browsers, which have none of these.
"""

from __future__ import annotations

import os

VARIABLE = "TRICKPROOF_PLAIN"


def plain_mode() -> bool:
    """Whether the environment enables plain mode: `TRICKPROOF_PLAIN` is set, and neither empty nor 0."""
    return os.environ.get(VARIABLE, "") not in ("", "0")
