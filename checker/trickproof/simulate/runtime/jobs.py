"""Chunks of work and their results, as sent between processes.  Everything is plain JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from trickproof.simulate.ir.calling_convention import Choice
from trickproof.simulate.runtime.machine import ChunkResult, Machine

if TYPE_CHECKING:
    from trickproof_dsl import core as c


@dataclass(frozen=True)
class Job:
    """Matches `first` up to but excluding `last`, at most `hands` hands, of a program given as JSON text."""

    core: str
    policies: tuple[Choice, ...]
    """Names only, if the job is sent to another process."""
    backend: str
    seed: int
    first: int
    last: int
    hands: int
    parameters: dict[str, int]
    readings: dict[str, int]
    most: int
    records: bool
    interleaved: bool = False
    """Whether interleaving matches is worthwhile; it does not affect what is counted."""

    def text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)


MachineKey = tuple[str, tuple[Choice, ...], str, bool]
"""A core program as JSON text, policies, back end, and whether records are kept."""

_machines: dict[MachineKey, tuple[Machine, c.Program | None]] = {}
"""Machines of this process (or inherited from the one it was forked from), with the programs they were made from."""

MOST_MACHINES = 16


def register_machine(key: MachineKey, machine: Machine, program: c.Program | None = None) -> None:
    """Make a machine available to this process's jobs."""
    _machines.pop(key, None)
    while len(_machines) >= MOST_MACHINES:
        del _machines[next(iter(_machines))]
    _machines[key] = machine, program


def registered_machine(key: MachineKey, program: c.Program) -> Machine | None:
    """The machine that this process made from this very program, with its source places."""
    machine, of = _machines.get(key, (None, None))
    return machine if of is program else None


def _machine(key: MachineKey) -> Machine:
    if key not in _machines:
        from trickproof.simulate.runtime.kernel import Kernel
        from trickproof_dsl.core.json_codec import program_from_json

        core, policies, backend, records = key
        register_machine(key, Kernel(program_from_json(json.loads(core)), policies, backend, records=records))
    return _machines[key][0]


def play(text: str) -> dict[str, Any]:
    """Play a job given as JSON; return a chunk result as JSON."""
    data = json.loads(text)
    job = Job(**{**data, "policies": tuple(data["policies"])})
    return vars(played(job))


def played(job: Job) -> ChunkResult:
    machine = _machine((job.core, job.policies, job.backend, job.records))
    return machine.play(
        job.seed,
        job.first,
        job.last,
        job.hands,
        job.parameters,
        job.readings,
        job.most,
        interleaved=job.interleaved,
    )


def chunk_result(data: dict[str, Any]) -> ChunkResult:
    """Decode the answer of `play`."""
    return ChunkResult(tuple(data["totals"]), data["hands"], data["next"], data["cut"], tuple(data["notes"]))
