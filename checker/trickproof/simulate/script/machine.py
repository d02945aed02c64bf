"""Runs a program that follows scripts, as machine code or plain Python, with the same results."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from trickproof.simulate.backends.jit import callable_of
from trickproof.simulate.ir.calling_convention import ALL, LLVM
from trickproof.simulate.policies.auto import RANDOM
from trickproof.simulate.script.follower import ANSWERED, REJECTED
from trickproof.simulate.script.planning import planner
from trickproof.simulate.script.program import JOB_WORDS, RESULT_WORDS, ScriptProgram
from trickproof.simulate.script.trials import (
    CANDIDATES,
    COMPLETE,
    DONE,
    FOUND,
    IO_WORDS,
    MOVEMENTS,
    ROUND,
    SUMS,
    SWAPPED,
    TRIED,
)
from trickproof.testing.bids import line_words

Packed: TypeAlias = Any
"""Words as the program reads them: an array for machine code, a list for plain Python."""

PROBES = JOB_WORDS * 65
"""Words for probes before a record: with one hand, and with each card added to it."""


class Job(NamedTuple):
    """One hand: its record, the first choice after it, the random stream, and the item to probe (-1: none).

    The last field is the mask of cards with which to probe.
    """

    record: int
    candidate: int
    stream: int
    probe: int = -1
    mask: int = 0


class Result(NamedTuple):
    """How a hand ended, how many words of the record it followed, and its answer.

    For a rejected hand, the answer is the word that it had in place of the record's.
    """

    left: int
    followed: int
    answer: int

    @property
    def rejected(self) -> bool:
        """Whether the hand does not fit its record."""
        return self.left == REJECTED

    @property
    def answered(self) -> bool:
        return self.left == ANSWERED


class World(NamedTuple):
    """The content of a record's holes: the random stream for simultaneous choices, and the cards of each movement."""

    stream: int
    cards: tuple[int, ...]


@dataclass(slots=True)
class Setting:
    """What the trials of one decision have in common.

    `words` are a plan, if worlds can be drawn, the variables with which the hand begins, from `header` on, and a record with holes, from
    `first` to `end`; `holes` gives two positions in it for each hidden movement (equal if there is only one); the plan, `known`,
    `shares` and `swaps` (see `exchanges`) come from a sampler.  The value of a hand is the points of `team` (a
    mask) minus `before`.  `styles` has a word for each player (`policies.auto`); empty if all play at random.
    """

    words: Packed
    header: int
    first: int
    end: int
    team: int
    before: int
    styles: Sequence[int] = ()
    known: Sequence[int] = ()
    holes: Sequence[int] = ()
    shares: Sequence[int] = ()
    swaps: Sequence[int] = ()
    parts: tuple[int, ...] = ()
    """Where the others begin that follow the record, once the machine has appended them."""

    def joined(self, pack: Callable[[Sequence[int]], Packed]) -> tuple[int, ...]:
        """Append what the machine reads besides the record."""
        if not self.parts:
            self.words = pack(self.words)
            known = len(self.words)
            holes = known + len(self.known)
            shares = holes + len(self.holes)
            self.words += pack([*self.known, *self.holes, *self.shares, *self.swaps])
            self.parts = known, holes, shares, shares + len(self.shares), len(self.words)
        return self.parts


class Sums(NamedTuple):
    """Number of hands played with a candidate, the sum of their points, and of the squares."""

    number: int
    total: int
    squares: int


Round: TypeAlias = tuple[int, int, int]
"""Trials of the best candidates so far in a number of new worlds: how many worlds and candidates, and the random stream."""


