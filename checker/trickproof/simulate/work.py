"""A chunk of work: what travels to whoever plays it, and what comes back.  Everything is plain JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from trickproof.simulate.kernel import Kernel, Stretch
from trickproof_dsl.core.serial import program_from_json


@dataclass(frozen=True)
class Job:
    """Matches `first` to `last` (not included), `hands` hands at most, of a program given as JSON text."""

    core: str
    policies: tuple[str, ...]
    backend: str
    seed: int
    first: int
    last: int
    hands: int
    parameters: dict[str, int]
    readings: dict[str, int]
    most: int
    records: bool

    def text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)


@lru_cache(8)
def _kernel(core: str, policies: tuple[str, ...], backend: str, records: bool) -> Kernel:
    return Kernel(program_from_json(json.loads(core)), policies, backend, records=records)


def play(text: str) -> dict[str, Any]:
    """Plays a job given as JSON; answers a stretch as JSON."""
    data = json.loads(text)
    job = Job(**{**data, "policies": tuple(data["policies"])})
    found = played(job)
    return asdict(found)


def played(job: Job) -> Stretch:
    kernel = _kernel(job.core, job.policies, job.backend, job.records)
    return kernel.play(job.seed, job.first, job.last, job.hands, job.parameters, job.readings, job.most)


def stretch(data: dict[str, Any]) -> Stretch:
    """What `play` answered."""
    return Stretch(tuple(data["totals"]), data["hands"], data["next"], data["cut"], tuple(data["notes"]))
