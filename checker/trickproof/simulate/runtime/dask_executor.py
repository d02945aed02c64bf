"""Plays chunks on a dask.distributed cluster."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trickproof.simulate.runtime.executor import TRIES, LostError, Play, StoppedError
from trickproof.simulate.runtime.jobs import Job, chunk_result, play
from trickproof.simulate.runtime.machine import ChunkResult
from trickproof.support.cluster import PATIENCE, knock


class DaskExecutor:
    """Plays on a dask.distributed cluster whose workers have trickproof installed.

    Raises ImportError without dask.distributed, OSError or ValueError if no scheduler answers.
    """

    def __init__(self, address: str, work: Play = play) -> None:
        from distributed import Client

        knock(address)
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self.address = address
        self.client: Any = Client(address, timeout=f"{PATIENCE}s", set_as_default=False)
        self.work = work
        self.cores = sum(self.client.ncores().values())
        self.shares = False
        self.slots = 2 * max(1, self.cores)
        self.out: dict[Any, Job] = {}

    def submit(self, job: Job) -> None:
        with self._there():
            self.out[self.client.submit(self.work, job.text(), pure=False, retries=TRIES)] = job

    def wait(self) -> list[tuple[Job, ChunkResult | LostError]]:
        from distributed import wait as dask_wait

        results: list[tuple[Job, ChunkResult | LostError]] = []
        with self._there(), self.client.as_current():
            for future in dask_wait(list(self.out), return_when="FIRST_COMPLETED").done:
                error = future.exception()
                lost = LostError(f"{type(error).__name__}: {error}") if error else None
                results.append((self.out.pop(future), lost or chunk_result(future.result())))
        return sorted(results, key=lambda pair: pair[0].first)

    @contextmanager
    def _there(self) -> Iterator[None]:
        """Attribute any error to the scheduler while it does not respond."""
        try:
            yield
        except Exception:
            if self.client.status == "running":
                raise
            raise StoppedError(f"the scheduler at {self.address} does not answer any more") from None

    def cancel(self) -> None:
        for future in self.out:
            future.cancel()
        self.out.clear()

    def close(self) -> None:
        self.client.close()
