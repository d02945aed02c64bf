"""Who plays the chunks: this process, processes on this machine, or a dask.distributed cluster."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from socket import create_connection
from typing import Any, Protocol

from trickproof.pool import begin_worker, killed
from trickproof.simulate.kernel import Stretch
from trickproof.simulate.work import Job, play, played, stretch

Answer = dict[str, Any]
Play = Callable[[str], Answer]
"""`work.play`, or what tests put in its place."""

TRIES = 2
"""How often a chunk is played alone before it is given up."""

PATIENCE = 10
"""Seconds in which a scheduler has to answer, and processes that are killed have to be gone."""


class LostError(Exception):
    """A chunk that cannot be played: whoever plays it dies, or an error comes up each time."""


class StoppedError(Exception):
    """Playing cannot go on: why."""


class Crew(Protocol):
    """Plays jobs; `slots` is how many at a time are worth asking for."""

    slots: int

    def ask(self, job: Job) -> None:
        """Hands out a job."""

    def wait(self) -> list[tuple[Job, Stretch | LostError]]:
        """Some jobs that are done, at least one."""

    def drop(self) -> None:
        """Nothing that is still out is wanted."""

    def close(self) -> None:
        """Ends everything."""


class Alone:
    """Plays in this process, one job at a time."""

    slots = 1

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def ask(self, job: Job) -> None:
        self.jobs.append(job)

    def wait(self) -> list[tuple[Job, Stretch | LostError]]:
        job = self.jobs.pop(0)
        return [(job, played(job))]

    def drop(self) -> None:
        self.jobs.clear()

    def close(self) -> None:
        self.jobs.clear()


class Processes:
    """Plays in processes of this machine.  If one dies, all that were out are played again, one by one."""

    def __init__(self, workers: int, work: Play = play) -> None:
        self.workers, self.slots, self.work = workers, 2 * workers, work
        self.pool = self._pool(workers)
        self.out: dict[Future[Answer], Job] = {}

    def _pool(self, workers: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(workers, initializer=begin_worker)

    def ask(self, job: Job) -> None:
        try:
            self.out[self.pool.submit(self.work, job.text())] = job
        except BrokenProcessPool:
            broken: Future[Answer] = Future()
            broken.set_exception(BrokenProcessPool())
            self.out[broken] = job

    def wait(self) -> list[tuple[Job, Stretch | LostError]]:
        done, _ = wait(self.out, return_when=FIRST_COMPLETED)
        found: list[tuple[Job, Stretch | LostError]] = []
        broken = False
        for future in sorted(done, key=lambda future: self.out[future].first):
            job = self.out.pop(future)
            error = future.exception()
            if isinstance(error, BrokenProcessPool):
                broken = True
                self.out[future] = job
            else:
                found.append((job, self._one_by_one(job) if error else stretch(future.result())))
        return found + (list(self._repaired()) if broken else [])

    def _repaired(self) -> Iterator[tuple[Job, Stretch | LostError]]:
        """After a process died: what was out is played again, each by a process of its own."""
        jobs = sorted(self.out.values(), key=lambda job: job.first)
        self.out.clear()
        killed(self.pool)
        for job in jobs:
            yield job, self._one_by_one(job)
        self.pool = self._pool(self.workers)

    def _one_by_one(self, job: Job) -> Stretch | LostError:
        why = ""
        for _ in range(TRIES):
            pool = self._pool(1)
            try:
                return stretch(pool.submit(self.work, job.text()).result())
            except BrokenProcessPool:
                why = f"the process that played them ended, {TRIES} times"
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
            finally:
                killed(pool)
        return LostError(why)

    def drop(self) -> None:
        for future in self.out:
            future.cancel()
        self.out.clear()

    def close(self) -> None:
        killed(self.pool)


class Cluster:
    """Plays on a dask.distributed cluster, whose workers have trickproof installed.

    Raises ImportError without dask.distributed, OSError or ValueError where no scheduler answers.
    """

    def __init__(self, address: str, work: Play = play) -> None:
        from distributed import Client

        _knock(address)
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self.address = address
        self.client: Any = Client(address, timeout=f"{PATIENCE}s", set_as_default=False)
        self.work = work
        self.cores = sum(self.client.ncores().values())
        self.slots = 2 * max(1, self.cores)
        self.out: dict[Any, Job] = {}

    def ask(self, job: Job) -> None:
        with self._there():
            self.out[self.client.submit(self.work, job.text(), pure=False, retries=TRIES)] = job

    def wait(self) -> list[tuple[Job, Stretch | LostError]]:
        from distributed import wait as dask_wait

        found: list[tuple[Job, Stretch | LostError]] = []
        with self._there(), self.client.as_current():
            for future in dask_wait(list(self.out), return_when="FIRST_COMPLETED").done:
                error = future.exception()
                lost = LostError(f"{type(error).__name__}: {error}") if error else None
                found.append((self.out.pop(future), lost or stretch(future.result())))
        return sorted(found, key=lambda pair: pair[0].first)

    @contextmanager
    def _there(self) -> Iterator[None]:
        """Whatever goes wrong while the scheduler does not answer is its fault."""
        try:
            yield
        except Exception:
            if self.client.status == "running":
                raise
            raise StoppedError(f"the scheduler at {self.address} does not answer any more") from None

    def drop(self) -> None:
        for future in self.out:
            future.cancel()
        self.out.clear()

    def close(self) -> None:
        self.client.close()


def _knock(address: str) -> None:
    """Refuses at once what the cluster's own client would wait for: raises OSError or ValueError.

    A scheduler speaks first; over TLS it waits to be spoken to.
    """
    from distributed import Security
    from distributed.comm.addressing import get_address_host_port, parse_address

    scheme, _ = parse_address(address)
    if scheme == "tls" and Security().get_connection_args("client").get("ssl_context") is None:
        raise ValueError("TLS needs certificates (distributed.comm.tls in dask's configuration)")
    host, port = get_address_host_port(address)
    try:
        with create_connection((host, port), PATIENCE) as line:
            if scheme == "tcp" and not line.recv(1):
                raise ConnectionError("it hung up")
    except OverflowError as wrong:
        raise ValueError(str(wrong)) from None
