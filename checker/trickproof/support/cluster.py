"""A dask.distributed cluster in the place of the processes of this machine."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from socket import create_connection
from threading import Lock
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")

PATIENCE = 10
"""Seconds in which a scheduler has to answer."""


class Cluster(int):
    """A cluster that does jobs, whose workers have trickproof installed; as a number, how many at once (at least 2).

    Raises ImportError without dask.distributed, OSError or ValueError where no scheduler answers.
    """

    address: str
    client: Any

    def __new__(cls, address: str) -> Cluster:
        from distributed import Client

        knock(address)
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        client: Any = Client(address, timeout=f"{PATIENCE}s", set_as_default=False)
        cluster = super().__new__(cls, max(2, sum(client.ncores().values())))
        cluster.address, cluster.client = address, client
        return cluster

    def results(
        self, groups: Sequence[Mapping[int, Callable[[S], T]]], share: Callable[[], S]
    ) -> Iterator[tuple[Mapping[int, Callable[[S], T]], Mapping[int, T] | BaseException]]:
        """Each group with what its jobs return, or why there is nothing, the first that is done first."""
        from distributed import as_completed

        futures = {self.client.submit(_group, group, share, pure=False): group for group in groups}
        try:
            with self.client.as_current():
                for future in as_completed(list(futures)):
                    error = future.exception()
                    yield futures[future], future.result() if error is None else error
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Leaves the cluster, which goes on for others."""
        self.client.close()


_ALONE = Lock()
"""Held by the thread of a worker that does jobs: the solver is not made for several in one process."""


def _group(group: Mapping[int, Callable[[S], T]], share: Callable[[], S]) -> dict[int, T]:
    with _ALONE, _collecting_here():
        shared = share()
        done = {number: job(shared) for number, job in group.items()}
        del shared
        return done


@contextmanager
def _collecting_here() -> Iterator[None]:
    """Garbage is collected by this thread, at the end: another of the worker's would free the solver's terms while it works."""
    enabled = gc.isenabled()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.collect()
        gc.unfreeze()
        if enabled:
            gc.enable()


def knock(address: str) -> None:
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
