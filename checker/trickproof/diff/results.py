"""What comes of comparing one rule: its status, the ways in which it differs, the readings under which it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from trickproof.checking.verdict import Method
from trickproof.diff.witnesses.parting import Direction, Parting
from trickproof.diff.witnesses.pre_play import Case

Status = Literal["same", "different", "undecided", "incomparable"]


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a rule differs: `when` says under which condition, `cases` which beginnings of a hand."""

    how: str
    cases: tuple[Case, ...] = ()
    parting: Parting | None = None
    when: str | None = None
    beginnings: int = 0
    """How many beginnings of a deal it is; 0 where that is not counted."""


@dataclass(frozen=True, slots=True)
class Readings:
    """One reading of each side (by rule), and what came of comparing them."""

    a: Mapping[str, int]
    b: Mapping[str, int]
    status: Status


@dataclass(frozen=True)
class Compared:
    """What became of one rule; `complete` if the `ways` are proved to be all in the game (an id) they are told of."""

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
    """The aspects that were compared together with it, itself among them: what differs is what all of them change."""

    @property
    def parting(self) -> Parting | None:
        """The smallest hand of all ways, rather one in which nothing else differs before."""
        shown = [way.parting for way in self.ways if way.parting is not None]
        return min(shown, key=_size) if shown else None

    def same_as(self, other: Compared) -> bool:
        """Whether what is said of it was worked out together with another aspect, and is said of that alike."""
        return other.aspect in self.jointly and bool(self.ways) and self.ways == other.ways


def _size(parting: Parting) -> tuple[bool, bool, int, int]:
    """Small in what a reader counts: nothing else differs, it is seen in what happens, cards exchanged, moves."""
    scenario = parting.answers.scenario
    exchanged = sum(max(0, x) for x in scenario.get("over", []))
    return parting.masked, not parting.answers.part, exchanged, len(scenario.get("moves", []))
