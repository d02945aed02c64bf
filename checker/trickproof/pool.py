"""Work done in several processes, with results as they come; Ctrl-C ends it at once and quietly."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children
from typing import TypeVar

T = TypeVar("T")


def results(jobs: Mapping[int, Callable[[], T]], workers: int) -> Iterator[tuple[int, T]]:
    """What the jobs return, with their numbers, the first that is done first; in this process if one is enough.

    Raises KeyboardInterrupt after Ctrl-C, when the other processes have been stopped.
    """
    if workers < 2 or len(jobs) < 2:
        for number, job in jobs.items():
            yield number, job()
        return
    with ProcessPoolExecutor(min(workers, len(jobs)), initializer=_deaf) as pool:
        numbers = {pool.submit(job): number for number, job in jobs.items()}
        try:
            for future in as_completed(numbers):
                yield numbers[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


def _deaf() -> None:
    """A worker leaves Ctrl-C to the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
