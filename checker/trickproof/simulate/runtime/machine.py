"""A compiled ruleset, ready to play consecutive matches, up to a number of deals; all counts are integers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from trickproof.simulate.ir import calling_convention as at
from trickproof.simulate.ir.calling_convention import ALL, LLVM, PYTHON, Facts
from trickproof.simulate.runtime.lanes import Call, Lanes
from trickproof_dsl.plain_mode import plain_mode

if TYPE_CHECKING:
    from trickproof.simulate.backends.jit import Code
    from trickproof_dsl import core as c

MOST_HANDS = 1_000_000
"""Hands after which a match is abandoned."""

SLICE = {LLVM: 400_000, PYTHON: 500}
"""Hands per call, which bounds the delay of interruptions and progress reports."""

ROOM = 1 << 20
"""Words for notes and records per call."""

MOST_NOTES = 40_000
"""Maximum number of words noted by one hand."""

CallResult = tuple[list[int], list[int], list[int]]
"""`io`, totals and notes after a call."""

EntryPoint = Callable[[list[int], list[int], list[int]], CallResult]
"""Play on, given the words of parameters and readings, `io` and totals."""


class CodeKeys(NamedTuple):
    """The cache keys of the code for single and for interleaved matches; the latter is empty if not faster.

    `tried`: whether that has been measured.
    """

    one: str
    several: str
    tried: bool


@dataclass(frozen=True)
class ChunkResult:
    """The result of some matches: totals (see `counter_layout`), hands begun, first match not ended, notes.

    `cut`: the hands ran out in the middle of that match.
    """

    totals: tuple[int, ...]
    hands: int
    next: int
    cut: bool
    notes: tuple[int, ...] = ()


@cache
def best_backend() -> str:
    """`llvm` if llvmlite is installed and works, otherwise, and in plain mode, `python`."""
    if plain_mode():
        return PYTHON
    try:
        if find_spec("llvmlite") is not None:
            import_module("trickproof.simulate.backends.jit").fast_bits()
            return LLVM
    except Exception:  # a broken package may raise anything when imported
        pass
    return PYTHON


class Machine:
    """A program ready to play; `program` is asked for if players need to find out how to bid."""

    def __init__(
        self, facts: Facts, backend: str, playing: EntryPoint, program: Callable[[], c.Program]
    ) -> None:
        self.facts, self.backend, self._playing, self._program = facts, backend, playing, program
        self._lines: dict[tuple[int, ...], list[int]] = {}
        """The words by which greedy players bid, by parameters and readings."""

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
        interleaved: bool = False,
    ) -> ChunkResult:
        """Play matches from `first` up to but excluding `last`, until `hands` have begun; `tell` gets the hands
        done.

        With `interleaved`, several matches are interleaved if possible; if the hands do not suffice for all
        matches, that work is wasted.
        """
        words = self._words(parameters, readings)
        io = self._begun(seed, first, last, most)
        totals = [0] * self.facts.counters.size
        notes: list[int] = []
        if interleaved and (several := self.several(words)) is not None:
            result = self._interleaved(several, words, io, hands, tell)
            if result is not None:
                return result
        remaining, step = hands, SLICE[self.backend]
        while remaining > 0 and (io[at.NEXT] < last or io[at.NUMBER]):
            io[at.HANDS], io[at.NOTED], io[at.CLOSE] = min(step, remaining), 0, int(remaining <= step)
            begun = io[at.HANDS]
            io, totals, noted = self._playing(words, io, totals)
            remaining -= begun - io[at.HANDS]
            notes += noted
            if tell:
                tell(hands - remaining)
        cut = io[at.NUMBER] != 0
        return ChunkResult(tuple(totals), hands - remaining, io[at.NEXT] - cut, cut, tuple(notes))

    def prepare(self, parameters: Mapping[str, int], readings: Mapping[str, int]) -> None:
        """Compile for interleaved matches before worker processes are forked, so that they inherit it."""
        self.several(self._words(parameters, readings))

    def _words(self, parameters: Mapping[str, int] | None, readings: Mapping[str, int] | None) -> list[int]:
        given, taken = {**self.facts.parameters, **(parameters or {})}, dict(readings or {})
        self.bind_settings(given, taken)
        words = [given[name] for name in self.facts.parameters]
        words += [taken.get(name, 0) for name in self.facts.readings]
        key = tuple(words)
        if self.facts.lines and key not in self._lines:
            self._lines[key] = self._lines_found(given, taken)
        return words + self._lines.get(key, [])

    def _lines_found(self, parameters: Mapping[str, int], readings: Mapping[str, int]) -> list[int]:
        from trickproof.search.bids import lines_of
        from trickproof.testing.bids import line_words

        program = self._program()
        return line_words(program, lines_of(program, self.backend, parameters, readings))

    def bind_settings(self, parameters: Mapping[str, int], readings: Mapping[str, int]) -> None:
        """Pass parameters and readings to callbacks and players."""

    def several(self, words: list[int]) -> EntryPoint | None:
        """The entry point for interleaved matches, if there is one and it is faster."""
        return None

    def code_keys(self) -> CodeKeys | None:
        """The keys under which later runs find its machine code; None if it is not cached."""
        return None

    def _begun(self, seed: int, first: int, last: int, most: int) -> list[int]:
        io = [0] * self.facts.io_size
        io[at.NEXT], io[at.END], io[at.KEY] = first, last, at.key(seed)
        io[at.MOST], io[at.ROOM] = most, ROOM
        return io

    def _interleaved(
        self,
        several: EntryPoint,
        words: list[int],
        io: list[int],
        hands: int,
        tell: Callable[[int], None] | None,
    ) -> ChunkResult | None:
        """Play all matches; None if the hands did not suffice, since then only the first matches may count."""
        playing = Lanes(self.facts, _unnoted(several, words), _unnoted(self._playing, words), SLICE[LLVM])
        totals, played, ended = playing.play(
            io, [0] * self.facts.counters.size, hands, tell or (lambda _: None)
        )
        return ChunkResult(tuple(totals), played, io[at.END], False) if ended else None


def _unnoted(playing: EntryPoint, words: list[int]) -> Call:
    def called(io: list[int], totals: list[int]) -> tuple[list[int], list[int]]:
        io, totals, _ = playing(words, io, totals)
        return io, totals

    return called


def in_machine_code(code: Code, tracing: bool) -> EntryPoint:
    """An entry point that calls machine code."""
    return partial(_called, code, ROOM + MOST_NOTES if tracing else 1)


def _called(code: Code, room: int, words: Sequence[int], io: list[int], totals: list[int]) -> CallResult:
    io = [*io[: at.KEY], signed(io[at.KEY]), *io[at.KEY + 1 :]]
    arrays = [array("q", part or (0,)) for part in (words, io, totals, bytes(8 * room))]
    code.run(*arrays)
    io, totals, notes = (part.tolist() for part in arrays[1:])
    io[at.KEY] &= ALL
    return io, totals, notes[: io[at.NOTED]]


def signed(x: int) -> int:
    """A 64-bit word as a signed integer."""
    return x - (ALL + 1) if x > ALL >> 1 else x
