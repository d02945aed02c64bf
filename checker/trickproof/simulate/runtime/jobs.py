"""A chunk of work: what travels to whoever plays it, and what comes back.  Everything is plain JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from trickproof.simulate.ir.calling_convention import Choice
from trickproof.simulate.runtime.machine import Machine, Stretch

if TYPE_CHECKING:
    from trickproof_dsl import core as c


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
    abreast: bool = False
    """Whether it is worth while to play several matches abreast: it makes no difference to what is counted."""

    def text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)


Way = tuple[str, tuple[Choice, ...], str, bool]
"""A core program as JSON text, policies, back end, and whether records are kept."""

_known: dict[Way, tuple[Machine, c.Program | None]] = {}
"""Machines that this process (or the one it was forked from) has, with the programs that they were made of."""

MOST_KNOWN = 16


def know(way: Way, machine: Machine, program: c.Program | None = None) -> None:
    """Keeps a machine for the jobs of this process."""
    _known.pop(way, None)
    while len(_known) >= MOST_KNOWN:
        del _known[next(iter(_known))]
    _known[way] = machine, program


def known(way: Way, program: c.Program) -> Machine | None:
    """The machine that this process has made of this very program, with its places in the text."""
    machine, of = _known.get(way, (None, None))
    return machine if of is program else None


def _machine(way: Way) -> Machine:
    if way not in _known:
        from trickproof.simulate.runtime.kernel import Kernel
        from trickproof_dsl.core.json_codec import program_from_json

        core, policies, backend, records = way
        know(way, Kernel(program_from_json(json.loads(core)), policies, backend, records=records))
    return _known[way][0]


def play(text: str) -> dict[str, Any]:
    """Plays a job given as JSON; answers a stretch as JSON."""
    data = json.loads(text)
    job = Job(**{**data, "policies": tuple(data["policies"])})
    return vars(played(job))


def played(job: Job) -> Stretch:
    machine = _machine((job.core, job.policies, job.backend, job.records))
    return machine.play(
        job.seed, job.first, job.last, job.hands, job.parameters, job.readings, job.most, abreast=job.abreast
    )


def stretch(data: dict[str, Any]) -> Stretch:
    """What `play` answered."""
    return Stretch(tuple(data["totals"]), data["hands"], data["next"], data["cut"], tuple(data["notes"]))
