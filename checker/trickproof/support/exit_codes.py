"""The exit codes of the command line, the same for every command."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """How a command ends."""

    GOOD = 0
    NEGATIVE = 1
    """A new finding, a difference, a rejection, an illegal scenario."""
    BAD_INPUT = 2
    """An unusable ruleset, option or file; also click's code for usage errors."""
    UNDECIDED = 3
    """Nothing negative, but a check was inconclusive."""
    BUG = 70
    """The tool contradicts itself or crashes."""
    INTERRUPTED = 130
    """Ctrl-C, as shells report it."""
    TERMINATED = 143
    """SIGTERM, as shells report it."""
