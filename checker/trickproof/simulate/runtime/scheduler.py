"""Large runs: split into chunks of matches, played by any executor, summed in order.

The result depends only on the program, the policies, the seed and the number requested: chunks are disjoint
sets of matches, totals are integers, and where the hands run out is determined match by match, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trickproof.simulate.ir.calling_convention import LLVM, Choice, Facts, searches
from trickproof.simulate.runtime.executor import Executor, LostError, StoppedError
from trickproof.simulate.runtime.game import Game
from trickproof.simulate.runtime.jobs import Job, register_machine, registered_machine
from trickproof.simulate.runtime.machine import MOST_HANDS, ChunkResult, Machine

CHUNK = {LLVM: 800_000}
FEW = 4_000
"""Target number of hands per chunk, by back end; `FEW` for those not in `CHUNK`."""

SEARCHED = 1_200
"""Target number of hands per chunk if a policy searches, times its rollouts for a decision."""

AT_FIRST = 8
"""Matches in the first chunk, from which the mean length of a match is estimated."""

LENGTH = 30.0
"""Estimated hands per match until then."""

MOST_LOST = 20
"""Chunks that may be omitted before the run is given up."""

LONGEST_REASON = 500
"""Maximum length, in characters, of the reason given for an omitted chunk."""

NO_END = 1 << 62

INTERLEAVE_FROM, SHORT = 1_000_000, 800
"""Hands from which compiling a program of `SHORT` statements for interleaved matches pays off.

