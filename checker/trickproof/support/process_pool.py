"""Work in several processes, with results as they complete; Ctrl-C ends it immediately and quietly."""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from trickproof.support.cache_folder import CacheWarning
from trickproof.support.cluster import Cluster
from trickproof_dsl.plain_mode import plain_mode

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.process import BaseProcess
    from multiprocessing.synchronize import Lock

TRIES = 2
"""Number of attempts to run a job in its own process."""

NO_PROCESSES = (OSError, ImportError, NotImplementedError, RuntimeError)
"""Exceptions where the system cannot provide processes, threads, or communication between them."""

S = TypeVar("S")
T = TypeVar("T")

Claimable = tuple["Lock", Mapping[int, Callable[[Any], Any]]]

TIMEOUT = 10
"""Seconds to wait for a killed pool."""


class LostError(Exception):
    """A job without a result: its process was killed or ran out of memory on every attempt."""


def _nothing() -> None:
    return None


def results(groups: Sequence[Mapping[int, Callable[[], T]]], workers: int) -> Iterator[tuple[int, T]]:
    """The numbered results of the jobs, in order of completion; in this process if one is enough.

    Groups are started in order. The jobs of a group run one after another in the same process, so that later
    ones benefit from earlier ones' caches. Raises KeyboardInterrupt after Ctrl-C, once the other processes
    have been stopped, and LostError for a job whose process is killed on every attempt.
    """
    alone = [{number: partial(_alone, job) for number, job in group.items()} for group in groups]
    yield from results_sharing(alone, workers, _nothing)


def results_sharing(
    groups: Sequence[Mapping[int, Callable[[S], T]]],
    workers: int,
    share: Callable[[], S],
    instead: Callable[[int, LostError], T] | None = None,
) -> Iterator[tuple[int, T]]:
    """Like `results`, for jobs that take a value shared within each process, created by `share`.

    `instead` supplies the result of a lost job, which otherwise raises LostError.
    """
    if isinstance(workers, Cluster) and len(groups) > 1:
        yield from _on_cluster(groups, workers, share, instead)
        return
    begun = _begun(groups, workers, share) if min(workers, len(groups)) > 1 else None
    yield from _here(groups, share) if begun is None else _finished(begun, share, instead)


@contextmanager
def beside(
    groups: Sequence[Mapping[int, Callable[[S], T]]], workers: int, share: Callable[[], S]
) -> Iterator[tuple[Iterator[tuple[int, T]], Iterator[tuple[int, T]]]]:
    """The results of jobs on which up to `workers` other processes work during the context, in order of completion.

    The second iterator runs here those groups, last ones first, that no other process has begun; each result comes from
    one of the two. Without other processes, each job is run here when its result is asked for.
    """
    claims = None if plain_mode() or workers == 0 else _claims(len(groups))
    begun = claims and _begun(groups, workers, share, claims)
    if not claims or not begun:
        yield _here(groups, share), iter(())
        return
    taken: set[int] = set()
    try:
        yield _finished(begun, share, None, taken), _helped(groups, share, claims, taken)
    except BaseException:
        kill(begun[0])
        raise


def _claims(number: int) -> Sequence[Lock] | None:
    """A lock for each group, which whoever runs the group acquires for good; None if there can be none."""
    from multiprocessing import Lock

    try:
        return [Lock() for _ in range(number)]
    except NO_PROCESSES:
        return None


def _helped(
    groups: Sequence[Mapping[int, Callable[[S], T]]],
    share: Callable[[], S],
    claims: Sequence[Lock],
    taken: set[int],
) -> Iterator[tuple[int, T]]:
    """The results of groups that no other process has begun, which are `taken` from them."""
    for group, claim in zip(reversed(groups), reversed(claims), strict=True):
        if claim.acquire(block=False):
            taken.update(group)
            yield from _here([group], share)


def _here(
    groups: Sequence[Mapping[int, Callable[[S], T]]], share: Callable[[], S]
) -> Iterator[tuple[int, T]]:
    """The results of jobs that are run in this process."""
    shared = share()
    for group in groups:
        for number, job in group.items():
            yield number, job(shared)


def _finished(
    begun: tuple[ProcessPoolExecutor, Groups[T, S]],
    share: Callable[[], S],
    instead: Callable[[int, LostError], T] | None,
    taken: Collection[int] = (),
) -> Iterator[tuple[int, T]]:
    """The results of jobs that were begun in a pool, without those `taken` from it."""
    from concurrent.futures import as_completed
    from concurrent.futures.process import BrokenProcessPool

    pool, futures = begun
    try:
        lost = []
        for future in as_completed(futures):
            if isinstance(future.exception(), BrokenProcessPool):
                lost.append(future)
            else:
                yield from future.result().items()
        for future in sorted(lost, key=list(futures).index):
            for number, job in futures[future].items():
                if number not in taken:
                    yield number, _again(number, job, share, instead)
        pool.shutdown()
    except BaseException:
        kill(pool)
        raise


Groups = dict["Future[dict[int, T]]", Mapping[int, Callable[[S], T]]]


