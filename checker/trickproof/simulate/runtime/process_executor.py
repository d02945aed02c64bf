"""Plays chunks in several processes on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_start_method

from trickproof.simulate.runtime.executor import TRIES, Answer, LostError, Play
from trickproof.simulate.runtime.jobs import Job, chunk_result, play
from trickproof.simulate.runtime.machine import ChunkResult
from trickproof.support.process_pool import (
    LostError as ProcessLostError,
    done_alone,
    kill,
    process_pool,
    submitted,
)


class ProcessExecutor:
    """Plays in processes on this machine.  If one dies, all outstanding jobs are replayed one by one.

    If no processes can be created, this one plays.
    """

    def __init__(self, workers: int, work: Play = play) -> None:
        self.workers, self.slots, self.work = workers, 2 * workers, work
        self.shares = get_start_method() == "fork"
        self.pool = process_pool(workers)
        self.out: dict[Future[Answer], Job] = {}

    def submit(self, job: Job) -> None:
        future = None if self.pool is None else submitted(self.pool, partial(self.work, job.text()))
        if future is None:
            future = Future()
            future.set_result(self.work(job.text()))
        self.out[future] = job

    def wait(self) -> list[tuple[Job, ChunkResult | LostError]]:
        done, _ = wait(self.out, return_when=FIRST_COMPLETED)
        results: list[tuple[Job, ChunkResult | LostError]] = []
        broken = False
        for future in sorted(done, key=lambda future: self.out[future].first):
            job = self.out.pop(future)
            error = future.exception()
            if isinstance(error, BrokenProcessPool):
                broken = True
                self.out[future] = job
            else:
                results.append((job, self._one_by_one(job) if error else chunk_result(future.result())))
        return results + (list(self._repaired()) if broken else [])

    def _repaired(self) -> Iterator[tuple[Job, ChunkResult | LostError]]:
        """Replay the outstanding jobs after a process has died, each in a process of its own."""
        jobs = sorted(self.out.values(), key=lambda job: job.first)
        self.out.clear()
        self.close()
        for job in jobs:
            yield job, self._one_by_one(job)
        self.pool = process_pool(self.workers)

    def _one_by_one(self, job: Job) -> ChunkResult | LostError:
        why = ""
        for _ in range(TRIES):
            try:
                return chunk_result(done_alone(partial(self.work, job.text())))
            except ProcessLostError:
                return LostError(f"the process that played them ended, {TRIES} times")
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
        return LostError(why)

    def cancel(self) -> None:
        for future in self.out:
            future.cancel()
        self.out.clear()

    def close(self) -> None:
        if self.pool is not None:
            kill(self.pool)
