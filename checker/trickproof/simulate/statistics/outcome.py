"""The outcome of a simulation: how it was played, and what was counted.

An `Outcome` is data about one ruleset with one choice of parameters, readings and policies; a `Paired` is two
of them dealt the same cards.  Both hold all that a report or a figure needs; nothing is played or printed
here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trickproof.english.seats import seat_names
from trickproof.simulate.ir.calling_convention import LIMIT, TOO_WIDE_SET
from trickproof.simulate.statistics.estimates import Counts
from trickproof.support.confidence_intervals import Estimate

LENGTH = "length"
"""The number of hands of a match, in `Paired.differences` beside the per-hand measures."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A way in which hands were aborted: a fault (`trickproof_dsl.core.faults`) or limit, where, and how often."""

    kind: str
    rule: str
    line: int
    hands: int

    @property
    def is_limit(self) -> bool:
        """Whether the simulator gave up, which says nothing about the rules."""
        return self.kind in (LIMIT, TOO_WIDE_SET)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome for one ruleset."""

    ruleset: str
    title: str
    policies: tuple[str, ...]
    """One for all seats, or one per seat, the dealer's first."""
    seed: int
    backend: str
    parameters: Mapping[str, int]
    readings: Mapping[str, int | str]
    counts: Counts
    breakdowns: tuple[Broken, ...]
    left_out: tuple[str, ...]
    """The chunks that could not be played, described in text."""
    seconds: float
    """Time that playing took; 0 if it was not measured."""
    hands: int
    """Hands begun; slightly more than those counted if the rules failed at run time."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Seat names, the dealer's first; player indices if nobody deals."""
        plan = self.counts.plan
        return seat_names(plan.players) if plan.seat else tuple(f"player {p}" for p in range(plan.players))

    @property
    def broken(self) -> int:
        """Hands in which the rules failed at run time."""
        return self.counts.broken - sum(x.hands for x in self.breakdowns if x.is_limit)

    @property
    def by_frequency(self) -> list[Broken]:
        """Runtime faults and limits that occurred, the most frequent first."""
        return sorted(self.breakdowns, key=lambda x: (-x.hands, x.kind, x.rule, x.line))

    @property
    def policy(self) -> str:
        """The policy as text, per seat if they differ."""
        if len(set(self.policies)) == 1:
            return self.policies[0]
        return ", ".join(f"{seat} {name}" for seat, name in zip(self.seats, self.policies, strict=True))

    @property
    def hands_per_second(self) -> float | None:
        """None if nothing was measured."""
        return self.hands / self.seconds if self.hands and self.seconds > 0 else None


@dataclass(frozen=True, slots=True)
class Paired:
    """Two rulesets, or one configured in two ways, dealt the same cards; `differences` are B − A.

    They are by measure (see `paired_difference.py`) and `LENGTH`.
    """

    a: Outcome
    b: Outcome
    differences: Mapping[str, Estimate]
