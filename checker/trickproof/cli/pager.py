"""A long output in the program that the user reads with: $PAGER, where it is set."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress

from trickproof_dsl.plain_mode import plain_mode

OPTIONS_OF_LESS = "FRX"
"""Colours are shown, what fits the screen is not held, and it stays there: as `less` needs to be told."""


def paged(text: str, environment: Mapping[str, str]) -> bool:
    """Shows the text in $PAGER; whether that was done.  Not without a terminal to read keys from, nor in plain mode."""
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
    with suppress(BrokenPipeError), process.stdin as pipe:  # left before the end
        pipe.write(f"{text}\n".encode())
    return process.wait() != NOT_FOUND


NOT_FOUND = 127
"""What a shell answers where there is no such program."""
