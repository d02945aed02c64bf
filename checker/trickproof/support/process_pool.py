"""Work done in several processes, with results as they come; Ctrl-C ends it at once and quietly."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from threading import Thread
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")

TIMEOUT = 10
"""Seconds to wait for a pool that was ended."""


def results(groups: Sequence[Mapping[int, Callable[[], T]]], workers: int) -> Iterator[tuple[int, T]]:
    """What the jobs return, with their numbers, the first that is done first; in this process if one is enough.

    Groups are begun in their order.  The jobs of one are done in one process one after another, where the later ones
    profit from what the earlier ones have worked out.  Raises KeyboardInterrupt after Ctrl-C, when the other processes
    have been stopped.
    """
    alone = [{number: partial(_alone, job) for number, job in group.items()} for group in groups]
    yield from results_sharing(alone, workers, _nothing)


def results_sharing(
    groups: Sequence[Mapping[int, Callable[[S], T]]], workers: int, share: Callable[[], S]
) -> Iterator[tuple[int, T]]:
    """As `results`, of jobs that are given what all jobs in one process share, which `share` makes for each process."""
    if workers < 2 or len(groups) < 2:
        shared = share()
        for group in groups:
            for number, job in group.items():
                yield number, job(shared)
        return
    pool = ProcessPoolExecutor(min(workers, len(groups)), initializer=begin_worker, initargs=(share,))
    try:
        for future in as_completed([pool.submit(_all, group) for group in groups]):
            yield from future.result().items()
        pool.shutdown()
    except BaseException:
        kill(pool)
        raise


def kill(pool: ProcessPoolExecutor) -> None:
    """Ends a pool and its processes at once, whatever they are doing.

    Waits until the pool is gone: at the program's end it would still be taking its pipes down.
    """
    children = list((getattr(pool, "_processes", None) or {}).values())
    manager = getattr(pool, "_executor_manager_thread", None)
    pool.shutdown(wait=False, cancel_futures=True)
    for child in children:
        child.kill()
    if manager is not None:
        manager.join(TIMEOUT)


_shared: list[Any] = []
"""In a worker: what its jobs share."""


def _all(group: Mapping[int, Callable[[S], T]]) -> dict[int, T]:
    return {number: job(_shared[0]) for number, job in group.items()}


def _alone(job: Callable[[], T], _: None) -> T:
    return job()


def _nothing() -> None:
    return None


def begin_worker(share: Callable[[], object] = _nothing) -> None:
    """A worker leaves Ctrl-C to the process that started it, and ends when that is gone."""
    _shared[:] = [share()]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()


def _exit_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
