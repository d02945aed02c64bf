"""Who plays the chunks: a crew takes jobs and gives back what came of them.

Here is the one that plays in this process; `processes` has others of this machine, `cluster` those of a dask scheduler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from trickproof.simulate.runtime.jobs import Job, played
from trickproof.simulate.runtime.machine import ChunkResult

Answer = dict[str, Any]
Play = Callable[[str], Answer]
"""`work.play`, or what tests put in its place."""

TRIES = 2
"""How often a chunk is played alone before it is given up."""


class LostError(Exception):
    """A chunk that cannot be played: whoever plays it dies, or an error comes up each time."""


class StoppedError(Exception):
    """Playing cannot go on: why."""


class Executor(Protocol):
    """Plays jobs; `slots` is how many at a time are worth asking for.

    `shares`: whether those who play find what this process has made ready before they are asked.
    """

    slots: int
    shares: bool

    def submit(self, job: Job) -> None:
        """Hands out a job."""

    def wait(self) -> list[tuple[Job, ChunkResult | LostError]]:
        """Some jobs that are done, at least one."""

    def cancel(self) -> None:
        """Nothing that is still out is wanted."""

    def close(self) -> None:
        """Ends everything."""


class SerialExecutor:
    """Plays in this process, one job at a time."""

    slots, shares = 1, False

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def submit(self, job: Job) -> None:
        self.jobs.append(job)

    def wait(self) -> list[tuple[Job, ChunkResult | LostError]]:
        job = self.jobs.pop(0)
        return [(job, played(job))]

    def cancel(self) -> None:
        self.jobs.clear()

    def close(self) -> None:
        self.jobs.clear()
