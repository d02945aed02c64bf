"""Calls a program that follows scripts: with machine code, or as plain Python, with the same results."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from trickproof.simulate.backends.python import python_function
from trickproof.simulate.ir.calling_convention import ALL, LLVM
from trickproof.simulate.script.follower import ANSWERED, REJECTED
from trickproof.simulate.script.program import JOB_WORDS, RESULT_WORDS, ScriptProgram

MOST_WORDS = 1 << 22
"""Words of records that are handed over in one call."""


class Job(NamedTuple):
    """One hand: which record, the first choice after it, the stream of chance, and the item at which it is asked what could be
    chosen of other cards; -1 where nothing is."""

    record: int
    candidate: int
    stream: int
    probe: int = -1
    mask: int = 0


class Result(NamedTuple):
    """How a hand was left, how many words of the record it followed, the answer (of one that was rejected the word that came in
    place of that of the record), and a number for each player."""

    left: int
    followed: int
    answer: int
    points: tuple[int, ...]

    @property
    def rejected(self) -> bool:
        """Whether the hand does not fit its record."""
        return self.left == REJECTED

    @property
    def answered(self) -> bool:
        return self.left == ANSWERED


class ScriptMachine:
    """A program ready to follow scripts."""

    def __init__(
        self,
        script: ScriptProgram,
        backend: str,
        parameters: Mapping[str, int] | None = None,
        readings: Mapping[str, int] | None = None,
    ) -> None:
        self.script, self.backend, self.players = script, backend, script.form.program.players
        self._run = _compiled(script) if backend == LLVM else _interpreted(script)
        self.bind(parameters or {}, readings or {})

    def bind(self, parameters: Mapping[str, int], readings: Mapping[str, int]) -> None:
        """Parameters and readings from now on; those that are not named have their first value."""
        first = {name: values[0] for name, values in self.script.form.program.parameters.items()}
        given = {**first, **parameters}
        words = [given[name] for name in self.script.parameters]
        self._params = words + [readings.get(name, 0) for name in self.script.readings] + [0]

    def play(
        self, header: Sequence[int], records: Sequence[Sequence[int]], jobs: Sequence[Job]
    ) -> list[Result]:
        """Every job's hand, in their order; records are items without the header."""
        width = RESULT_WORDS + self.players
        words: list[int] = []
        begins: list[int] = []
        at = JOB_WORDS * len(jobs) + len(header)
        for record in records:
            begins.append(at)
            at += len(record)
        for job in jobs:
            begin = begins[job.record]
            probe = -1 if job.probe < 0 else begin + job.probe
            words += (begin, begin + len(records[job.record]), job.candidate, job.stream, probe, job.mask)
        words += header
        for record in records:
            words += record
        words.append(0)
        totals = self._run(self._params, [len(jobs), JOB_WORDS * len(jobs)], width * len(jobs), words)
        return [
            Result(totals[i], totals[i + 1], totals[i + 2], tuple(totals[i + RESULT_WORDS : i + width]))
            for i in range(0, width * len(jobs), width)
        ]


Run = Callable[[list[int], list[int], int, list[int]], Sequence[int]]


def _interpreted(script: ScriptProgram) -> Run:
    function = python_function(script.routine)

    def run(params: list[int], io: list[int], size: int, words: list[int]) -> Sequence[int]:
        totals = [0] * size
        function(params, io, totals, words)
        return [int(x) for x in totals]

    return run


def _compiled(script: ScriptProgram) -> Run:
    from trickproof.simulate.backends.jit import Word, machine_code

    code = machine_code(script.routine)

    def run(params: list[int], io: list[int], size: int, words: list[int]) -> Sequence[int]:
        totals = array("q", bytes(8 * size))
        arrays: list[Any] = [array("q", params), array("q", io), totals, _words(words)]
        code.call(*[(Word * len(part)).from_buffer(part) for part in arrays])
        return totals

    return run


def _words(words: list[int]) -> array[int]:
    """Words with a sign; those of masks and streams may lack it."""
    try:
        return array("q", words)
    except OverflowError:
        return array("q", [x - (ALL + 1) if x > ALL >> 1 else x for x in words])
