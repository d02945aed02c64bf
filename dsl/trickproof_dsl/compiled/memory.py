"""The mutable data of compiled statements: the match, and the contents of one of its states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import EllipsisType

from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import Slots, slots_of
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.values import Value

UNBOUND = ...
"""The content of an unbound name: not a value of any game, and preserved by pickling."""

Bound = Value | EllipsisType


@dataclass(slots=True)
class Match:
    """The data that are constant throughout a match."""

    program: c.Program
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    slots: Slots = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.slots = slots_of(self.program)

    def __reduce__(self) -> tuple[type[Match], tuple[object, ...]]:
        return Match, (self.program, self.parameters, self.readings)


@dataclass(slots=True)
class Memory:
    """The contents of a state: a state never modifies its own; statements run on a copy.

    `variables` and `zones` are indexed by the slots of the program, `bound` and `loops` by those of the
    running statements: the values of bound names, and the remaining iterations of loops (for `until`, their
    number).  `winners` is None until the match is over; `again` means that a complete hand is dealt again.
    `rounds` and `elements` count iterations of loops and elements visited since the last decision.
    """

    variables: list[Value]
    zones: list[tuple[int, ...]]
    bound: list[Bound]
    loops: list[int | tuple[int, ...]]
    events: list[Event]
    chance: Chance
    winners: frozenset[int] | None = None
    again: bool = False
    rounds: int = field(default=0, compare=False)
    elements: int = field(default=0, compare=False)

    def copy(self) -> Memory:
        """A copy of the contents, with the counts at 0."""
        return Memory(
            self.variables.copy(),
            self.zones.copy(),
            self.bound.copy(),
            self.loops.copy(),
            self.events.copy(),
            self.chance,
            self.winners,
            self.again,
        )
