"""Long output in the user's pager, $PAGER."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress

from trickproof_dsl.plain_mode import plain_mode

OPTIONS_OF_LESS = "FRX"
"""Options for `less`: show colours, quit if the text fits on the screen, and leave it there."""


def paged(text: str, environment: Mapping[str, str]) -> bool:
    """Show the text in $PAGER and return whether that was done; never without a terminal or in plain mode.

    A pager that exits with an error may have shown nothing. One that is quit early does not.
    """
    pager = environment.get("PAGER", "").strip()
    if not pager or pager == "cat" or plain_mode() or not sys.stdin.isatty():
        return False
    import subprocess

    settings = {"LESS": OPTIONS_OF_LESS, **environment}
    try:
        process = subprocess.Popen(pager, shell=True, stdin=subprocess.PIPE, env=settings)
    except OSError:
        return False
    assert process.stdin is not None
    with suppress(BrokenPipeError), process.stdin as pipe:  # the pager was quit early
        pipe.write(f"{text}\n".encode())
    return process.wait() not in ERRORS


ERRORS = range(1, 128)
"""Exit codes of a pager that fails, and of a shell that cannot start it; higher ones are signals."""
