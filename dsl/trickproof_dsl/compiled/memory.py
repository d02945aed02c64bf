"""What compiled statements read and write: the match they belong to, and the contents of one of its moments."""

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
"""What a name holds before it is bound: no value of a game, and itself again when it has been pickled."""

Bound = Value | EllipsisType


@dataclass(slots=True)
class Match:
    """What stays the same throughout a match."""

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
    """The contents of a moment: a state never changes its own, statements are carried out on a copy.

    `variables` and `zones` lie in the slots of the program, `bound` and `loops` in those of the statements under way:
    what names are bound to, and what loops have still to go through (of an `until`, the number of rounds).  `winners` is
    None while the match is not over; `again` says that a complete hand is dealt again.  `rounds` and `elements` count rounds of loops and elements gone through since the
    last decision.
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
        """Another with the same contents, in which nothing has been counted."""
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
