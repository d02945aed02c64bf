"""A chunk of work: what travels to whoever plays it, and what comes back.  Everything is plain JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from trickproof.simulate.kernel import Kernel, Stretch
from trickproof.simulate.players import Choice
from trickproof_dsl import core as c
from trickproof_dsl.core.serial import program_from_json


@dataclass(frozen=True)
class Job:
    """Matches `first` to `last` (not included), `hands` hands at most, of a program given as JSON text."""

    core: str
    policies: tuple[Choice, ...]
    """Names, where the job is to travel."""
    backend: str
    seed: int
    first: int
    last: int
    hands: int
    parameters: dict[str, int]
    readings: dict[str, int]
    most: int
    records: bool
    pairs: bool = False
    """Whether it is worth while to play two matches at a time: it makes no difference to what is counted."""

    def text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)


_known: dict[tuple[str, tuple[Choice, ...], str, bool], Kernel] = {}
"""Kernels that this process (or the one it was forked from) has made."""

MOST_KNOWN = 16


def know(core: str, policies: tuple[Choice, ...], backend: str, records: bool, kernel: Kernel) -> None:
    """Keeps a kernel for the jobs of this process."""
    _known.pop((core, policies, backend, records), None)
    while len(_known) >= MOST_KNOWN:
        del _known[next(iter(_known))]
    _known[(core, policies, backend, records)] = kernel


def known(
    core: str, policies: tuple[Choice, ...], backend: str, records: bool, program: c.Program
) -> Kernel | None:
    """The kernel that this process has made of this very program, with its places in the text."""
    kernel = _known.get((core, policies, backend, records))
    return kernel if kernel is not None and kernel.program is program else None


def _kernel(core: str, policies: tuple[Choice, ...], backend: str, records: bool) -> Kernel:
    key = core, policies, backend, records
    if key not in _known:
        know(*key, Kernel(program_from_json(json.loads(core)), policies, backend, records=records))
    return _known[key]


def play(text: str) -> dict[str, Any]:
    """Plays a job given as JSON; answers a stretch as JSON."""
    data = json.loads(text)
    job = Job(**{**data, "policies": tuple(data["policies"])})
    found = played(job)
    return asdict(found)


def played(job: Job) -> Stretch:
    kernel = _kernel(job.core, job.policies, job.backend, job.records)
    return kernel.play(
        job.seed, job.first, job.last, job.hands, job.parameters, job.readings, job.most, pairs=job.pairs
    )


def stretch(data: dict[str, Any]) -> Stretch:
    """What `play` answered."""
    return Stretch(tuple(data["totals"]), data["hands"], data["next"], data["cut"], tuple(data["notes"]))