def _begun(
    groups: Sequence[Mapping[int, Callable[[S], T]]],
    workers: int,
    share: Callable[[], S],
    claims: Sequence[Lock] = (),
) -> tuple[ProcessPoolExecutor, Groups[T, S]] | None:
    """Start the groups in a pool; None if there can be no processes.

    Those that can be claimed are given to the processes when these begin: a thread would send them later, when this
    process may be changing what they refer to.
    """
    pool = process_pool(min(workers, len(groups)), share, list(zip(claims, groups, strict=False)))
    if pool is None:
        return None
    futures: Groups[T, S] = {}
    for number, group in enumerate(groups):
        future = submitted(pool, partial(_claimed, number) if claims else partial(_all, group))
        if future is None:
            kill(pool)
            return None
        futures[future] = group
    return pool, futures


def submitted(pool: ProcessPoolExecutor, job: Callable[[], T]) -> Future[T] | None:
    """A job's future, already failed if a process of the pool has died; None if no process can be started."""
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    try:
        with _signals_held():
            return pool.submit(job)
    except BrokenProcessPool as wrong:
        broken: Future[T] = Future()
        broken.set_exception(wrong)
        return broken
    except NO_PROCESSES:
        return None


def _again(
    number: int,
    job: Callable[[S], T],
    share: Callable[[], S],
    instead: Callable[[int, LostError], T] | None,
) -> T:
    """Retry a job whose process was killed, in its own process."""
    try:
        return done_alone(partial(_all, {number: job}), share)[number]
    except LostError as lost:
        if instead is None:
            raise
        return instead(number, lost)


def done_alone(job: Callable[[], T], share: Callable[[], object] = _nothing) -> T:
    """The result of a job run in its own process, restarted if that is killed.

    Raises LostError after `TRIES` attempts, and whatever the job raises.
    """
    from concurrent.futures.process import BrokenProcessPool

    for _ in range(TRIES):
        pool = process_pool(1, share)
        if pool is None:
            break
        try:
            future = submitted(pool, job)
            if future is not None and not isinstance(future.exception(), BrokenProcessPool):
                return future.result()
        finally:
            kill(pool)
    raise LostError(
        f"the process that worked on it was ended {TRIES} times, from outside or for want of memory"
    )


def _on_cluster(
    groups: Sequence[Mapping[int, Callable[[S], T]]],
    cluster: Cluster,
    share: Callable[[], S],
    instead: Callable[[int, LostError], T] | None,
) -> Iterator[tuple[int, T]]:
    """Results from a cluster; jobs whose worker is lost use `instead`, or else raise LostError."""
    for group, done in cluster.results(groups, share):
        if not isinstance(done, BaseException):
            yield from done.items()
        elif type(done).__name__ not in _LOST:
            raise done
        else:
            for number in group:
                lost = LostError(f"the cluster at {cluster.address} lost it: {done}")
                if instead is None:
                    raise lost
                yield number, instead(number, lost)


_LOST = ("KilledWorker", "CancelledError", "FutureCancelledError", "CommClosedError")
"""Exceptions of the cluster's client if a worker or the scheduler is gone."""


def process_pool(
    workers: int, share: Callable[[], object] = _nothing, claimable: Sequence[Claimable] = ()
) -> ProcessPoolExecutor | None:
    """A pool whose processes have the shared value, and groups of jobs that they can claim.

    None if impossible, as without a writable /dev/shm, and in plain mode.
    """
    if plain_mode():
        return None
    from concurrent.futures import ProcessPoolExecutor

    try:
        return ProcessPoolExecutor(workers, initializer=begin_worker, initargs=(share, claimable))
    except NO_PROCESSES:
        return None


def kill(pool: ProcessPoolExecutor) -> None:
    """Kill a pool and its processes immediately.

    Waits for the pool to end: at interpreter exit it would still be closing its pipes.
    """
    children = list((getattr(pool, "_processes", None) or {}).values())
    manager = getattr(pool, "_executor_manager_thread", None)
    pool.shutdown(wait=False, cancel_futures=True)
    for child in children:
        child.kill()
    if manager is not None:
        manager.join(TIMEOUT)


_shared: list[Any] = []
"""In a worker: the value shared by its jobs."""

_claimable: Sequence[Claimable] = ()
"""In a worker: the groups that it can claim."""


def _all(group: Mapping[int, Callable[[S], T]]) -> dict[int, T]:
    return {number: job(_shared[0]) for number, job in group.items()}


def _claimed(place: int) -> dict[int, Any]:
    """The results of a group; none if another process has claimed it."""
    claim, group = _claimable[place]
    return _all(group) if claim.acquire(block=False) else {}


def _alone(job: Callable[[], T], _: None) -> T:
    return job()


_STOPPING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Let processes that are started here receive no Ctrl-C before `begin_worker` knows what to do with it."""
    if os.name != "posix":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker(share: Callable[[], object] = _nothing, claimable: Sequence[Claimable] = ()) -> None:
    """Set up a worker: leave Ctrl-C to the parent process, and exit when the parent is gone."""
    from multiprocessing import parent_process
    from threading import Thread

    global _claimable
    _claimable = claimable
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)
    warnings.simplefilter("ignore", CacheWarning)  # the parent has already warned
    _shared[:] = [share()]
    Thread(target=_exit_with_parent, args=(os.getppid(), parent_process()), daemon=True).start()


def _exit_with_parent(above: int, parent: BaseProcess | None) -> None:
    """The process above, which may be a server of processes, ends too; it is another one from the start if the parent is gone by then."""
    while os.getppid() == above and (parent is None or parent.is_alive()):
        time.sleep(1)
    os._exit(1)
