"""From a core program to a machine: compiled at once for single matches, and on demand for interleaved ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from trickproof.simulate.backends.interleave import interleaved
from trickproof.simulate.backends.python import python_function
from trickproof.simulate.ir import calling_convention as at
from trickproof.simulate.ir.calling_convention import LLVM, PYTHON, Choice
from trickproof.simulate.program.compile import CompiledProgram, compile_program
from trickproof.simulate.runtime.machine import (
    MOST_HANDS,
    MOST_NOTES,
    ROOM,
    CallResult,
    CodeKeys,
    EntryPoint,
    Machine,
    best_backend,
    in_machine_code,
    signed,
)
from trickproof_dsl import core as c

TRIED, TRIES = 10_000, 5
"""Hands played to measure which way is faster, and the number of measurements, of which the median counts."""


def searchers(program: c.Program, policies: Sequence[Choice], backend: str) -> list[Choice]:
    """The policies, with names of searching policies replaced by players, which share one engine."""
    if not at.searches(policies):
        return list(policies)
    from trickproof.search.engine import SearchEngine
    from trickproof.search.player import SearchPlayer

    engine = SearchEngine(program, backend)
    players: dict[Choice, Choice] = {
        x: SearchPlayer(engine, int(x.partition(":")[2]))
        for x in policies
        if isinstance(x, str) and at.searches([x])
    }
    return [players.get(x, x) for x in policies]


class Kernel(Machine):
    """A program ready to play.  Raises BeyondError if it has no integer form.

    `policies` as for `compile_program`; with a function among them, play runs in plain Python whatever
    `backend` says.  The rollouts of searching players use the back end.  `compiled` is the same program
    compiled with the same options, for another back end.
    """

    def __init__(
        self,
        program: c.Program,
        policies: Sequence[Choice] = ("random",),
        backend: str = "",
        traced: bool = False,
        records: bool = False,
        compiled: CompiledProgram | None = None,
    ) -> None:
        self.program, self.tracing = program, traced or records
        rollouts = backend or best_backend()
        seats = searchers(program, policies, rollouts)
        self._asked = [x for x in dict.fromkeys(seats) if not isinstance(x, str) and not callable(x)]
        forms = [x.form for x in self._asked]
        self.compiled = compiled or compile_program(program, seats, traced, records, *forms[:1])
        has_callbacks = any(not isinstance(x, str) for x in seats)
        backend = PYTHON if has_callbacks else backend or best_backend()
        self._names = ["", ""]
        """Cache keys of the machine code for one match at a time and for several, once it exists."""
        super().__init__(self.compiled.facts, backend, self._alone(backend), lambda: program)
        self._several: EntryPoint | None = None
        self._tried = self.tracing or backend != LLVM
        """Whether it is known if interleaving is faster."""
        if self._asked:
            self.backend = rollouts

    def bind_settings(self, parameters: Mapping[str, int], readings: Mapping[str, int]) -> None:
        self.compiled.callbacks.parameters, self.compiled.callbacks.readings = parameters, readings
        for player in self._asked:
            player.bind(parameters, readings)

    def _alone(self, backend: str) -> EntryPoint:
        if backend == LLVM:
            from trickproof.simulate.backends.jit import machine_code

            code = machine_code(self.compiled.routine)
            self._names[0] = code.key
            return in_machine_code(code, self.tracing)
        function = python_function(self.compiled.routine, self.compiled.callbacks.ask)
        return lambda words, io, totals: self._interpreted(function, words, io, totals)

    def _interpreted(
        self, function: Callable[..., None], words: list[int], io: list[int], totals: list[int]
    ) -> CallResult:
        notes = [0] * (ROOM + MOST_NOTES if self.tracing else 0)
        function(words, io, totals, notes)
        noted = [signed(int(x)) for x in notes[: io[at.NOTED]]]
        return [int(x) for x in io], [int(x) for x in totals], noted

    def several(self, words: list[int]) -> EntryPoint | None:
        """Compiled and measured on first use."""
        if not self._tried:
            from trickproof.simulate.backends.jit import machine_code

            routine = interleaved(self.compiled)
            if routine is not None:
                code = machine_code(routine)
                playing = in_machine_code(code, tracing=False)
                if self._faster(playing, words):
                    self._several, self._names[1] = playing, code.key
            self._tried = True
        return self._several

    def code_keys(self) -> CodeKeys | None:
        one, several = self._names
        return CodeKeys(one, several, self._tried) if one and not self.tracing else None

    def _faster(self, several: EntryPoint, words: list[int]) -> bool:
        """Measure whether interleaving takes less time than playing one match at a time."""
        times: tuple[list[float], list[float]] = [], []
        for _ in range(TRIES):
            for way in range(2):
                io = self._begun(0, 0, 1 << 40, MOST_HANDS)
                io[at.HANDS], totals = TRIED, [0] * self.facts.counters.size
                begin = time.thread_time()
                if way:
                    self._interleaved(several, words, io, TRIED, None)
                else:
                    self._playing(words, io, totals)
                times[way].append(time.thread_time() - begin)
        one, together = map(min, times)  # other processes make some of them longer
        return together < one
