"""The result of comparing one rule: its status, how it differs, and under which readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from trickproof.checking.verdict import Method
from trickproof.diff.witnesses.parting import Direction, Parting
from trickproof.diff.witnesses.pre_play import Case

Status = Literal["same", "different", "undecided", "incomparable"]

UNREACHED, SAME_TEXT = "neither game reaches it", "the same rule"
"""Why rules are the same at sight."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a rule differs: `when` is the condition in words, `cases` the initial states."""

    how: str
    cases: tuple[Case, ...] = ()
    parting: Parting | None = None
    when: str | None = None
    beginnings: int = 0
    """The number of initial states of a deal concerned; 0 if not counted."""
    possible: int = 0
    """The number of initial states that were compared; 0 if not counted."""
    sometimes: bool = False
    """Whether from these states it depends on the cards whether it differs at all."""


@dataclass(frozen=True, slots=True)
class Readings:
    """One reading per rule for each side, and the result of comparing them."""

    a: Mapping[str, int]
    b: Mapping[str, int]
    status: Status


@dataclass(frozen=True)
class Compared:
    """The result for one rule; `complete` if the `ways` are proved exhaustive for `game`, a ruleset id."""

    aspect: str
    status: Status
    method: Method
    why: str = ""
    ways: tuple[Way, ...] = ()
    complete: bool = True
    direction: Direction | None = None
    readings: tuple[Readings, ...] = ()
    game: str = ""
    jointly: tuple[str, ...] = ()
    """The aspects compared jointly, including this one: what differs is the effect of changing them all."""

    @property
    def parting(self) -> Parting | None:
        """The smallest deal of all ways, preferably one without an earlier divergence."""
        shown = [way.parting for way in self.ways if way.parting is not None]
        return min(shown, key=_size) if shown else None

    def same_as(self, other: Compared) -> bool:
        """Whether this result and another come from the same joint comparison."""
        return other.aspect in self.jointly and bool(self.ways) and self.ways == other.ways


def _size(parting: Parting) -> tuple[bool, bool, int, int]:
    """Sort key: earlier divergence, visibility in the events or state, cards exchanged, moves."""
    scenario = parting.answers.scenario
    exchanged = sum(max(0, x) for x in scenario.get("over", []))
    return parting.masked, not parting.answers.part, exchanged, len(scenario.get("moves", []))
