"""A match at one moment, as an immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trickproof_dsl import core as c
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.faults import Fault
from trickproof_dsl.semantics.frames import Body, Frame
from trickproof_dsl.semantics.values import Key, Value, initial_values, zone_keys


@dataclass(frozen=True, slots=True)
class Match:
    """The data that are constant throughout a match.  A rule missing from `readings` takes its first reading."""

    program: c.Program
    parameters: Mapping[str, int]
    readings: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a match at one moment.  Exactly one holds: a decision, a fault, or the hand is complete.

    `bound` has the names that statements have bound, `frames` the running blocks, outermost first; both are
    empty unless there is a decision.  `events` are those of this hand.  `won_by` is None until the match is
    over; `again` means that a complete hand is dealt again.
    """

    match: Match
    chance: Chance
    variables: Mapping[Key, Value]
    zones: Mapping[Key, tuple[int, ...]]
    bound: Mapping[str, Value]
    frames: tuple[Frame, ...] = ()
    events: tuple[Event, ...] = ()
    won_by: frozenset[int] | None = None
    again: bool = False
    decision: Decision | None = None
    fault: Fault | None = None

    def __repr__(self) -> str:
        now = "match over" if self.match_over else "hand over"
        if self.fault is not None:
            now = f"fault {self.fault.kind}"
        elif self.decision is not None:
            now = f"player {self.decision.player} has to {self.decision.label}"
        return f"<State: {len(self.events)} events, {now}>"

    @property
    def program(self) -> c.Program:
        """The rules in play."""
        return self.match.program

    @property
    def parameters(self) -> Mapping[str, int]:
        """The values of all parameters of the match."""
        return self.match.parameters

    @property
    def readings(self) -> Mapping[str, int]:
        """The chosen readings by rule, as indices; a missing rule takes its first reading."""
        return self.match.readings

    @property
    def match_over(self) -> bool:
        """Whether the match is over."""
        return self.won_by is not None

    @property
    def winners(self) -> frozenset[int]:
        """The winners of the match; empty until it is over."""
        return self.won_by or frozenset()

    @property
    def hand_over(self) -> bool:
        """Whether the hand is complete."""
        return self.decision is None and self.fault is None

    @property
    def to_come(self) -> Body:
        """The statements that may still run, including the bodies of running loops."""
        later: list[c.Stmt] = []
        for frame in reversed(self.frames):
            later += [*frame.body[frame.index :], *([] if frame.loop is None else [frame.loop])]
        return tuple(later)

    def variable(self, name: str, *owners: int) -> Value:
        """The value of a variable."""
        return self.variables[(name, *owners)]

    def cards(self, zone: str, *owners: int) -> tuple[int, ...]:
        """The cards of a zone, in order."""
        return self.zones[(zone, *owners)]

    def but(
        self,
        *,
        program: c.Program | None = None,
        readings: Mapping[str, int] | None = None,
        chance: Chance | None = None,
        variables: Mapping[Key, Value] | None = None,
        zones: Mapping[Key, tuple[int, ...]] | None = None,
        bound: Mapping[str, Value] | None = None,
        events: tuple[Event, ...] | None = None,
        decision: Decision | None = None,
    ) -> State:
        """The same moment with some contents replaced; undeclared variables and zones are ignored.

        `bound` is what is bound around the statements that run next.
        """
        match = Match(
            program or self.program, self.parameters, self.readings if readings is None else readings
        )
        known = (
            (self.variables, self.zones) if program is None else (initial_values(program), zone_keys(program))
        )
        all_variables, all_zones = {**self.variables, **(variables or {})}, {**self.zones, **(zones or {})}
        return replace(
            self,
            match=match,
            chance=chance or self.chance,
            variables={key: all_variables.get(key) for key in known[0]},
            zones={key: all_zones.get(key, ()) for key in known[1]},
            bound=self.bound if bound is None else bound,
            events=self.events if events is None else events,
            decision=decision or self.decision,
        )