class Trial:
    """What became of trials."""

    def __init__(self, totals: Sequence[int], io: Sequence[int]) -> None:
        self._candidates, self._movements = io[CANDIDATES], io[MOVEMENTS]
        self.complete, self.done, self.number, self.tries = io[COMPLETE], io[DONE], io[FOUND], io[TRIED]
        """The number of complete rounds, of worlds in the next one, of worlds in all, and of draws."""
        self.swapped = io[SWAPPED]
        """The number of worlds found by swaps."""
        self._totals = totals

    @property
    def sums(self) -> list[Sums]:
        """Of every candidate."""
        sums = iter(self._totals[: SUMS * self._candidates])
        return list(map(Sums._make, zip(sums, sums, sums, strict=True)))

    @property
    def most(self) -> int:
        """The largest number of hands played with a candidate."""
        return max(self._totals[: SUMS * self._candidates : SUMS])

    @property
    def best(self) -> int:
        """The number of the best candidate."""
        return self._totals[SUMS * self._candidates]

    @property
    def order(self) -> list[int]:
        """The numbers of the candidates, best first; those that were dropped earlier come later."""
        return list(self._totals[SUMS * self._candidates : (SUMS + 1) * self._candidates])

    @property
    def worlds(self) -> list[World]:
        """The worlds found."""
        size, begin = self._movements + 1, (SUMS + 1) * self._candidates
        words = list(self._totals[begin : begin + self.number * size])
        return [World(words[i], tuple(words[i + 1 : i + size])) for i in range(0, len(words), size)]


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
        self.run: Callable[..., None] = callable_of(script.routine, backend)
        """The routine as a function of its arrays."""
        self.packed: Callable[[Sequence[int]], Packed] = _words if backend == LLVM else list
        """Words as the program reads them."""
        self._random = [RANDOM] * self.players
        self.no_trials: Packed = self.packed([0] * (IO_WORDS + self.players))
        self.planner = planner(backend)
        """Computes the plans by which worlds are drawn."""
        self.bind(parameters or {}, readings or {})

    def bind(
        self, parameters: Mapping[str, int], readings: Mapping[str, int], lines: Sequence[int] = ()
    ) -> None:
        """Set the parameters and readings for all later calls; those not named have their default.

        `lines`: the words by which players bid, if there are any (`search.bids`).
        """
        first = {name: values[0] for name, values in self.script.form.program.parameters.items()}
        given = {**first, **parameters}
        words = [given[name] for name in self.script.parameters]
        words += [readings.get(name, 0) for name in self.script.readings]
        self.params = self.packed([*words, *(lines or line_words(self.script.form.program, {})), 0])

    def _zeros(self, size: int) -> Packed:
        return array("q", bytes(8 * max(size, 1))) if self.backend == LLVM else [0] * size

    def play(
        self, header: Sequence[int], records: Sequence[Sequence[int]], jobs: Sequence[Job]
    ) -> list[Result]:
        """Play every job's hand, in order; records are items without the header."""
        width = RESULT_WORDS
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
        io = self.no_trials[:]
        io[0], io[1] = len(jobs), JOB_WORDS * len(jobs)
        totals = self._zeros(width * len(jobs))
        self.run(self.params, io, totals, self.packed(words))
        return [Result(*totals[i : i + width]) for i in range(0, width * len(jobs), width)]

    def tried(
        self,
        setting: Setting,
        candidates: Sequence[int],
        number: int,
        stream: int,
        tries: int,
        given: Sequence[World] = (),
    ) -> Trial:
        """Try candidates in `number` worlds: the given ones if they fit the record, then those of at most `tries` draws."""
        rounds = ((number, len(candidates), stream),) if number else ()
        return self.halved(setting, candidates, rounds, 1, tries, given)

    def halved(
        self,
        setting: Setting,
        candidates: Sequence[int],
        rounds: Sequence[Round],
        sign: int,
        tries: int,
        given: Sequence[World] = (),
    ) -> Trial:
        """Try candidates in rounds, each with the best of the round before it.

        Points are multiplied by `sign` to rank candidates.  Ends early when no more worlds are found.
        """
        movements = len(setting.holes) // 2
        known, holes, shares, swaps, tried = setting.joined(self.packed)
        words = setting.words
        del words[tried:]  # what the last trials of the setting had of their own
        rounds_at = tried + len(candidates)
        given_at = rounds_at + ROUND * len(rounds)
        more = [*candidates]
        wanted = 0
        for one in rounds:
            more += one
            wanted += one[0]
        for world in given:
            more += (world.stream, *world.cards)
        more.append(0)
        io = [0, setting.header, len(rounds), rounds_at, setting.first, setting.end, len(candidates), tried]
        io += (len(given), given_at, 1 if setting.header and tries else 0, movements, known)
        io += (holes, len(setting.shares) // 3, shares, tries)
        io += (swaps if setting.swaps else 0, setting.team, setting.before, sign, 0, 0, 0, 0, 0)
        io += setting.styles or self._random
        totals = self._zeros((SUMS + 1) * len(candidates) + wanted * (movements + 1))
        words += self.packed(more)
        io = self.packed(io)
        self.run(self.params, io, totals, words)
        return Trial(totals, io)


def _words(words: Sequence[int]) -> array[int]:
    """An array of signed words; masks and streams may be given unsigned."""
    if isinstance(words, array):
        return words
    try:
        return array("q", words)
    except OverflowError:
        return array("q", [x - (ALL + 1) if x > ALL >> 1 else x for x in words])
