"""Complete simulations: a ruleset and a request in, an `Outcome` out."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from trickproof.simulate.ir.calling_convention import FIRST, TOO_WIDE, TOO_WIDE_SET, Facts
from trickproof.simulate.ir.counter_layout import MOST_CODES
from trickproof.simulate.runtime.executor import Executor, SerialExecutor, StoppedError
from trickproof.simulate.runtime.game import Game, game_of
from trickproof.simulate.runtime.machine import Machine, best_backend
from trickproof.simulate.runtime.scheduler import LENGTH, Request, Result, Scheduler, usual_chunk
from trickproof.simulate.statistics.estimates import Counts
from trickproof.simulate.statistics.outcome import Broken, Outcome, Paired
from trickproof.simulate.statistics.paired_difference import paired_differences, records
from trickproof_dsl.plain_mode import plain_mode

if TYPE_CHECKING:
    from trickproof_dsl.library import Ruleset

MOST_PROCESSES = 8
"""Maximum number of processes unless more are requested."""


class NothingToCompareError(Exception):
    """Two rulesets whose deals cannot be paired, with the reason."""


class Simulation:
    """A simulation of one ruleset; `outcome` reports what has been counted so far, at any time.

    `machine`: the machine that plays it, if one already exists.
    """

    def __init__(
        self,
        ruleset: Ruleset | Game,
        request: Request,
        backend: str = "",
        result: Result | None = None,
        machine: Machine | None = None,
    ) -> None:
        self.game = ruleset if isinstance(ruleset, Game) else game_of(ruleset)
        self.request, self.backend = request, backend or best_backend()
        self.run = Scheduler(self.game, request, self.backend, result, machine)
        self.seconds, self.earlier = 0.0, self.run.result.hands

    def play(self, executor: Executor, tell: Callable[[Result], None] | None = None) -> Outcome:
        """Play to the end; after a KeyboardInterrupt, `outcome` has what was counted."""
        begin = time.perf_counter()
        try:
            self.run.play(executor, tell)
        finally:
            self.seconds += time.perf_counter() - begin
        return self.outcome()

    def outcome(self) -> Outcome:
        """The counts so far."""
        result, facts = self.run.result, self.run.machine.facts
        counts = Counts(facts.counters, result.totals)
        names = self.game.readings
        chosen = {rule: names[rule][at] for rule, at in self.request.readings.items()}
        return Outcome(
            self.game.id,
            self.game.title,
            tuple(
                x if isinstance(x, str) else getattr(x, "__name__", "function") for x in self.request.policies
            ),
            self.request.seed,
            self.run.machine.backend,
            {**facts.parameters, **self.request.parameters},
            chosen,
            counts,
            broken(facts, result.totals),
            tuple(result.left_out),
            self._seconds(),
            result.hands,
        )

    def _seconds(self) -> float:
        """Estimated time for all deals, those of earlier runs included; 0 if none was played now."""
        hands = self.run.result.hands
        return self.seconds * hands / (hands - self.earlier) if hands > self.earlier else 0.0


def crew_for(request: Request, backend: str = "", workers: int | None = None) -> Executor:
    """An executor with several processes on this machine, or this process alone if there is little to do."""
    several = workers or min(os.cpu_count() or 1, MOST_PROCESSES)
    chunk = usual_chunk(request, backend or best_backend())
    hands = request.hands or (request.matches or 0) * LENGTH
    return executor_of(1 if workers is None and hands <= chunk else several)


def executor_of(workers: int) -> Executor:
    """An executor with that many processes on this machine; this process alone for one, and in plain mode."""
    if plain_mode() or workers == 1:
        return SerialExecutor()
    from trickproof.simulate.runtime.process_executor import ProcessExecutor

    return ProcessExecutor(workers)


def broken(facts: Facts, totals: Sequence[int]) -> tuple[Broken, ...]:
    """The number of deals in which the rules failed at run time, or the simulator gave up, by place."""
    at, breakdowns = facts.counters.offsets["left"], []
    for code, hands in enumerate(totals[at : at + MOST_CODES]):
        if not hands:
            continue
        if code == TOO_WIDE:
            breakdowns.append(Broken(TOO_WIDE_SET, "", 0, hands))
        elif code - FIRST < len(facts.fault_origins):
            blame = facts.fault_origins[code - FIRST]
            breakdowns.append(Broken(blame.kind, blame.rule, blame.line, hands))
        else:
            breakdowns.append(Broken("other breakdowns", "", 0, hands))
    return tuple(breakdowns)


def paired(
    a: Ruleset | Game,
    b: Ruleset | Game,
    request: Request,
    executor: Executor,
    backend: str = "",
    tell: Callable[[str, int, int], None] | None = None,
    other: Request | None = None,
    limit: int | None = None,
) -> Paired:
    """Play both rulesets in the same matches, on the same deals: all that end (in the first) within the
    request and, if there is a `limit`, in the second within that number of deals.

    `tell` is called with the game being played, the amount done and the total.
    `other`: the request for the second ruleset, if its parameters and readings differ.  Raises
    NothingToCompareError if the rulesets differ in their number of players, or no match ends within the
    deals; StoppedError if a part could not be played.
    """
    a, b = (x if isinstance(x, Game) else game_of(x) for x in (a, b))
    if a.players != b.players:
        raise NothingToCompareError(f"{a.id} has {a.players} players, {b.id} {b.players}")
    for game in (a, b):  # compiled once: processes started from now on have both machines
        Simulation(game, replace(request, records=True), backend)
    sides: list[Simulation] = []

    def played(game: Game, part: Request) -> Outcome:
        of, nth = part.matches or part.hands or 1, len(sides)

        def watch(result: Result) -> None:
            done = max(
                result.next if part.matches else 0, result.hands * of // part.hands if part.hands else 0
            )
            if tell is not None:
                tell(game.id, nth * of + min(of, done), 2 * of)

        sides.append(Simulation(game, replace(part, records=True, whole=True), backend))
        return sides[-1].play(executor, watch)

    first = played(a, request)
    matches = sides[0].run.result.next
    if not matches:
        raise NothingToCompareError(f"no match of {a.id} ends within the deals ({request.hands})")
    second = played(b, replace(other or request, hands=limit, matches=matches))
    if (shared := sides[1].run.result.next) < matches and not second.left_out:
        if not shared:
            raise NothingToCompareError(f"no match of {b.id} ends within the deals ({limit})")
        tell, sides = None, sides[1:]
        first = played(a, replace(request, hands=None, matches=shared))
        sides.reverse()
    if lost := [*first.left_out, *second.left_out]:
        raise StoppedError(f"a part could not be played: {lost[0]}")
    plans = [side.run.machine.facts.counters.measures for side in sides]
    measures = [name for name in plans[0] if name in plans[1]]
    lines = [
        _chosen(records(side.run.result.notes, plan), plan, measures)
        for side, plan in zip(sides, plans, strict=True)
    ]
    return Paired(first, second, paired_differences(lines[0], lines[1], measures))


def _chosen(
    lines: Sequence[tuple[int, ...]], plan: Sequence[str], measures: Sequence[str]
) -> list[tuple[int, ...]]:
    """The records, restricted to the measures that both sides have."""
    at = [2 + plan.index(name) for name in measures]
    return [(*line[:2], *[line[i] for i in at]) for line in lines]
