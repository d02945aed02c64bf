"""The exit codes of the command line, the same for every command."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """How a command ends."""

    GOOD = 0
    NEGATIVE = 1
    """A new finding, a difference, a rejection, an illegal scenario."""
    BAD_INPUT = 2
    """A ruleset, an option or a file that cannot be used; click's own code for wrong usage."""
    UNDECIDED = 3
    """Nothing negative, but a check gave up."""
    BUG = 70
    """The tool contradicts itself or crashes."""
    INTERRUPTED = 130
    """Ctrl-C, as shells count it."""
    TERMINATED = 143
    """SIGTERM, as shells count it."""
