"""Plays chunks in several processes of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_start_method

from trickproof.simulate.runtime.executor import TRIES, Answer, LostError, Play
from trickproof.simulate.runtime.jobs import Job, chunk_result, play
from trickproof.simulate.runtime.machine import ChunkResult
from trickproof.support.process_pool import begin_worker, kill


class ProcessExecutor:
    """Plays in processes of this machine.  If one dies, all that were out are played again, one by one."""

    def __init__(self, workers: int, work: Play = play) -> None:
        self.workers, self.slots, self.work = workers, 2 * workers, work
        self.shares = get_start_method() == "fork"
        self.pool = self._pool(workers)
        self.out: dict[Future[Answer], Job] = {}

    def _pool(self, workers: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(workers, initializer=begin_worker)

    def submit(self, job: Job) -> None:
        try:
            self.out[self.pool.submit(self.work, job.text())] = job
        except BrokenProcessPool:
            broken: Future[Answer] = Future()
            broken.set_exception(BrokenProcessPool())
            self.out[broken] = job

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
        """After a process died: what was out is played again, each by a process of its own."""
        jobs = sorted(self.out.values(), key=lambda job: job.first)
        self.out.clear()
        kill(self.pool)
        for job in jobs:
            yield job, self._one_by_one(job)
        self.pool = self._pool(self.workers)

    def _one_by_one(self, job: Job) -> ChunkResult | LostError:
        why = ""
        for _ in range(TRIES):
            pool = self._pool(1)
            try:
                return chunk_result(pool.submit(self.work, job.text()).result())
            except BrokenProcessPool:
                why = f"the process that played them ended, {TRIES} times"
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
            finally:
                kill(pool)
        return LostError(why)

    def cancel(self) -> None:
        for future in self.out:
            future.cancel()
        self.out.clear()

    def close(self) -> None:
        kill(self.pool)
