"""Executors take jobs and return their results.

This module has the serial one; `process_executor` uses other processes on this machine, `dask_executor` a
dask cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from trickproof.simulate.runtime.jobs import Job, played
from trickproof.simulate.runtime.machine import ChunkResult

Answer = dict[str, Any]
Play = Callable[[str], Answer]
"""`jobs.play`, or a test's substitute."""

TRIES = 2
"""Attempts at playing a chunk by itself before it is given up."""


class LostError(Exception):
    """A chunk that cannot be played: the process that plays it dies, or it raises an error every time."""


class StoppedError(Exception):
    """Playing cannot continue, with the reason."""


class Executor(Protocol):
    """Plays jobs; `slots` is the number of jobs worth having in flight.

    `shares`: whether the workers see what this process has prepared before the first job is submitted.
    """

    slots: int
    shares: bool

    def submit(self, job: Job) -> None:
        """Submit a job."""

    def wait(self) -> list[tuple[Job, ChunkResult | LostError]]:
        """Wait for at least one job to finish; return those that have."""

    def cancel(self) -> None:
        """Cancel all outstanding jobs."""

    def close(self) -> None:
        """Shut the executor down."""


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