Compile time is roughly quadratic in the number of statements.
"""

SOME, MANY, NEARLY_ALL = 20_000, 400, 0.92
"""Minimum hands and matches of an interleaved chunk, and the largest fraction of the remaining hands that it
may use.
"""


@dataclass(frozen=True)
class Request:
    """What to play.  Exactly one of `hands` and `matches` is given.

    `whole`: count only the matches that end within the hands.
    """

    policies: tuple[Choice, ...] = ("random",)
    seed: int = 0
    hands: int | None = None
    matches: int | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)
    readings: Mapping[str, int] = field(default_factory=dict)
    most: int = MOST_HANDS
    records: bool = False
    whole: bool = False


@dataclass
class Result:
    """The result so far: totals, hands begun, the first match not counted, what was omitted, and notes.

    `lost`: number of omitted matches.
    """

    totals: list[int]
    hands: int = 0
    next: int = 0
    left_out: list[str] = field(default_factory=list)
    lost: int = 0
    notes: list[int] = field(default_factory=list)
    done: bool = False

    def add(self, stretch: ChunkResult) -> None:
        self.totals = [a + b for a, b in zip(self.totals, stretch.totals, strict=True)]
        self.hands += stretch.hands
        self.next = stretch.next
        self.notes += stretch.notes

    def leave_out(self, job: Job, why: LostError) -> None:
        words = " ".join(word for word in str(why)[:LONGEST_REASON].split() if word.isprintable())
        self.left_out.append(f"matches {job.first} to {job.last - 1}: {words or 'no reason told'}")
        self.lost += job.last - job.first
        self.next = job.last

    @property
    def counted(self) -> int:
        """Number of matches counted."""
        return self.next - self.lost

    def as_json(self) -> dict[str, Any]:
        return {
            "totals": self.totals,
            "hands": self.hands,
            "next": self.next,
            "left_out": self.left_out,
            "lost": self.lost,
            "notes": self.notes,
            "done": self.done,
        }


Tell = Callable[[Result], None]
"""Called with the result after every chunk that is counted."""


class Scheduler:
    """Runs one request; `machine` is used if given."""

    def __init__(
        self,
        game: Game,
        request: Request,
        backend: str,
        result: Result | None = None,
        machine: Machine | None = None,
    ) -> None:
        self.request, self.backend, self.core = request, backend, game.core
        key = game.core, request.policies, backend, request.records
        self.machine = (
            machine or registered_machine(key, game.program) or _machine_for(game, request, backend)
        )
        register_machine(key, self.machine, None if machine else game.program)
        self.result = result or Result([0] * self.machine.facts.counters.size)
        self.interleaved = worth_interleaving(request, backend, self.machine.facts)
        self.waiting: dict[int, Job] = {}
        self.back: dict[int, ChunkResult | LostError] = {}
        self.at = self.result.next
        """First match that has not been assigned."""
        self.lost = 0
        """Number of omitted chunks."""
        self.last = NO_END if request.matches is None else request.matches
        """The match after the last that counts, as far as it is known."""

    def play(self, executor: Executor, tell: Tell | None = None) -> Result:
        """Play to the end.

        After a KeyboardInterrupt, `result` has what was counted so far, and likewise after a StoppedError,
        which is raised if no worker is left or too much had to be omitted; calling `play` again resumes.
        """
        if self.interleaved and executor.shares:
            self.machine.prepare(self.request.parameters, self.request.readings)
        try:
            while not self.result.done:
                self._hand_out(executor)
                if not self.waiting:
                    self.result.done = True
                    break
                for job, result in executor.wait():
                    self.back[job.first] = result
                if self._count(executor) and tell:
                    tell(self.result)
        finally:
            executor.cancel()
            self.waiting.clear()
            self.back.clear()
            self.at = self.result.next
        return self.result

    def _hands_left(self) -> int:
        """Hands still to be counted."""
        return NO_END if self.request.hands is None else self.request.hands - self.result.hands

    def _hand_out(self, executor: Executor) -> None:
        while len(self.waiting) - len(self.back) < executor.slots and self.at < self.last:
            hands = self._hands_unassigned()
            if hands <= 0 and self.waiting:
                return
            number, interleaved = self._matches(max(hands, 1), executor.slots)
            number = min(number, self.last - self.at)
            self._ask(executor, self._job(self.at, self.at + number, self._hands_left(), interleaved))
            self.at += number

    def _hands_unassigned(self) -> float:
        """Estimated hands still needed beyond those of the outstanding jobs."""
        out = sum(job.last - job.first for job in self.waiting.values())
        if self.request.matches is not None:
            return (self.request.matches - self.at) * self._length()
        return self._hands_left() - out * self._length()

    def _length(self) -> float:
        """Estimated hands per match."""
        return max(1.0, self.result.hands / self.result.counted) if self.result.counted else LENGTH

    def _matches(self, hands: float, players: int) -> tuple[int, bool]:
        """How many matches to assign next, and whether to interleave them.

        Interleaving is for many hands, and for matches that will all be played to their ends: near the end of
        the hands, the remainder is played one by one.  With several `players`, the last chunks become
        smaller, so that all finish at about the same time.
        """
        if not self.result.counted:
            return 1 if searches(self.request.policies) else AT_FIRST, False
        chunk: float = usual_chunk(self.request, self.backend)
        if players > 1:
            chunk = min(chunk, max(hands / players, SOME))
        if not self.interleaved or hands < SOME:
            return max(1, int(min(chunk, hands) / self._length()) + 1), False
        number = int(min(chunk, hands * NEARLY_ALL) / self._length()) + 1
        return number, number >= MANY or self.request.matches is not None

    def _job(self, first: int, last: int, hands: int, interleaved: bool = False) -> Job:
        r = self.request
        return Job(
            self.core,
            r.policies,
            self.backend,
            r.seed,
            first,
            last,
            min(hands, NO_END),
            dict(r.parameters),
            dict(r.readings),
            r.most,
            r.records,
            interleaved,
        )

    def _ask(self, executor: Executor, job: Job) -> None:
        self.waiting[job.first] = job
        executor.submit(job)

    def _count(self, executor: Executor) -> bool:
        """Count the finished chunks, in order; return whether there were any."""
        counted = False
        while not self.result.done and self.result.next in self.back:
            first = self.result.next
            job, result = self.waiting[first], self.back.pop(first)
            if isinstance(result, LostError):
                del self.waiting[first]
                self.result.leave_out(job, result)
                self.lost += 1
                if self.lost >= MOST_LOST:
                    raise StoppedError(f"{MOST_LOST} parts could not be played, the last with {result}")
            elif result.hands > self._hands_left() or (
                _stopped(result, job) and result.hands < self._hands_left()
            ):
                self._ask(executor, self._job(job.first, job.last, self._hands_left()))
                return counted
            elif self.request.whole and _stopped(result, job):
                self.last = result.next
                self.result.done = self.last == first
                if not self.result.done:
                    self._ask(executor, self._job(first, self.last, self._hands_left()))
                return True
            else:
                del self.waiting[first]
                self.result.add(result)
                self.result.done = self._hands_left() <= 0 or self.result.next >= self.last
                if _stopped(result, job) and not self.result.done:
                    raise AssertionError("a chunk stopped early")
            counted = True
        return counted


def usual_chunk(request: Request, backend: str) -> int:
    """Target number of hands per chunk."""
    rollouts = [int(str(x).partition(":")[2]) for x in request.policies if searches([x])]
    return max(1, SEARCHED // max(rollouts)) if rollouts else CHUNK.get(backend, FEW)


def worth_interleaving(request: Request, backend: str, facts: Facts) -> bool:
    """Whether a request is large enough for interleaving to pay off, if it is faster at all."""
    hands = request.hands or (request.matches or 0) * 10
    enough = INTERLEAVE_FROM * max(1.0, facts.statements / SHORT) ** 2
    return backend == LLVM and not request.records and not searches(request.policies) and hands >= enough


def _machine_for(game: Game, request: Request, backend: str) -> Machine:
    from trickproof.simulate.runtime.kernel import Kernel

    return Kernel(game.program, request.policies, backend, records=request.records)


def _stopped(result: ChunkResult, job: Job) -> bool:
    """Whether the hands ran out before the matches."""
    return result.cut or result.next < job.last
