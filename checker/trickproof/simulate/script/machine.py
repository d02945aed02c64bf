"""Runs a program that follows scripts, as machine code or plain Python, with the same results."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from trickproof.information.record import HOLE
from trickproof.simulate.backends.python import python_function
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


@dataclass(frozen=True)
class Setting:
    """What the trials of one decision have in common.

    `record` has holes; `holes` gives two positions in it for each hidden movement (equal if there is only
    one); `plan`, `known`, `shares` and `swaps` (see `exchanges`) come from a sampler.  The value of a hand is the points of `team` (a
    mask) minus `before`.  `styles` has a word for each player (`policies.auto`); empty if all play at random.
    """

    header: Sequence[int]
    record: Sequence[int]
    holes: Sequence[tuple[int, int]]
    plan: Sequence[int]
    known: Sequence[int]
    shares: Sequence[tuple[int, int, int]]
    team: int
    before: int
    styles: Sequence[int] = ()
    swaps: Sequence[int] = ()

    def joined(self, pack: Callable[[Sequence[int]], Packed]) -> tuple[Packed, list[int]]:
        """The words passed to all its trials, and where each part ends; the record and the plan, which are long, may be packed."""
        begin = len(self.header)
        joined = pack(self.header) + pack(self.record)
        record = len(joined)
        joined += pack(self.plan)
        plan = len(joined)
        words = [*self.known]
        for one, other in self.holes:
            words += (begin + one, begin + other)
        holes = len(words)
        for share in self.shares:
            words += share
        shares, known = len(words), len(self.known)
        joined += pack([*words, *self.swaps])
        return joined, [record, plan, plan + known, plan + holes, plan + shares, len(joined)]


class Sums(NamedTuple):
    """Number of hands played with a candidate, the sum of their points, and of the squares."""

    number: int
    total: int
    squares: int


class Round(NamedTuple):
    """Trials of the best candidates so far in a number of new worlds."""

    worlds: int
    candidates: int
    stream: int


class Trial:
    """What became of trials."""

    def __init__(self, totals: Totals, io: Sequence[int]) -> None:
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
        self._run = _compiled(script) if backend == LLVM else _interpreted(script)
        self.packed: Callable[[Sequence[int]], Packed] = _words if backend == LLVM else list
        """Words as the program reads them."""
        self._random = [RANDOM] * self.players
        self._no_trials: Packed = self.packed([0] * (IO_WORDS + self.players))
        self._latest: tuple[Setting, Packed, list[int]] | None = None
        """The setting of the last trials, with its words as passed to the program, and where each part ends."""
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
        self._params = self.packed([*words, *(lines or line_words(self.script.form.program, {})), 0])

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
        io = self._no_trials[:]
        io[0], io[1] = len(jobs), JOB_WORDS * len(jobs)
        totals = list(self._run(self._params, io, width * len(jobs), self.packed(words))[0])
        return [Result(*totals[i : i + width]) for i in range(0, width * len(jobs), width)]

    def probed(self, script: Packed, first: int, item: int, masks: Sequence[int]) -> list[int | None]:
        """The answers at an item of a record, with each of these cards in the place of the player's.

        `script` has the record between `PROBES` words, which are overwritten, and a word that is 0; `first` is the position of
        the first item.  None if the rules do not lead to the item.
        """
        begin, end, item = PROBES + first, len(script) - 1, PROBES + item
        words: list[int] = []
        for mask in masks:
            words += (begin, end, HOLE, 0, item, mask)
        script[: len(words)] = self.packed(words)
        io = self._no_trials
        io[0], io[1] = len(masks), PROBES
        size = RESULT_WORDS * len(masks)
        totals = self._run(self._params, io, size, script)[0]
        return [totals[i + 2] if totals[i] == ANSWERED else None for i in range(0, size, RESULT_WORDS)]

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
        rounds = (Round(number, len(candidates), stream),) if number else ()
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
        movements = len(setting.holes)
        if self._latest is None or self._latest[0] is not setting:
            self._latest = setting, *setting.joined(self.packed)
        _, words, (plan, known, holes, shares, swaps, tried) = self._latest
        record = len(setting.header)
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
        io = [0, 0, len(rounds), rounds_at, record, record + len(setting.record), len(candidates), tried]
        io += (len(given), given_at, plan if setting.plan and tries else 0, movements, known)
        io += (holes, len(setting.shares), shares, tries)
        io += (swaps if setting.swaps else 0, setting.team, setting.before, sign, 0, 0, 0, 0, 0)
        io += setting.styles or self._random
        size = (SUMS + 1) * len(candidates) + wanted * (movements + 1)
        words += self.packed(more)
        return Trial(*self._run(self._params, io, size, words))


Totals: TypeAlias = "array[int] | list[int]"

Run = Callable[[Packed, Packed, int, Packed], tuple[Totals, Sequence[int]]]
"""Takes parameters, `io`, the number of words of totals, and scripts (a list, or an array of words); returns
totals and `io`.
"""


def _interpreted(script: ScriptProgram) -> Run:
    function = python_function(script.routine)

    def run(params: Packed, io: Packed, size: int, words: Packed) -> tuple[Totals, Sequence[int]]:
        totals = [0] * size
        function(params, io, totals, words)
        return [int(x) for x in totals], [int(x) for x in io]

    return run


def _compiled(script: ScriptProgram) -> Run:
    from trickproof.simulate.backends.jit import machine_code

    code = machine_code(script.routine)

    def run(params: Packed, io: Packed, size: int, words: Packed) -> tuple[Totals, Sequence[int]]:
        totals, io_words = array("q", bytes(8 * max(size, 1))), _words(io)
        code.run(params, io_words, totals, words)
        return totals, io_words

    return run


def _words(words: Sequence[int]) -> array[int]:
    """An array of signed words; masks and streams may be given unsigned."""
    if isinstance(words, array):
        return words
    try:
        return array("q", words)
    except OverflowError:
        return array("q", [x - (ALL + 1) if x > ALL >> 1 else x for x in words])
