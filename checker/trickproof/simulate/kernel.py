"""A compiled ruleset that plays: some matches from one on, for so many hands at most, in whole numbers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from math import inf
from typing import Any

from trickproof.simulate import chance
from trickproof.simulate import compile as places
from trickproof.simulate.compile import Compiled, compiled
from trickproof.simulate.ir import ALL
from trickproof.simulate.notes import MOST as MOST_NOTES
from trickproof.simulate.pairing import Call, Pairing
from trickproof.simulate.pairs import Pairs
from trickproof.simulate.pairs import pairs as pairs_of
from trickproof.simulate.players import Choice
from trickproof.simulate.python_backend import python_function
from trickproof_dsl import core as c

LLVM, PYTHON = "llvm", "python"
BACKENDS = (LLVM, PYTHON)
"""Compiled to machine code by llvmlite; plain Python."""

MOST_HANDS = 1_000_000
"""Hands after which a match is given up."""

SLICE = {LLVM: 200_000, PYTHON: 500}
"""Hands played at a stretch: an interruption or progress waits no longer than these take."""

ROOM = 1 << 20
"""Words for notes and records of one stretch."""

TRIED = 10_000
"""Hands played to see which way is faster."""

Twins = tuple[Pairs, Any]
"""The routine for two matches at a time, and its code."""


@dataclass(frozen=True)
class Stretch:
    """What came of some matches: totals (see `tally`), hands begun, the first match not ended, and what was noted.

    `cut`: the hands ran out in the middle of it.
    """

    totals: tuple[int, ...]
    hands: int
    next: int
    cut: bool
    notes: tuple[int, ...] = ()


@cache
def best_backend() -> str:
    """`llvm` where llvmlite is there and works, else `python`."""
    try:
        if find_spec("llvmlite") is not None:
            import_module("trickproof.simulate.jit").fast_bits()
            return LLVM
    except (ImportError, OSError, RuntimeError, ValueError):
        pass
    return PYTHON


class Kernel:
    """A program ready to play.  Raises BeyondError where it has no integer form.

    `policies` as for `compiled`; with a function among them it plays in plain Python, whatever `backend` says.
    """

    def __init__(
        self,
        program: c.Program,
        policies: Sequence[Choice] = ("random",),
        backend: str = "",
        noted: bool = False,
        records: bool = False,
    ) -> None:
        self.program, self.noting = program, noted or records
        self.compiled: Compiled = compiled(program, policies, noted, records)
        asked = any(not isinstance(x, str) for x in policies)
        self.backend = PYTHON if asked else backend or best_backend()
        self._code: Any = None
        self._twins: Twins | None = None
        self._tried = self.noting or self.backend != LLVM
        """Whether pairs are there, or will never be."""
        if self.backend == LLVM:
            from trickproof.simulate.jit import machine_code

            self._code = machine_code(self.compiled.routine)
        else:
            self._function = python_function(self.compiled.routine, self.compiled.questions.ask)

    def play(
        self,
        seed: int,
        first: int,
        last: int,
        hands: int,
        parameters: Mapping[str, int] | None = None,
        readings: Mapping[str, int] | None = None,
        most: int = MOST_HANDS,
        tell: Callable[[int], None] | None = None,
        pairs: bool = False,
    ) -> Stretch:
        """Matches `first` to `last` (not included), until `hands` hands are begun; `tell` hears of hands done.

        With `pairs`, two at a time where that is possible; a waste of time if the hands are not enough for the matches.
        """
        given = {name: values[0] for name, values in self.program.parameters.items()} | dict(parameters or {})
        self.compiled.questions.parameters, self.compiled.questions.readings = given, dict(readings or {})
        words = [given[name] for name in self.compiled.parameters]
        words += [(readings or {}).get(name, 0) for name in self.compiled.readings]
        io = self._begun(seed, first, last, most)
        totals = [0] * self.compiled.plan.size
        notes: list[int] = []
        if pairs and (twins := self._pairs(words)) is not None:
            found = self._in_pairs(twins, words, io, hands, tell)
            if found is not None:
                return found
        left, step = hands, SLICE[self.backend]
        call = partial(self._called, self._code) if self._code is not None else self._interpreted
        while left > 0 and (io[places.NEXT] < last or io[places.NUMBER]):
            io[places.HANDS], io[places.NOTED], io[places.CLOSE] = min(step, left), 0, int(left <= step)
            begun = io[places.HANDS]
            io, totals, noted = call(words, io, totals)
            left -= begun - io[places.HANDS]
            notes += noted
            if tell:
                tell(hands - left)
        cut = io[places.NUMBER] != 0
        return Stretch(tuple(totals), hands - left, io[places.NEXT] - cut, cut, tuple(notes))

    def _begun(self, seed: int, first: int, last: int, most: int) -> list[int]:
        io = [0] * self.compiled.io_size
        io[places.NEXT], io[places.END], io[places.KEY] = first, last, chance.key(seed)
        io[places.MOST], io[places.ROOM] = most, ROOM
        return io

    def _pairs(self, words: list[int]) -> Twins | None:
        """The routine for two matches at a time, compiled and tried when it is first asked for."""
        if not self._tried:
            from trickproof.simulate.jit import machine_code

            self._tried = True
            made = pairs_of(self.compiled)
            if made is not None:
                twins = made, machine_code(made.routine)
                self._twins = twins if self._faster(twins, words) else None
        return self._twins

    def _faster(self, twins: Twins, words: list[int]) -> bool:
        """Whether two at a time take less time than one by one, by trying both."""
        times = [inf, inf]
        for _ in range(3):
            for way in range(2):
                io = self._begun(0, 0, 1 << 40, MOST_HANDS)
                io[places.HANDS], totals = TRIED, [0] * self.compiled.plan.size
                begin = time.thread_time()
                if way:
                    self._in_pairs(twins, words, io, TRIED, None)
                else:
                    self._called(self._code, words, io, totals)
                times[way] = min(times[way], time.thread_time() - begin)
        return times[1] < times[0]

    def _in_pairs(
        self, twins: Twins, words: list[int], io: list[int], hands: int, tell: Callable[[int], None] | None
    ) -> Stretch | None:
        """All matches; None if the hands were not enough, when it is the first matches that count."""

        def call(code: Any) -> Call:
            def called(io: list[int], totals: list[int]) -> tuple[list[int], list[int]]:
                io, totals, _ = self._called(code, words, io, totals)
                return io, totals

            return called

        playing = Pairing(twins[0], call(twins[1]), call(self._code), SLICE[LLVM])
        totals, played, ended = playing.play(
            io, [0] * self.compiled.plan.size, hands, tell or (lambda _: None)
        )
        return Stretch(tuple(totals), played, io[places.END], False) if ended else None

    def _interpreted(
        self, words: list[int], io: list[int], totals: list[int]
    ) -> tuple[list[int], list[int], list[int]]:
        notes = [0] * (ROOM + MOST_NOTES if self.noting else 0)
        self._function(words, io, totals, notes)
        return (
            [int(x) for x in io],
            [int(x) for x in totals],
            [_signed(int(x)) for x in notes[: io[places.NOTED]]],
        )

    def _called(
        self, code: Any, words: list[int], io: list[int], totals: list[int]
    ) -> tuple[list[int], list[int], list[int]]:
        from trickproof.simulate.jit import Word

        room = ROOM + MOST_NOTES if self.noting else 1
        arrays = [(Word * max(len(part), 1))(*[_signed(x) for x in part]) for part in (words, io, totals)]
        notes = (Word * room)()
        code.call(*arrays, notes)
        io, totals = list(arrays[1]), list(arrays[2])
        io[places.KEY] &= ALL
        return io, totals, list(notes[: io[places.NOTED]])


def _signed(x: int) -> int:
    return x - (ALL + 1) if x > ALL >> 1 else x
