"""A dask.distributed cluster in place of local processes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from socket import create_connection
from threading import Lock
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")

PATIENCE = 10
"""Seconds within which a scheduler must answer."""


class Cluster(int):
    """A cluster whose workers have trickproof; as an integer, its number of concurrent jobs (at least 2).

    Raises ImportError without dask.distributed, and OSError or ValueError if no scheduler answers.
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
        """Each group with its results, or the exception that prevented them, in order of completion."""
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
        """Disconnect from the cluster, which keeps running for others."""
        self.client.close()


_ALONE = Lock()
"""Held by a worker thread while it runs jobs: the solver is not safe for several in one process."""


def _group(group: Mapping[int, Callable[[S], T]], share: Callable[[], S]) -> dict[int, T]:
    with _ALONE:
        shared = share()
        return {number: job(shared) for number, job in group.items()}


def knock(address: str) -> None:
    """Fail fast where the cluster's own client would wait: raises OSError or ValueError.

    A scheduler speaks first, except over TLS.
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
