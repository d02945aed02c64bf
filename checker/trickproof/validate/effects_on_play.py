"""What a house rule does to play: matches of it and of its base, dealt the same cards and played at random.

The simulator plays.  Figures of both are of the same matches, as many as the base ends within the hands asked for; where
that is none, or the players differ in number, each is played by itself and nothing is set side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trickproof.simulate.ir.calling_convention import LLVM, PYTHON, BeyondError
from trickproof.simulate.runtime.executor import SerialExecutor
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.runtime.scheduler import Request
from trickproof.simulate.simulation import NothingToCompareError, Simulation, paired
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.confidence_intervals import Estimate
from trickproof_dsl.library import Ruleset

HANDS = {LLVM: 20_000, PYTHON: 1_000}
"""Hands played of the base unless told otherwise, compiled and in plain Python."""

MOST = 2_000
"""Hands after which a match is given up: a house rule may make matches very long, or endless."""

POLICY = "random"
"""How decisions are made: uniformly among what is legal (a uniform number of cards, then a uniform set)."""


@dataclass(frozen=True)
class Effects:
    """Both sides, and the difference of the tricks by seat (house less base); none where nothing can be paired."""

    seed: int
    base: Outcome
    house: Outcome
    difference: list[Estimate] = field(default_factory=list)


def effects(base: Ruleset, house: Ruleset, hands: int | None = None, seed: int = 0) -> Effects | None:
    """Plays both; None where the rules do something that the simulator cannot."""
    number = HANDS[best_backend()] if hands is None else hands
    request = Request((POLICY,), seed, number, most=MOST)
    try:
        both = paired(base, house, request, SerialExecutor())
        seats = range(base.program.players)
        differences = [both.differences[f"tricks.{s}"] for s in seats if f"tricks.{s}" in both.differences]
        return Effects(seed, both.a, both.b, differences)
    except NothingToCompareError:
        sides = [Simulation(ruleset, request).play(SerialExecutor()) for ruleset in (base, house)]
        return Effects(seed, sides[0], sides[1])
    except BeyondError:
        return None


def tricks_by_seat(outcome: Outcome) -> list[Estimate]:
    """Mean tricks of the dealer, the player on his left, …; nothing where none are counted."""
    counts = outcome.counts
    return [counts.tricks(s) for s in range(counts.plan.players)] if counts.plan.tricks else []
