"""A match at one moment, as an immutable value that every player and reader uses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from trickproof_dsl import core as c
from trickproof_dsl.compiled.blocks import Body, Code
from trickproof_dsl.compiled.memory import Match, Memory
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.faults import Fault
from trickproof_dsl.semantics.values import Key, Value

__all__ = ["State", "initial"]


class State:
    """Everything about a match at one moment.  Exactly one holds: a decision, a fault, or the hand is complete.

    States are never modified; `apply` and the like create new ones.  `code` is what continues after the
    decision: a state without it can be inspected, but not played.  `bound` is what is bound around the
    statements that run next.
    """

    __slots__ = ("_bound", "_memory", "code", "decision", "fault", "match")

    def __init__(
        self,
        match: Match,
        memory: Memory,
        decision: Decision | None = None,
        fault: Fault | None = None,
        code: Code | None = None,
        bound: Mapping[str, Value] | None = None,
    ) -> None:
        self.match, self._memory, self.decision, self.fault = match, memory, decision, fault
        self.code, self._bound = code, bound or {}

    def __repr__(self) -> str:
        now = "match over" if self.match_over else "hand over"
        if self.fault is not None:
            now = f"fault {self.fault.kind}"
        elif self.decision is not None:
            now = f"player {self.decision.player} has to {self.decision.label}"
        return f"<State: {len(self.events)} events, {now}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._contents() == other._contents()

    def _contents(self) -> tuple[object, ...]:
        places = self.variables, self.zones, self.bound, self._memory.loops if self.code else ()
        moment = self.chance, self.events, self._memory.winners, self.again, self.decision, self.fault
        return (*places, *moment, self.match)

    # ------------------------------------------------------------------------------------------ contents

    @property
    def program(self) -> c.Program:
        return self.match.program

    @property
    def parameters(self) -> Mapping[str, int]:
        return self.match.parameters

    @property
    def readings(self) -> Mapping[str, int]:
        """The chosen readings by rule, as indices; a missing rule takes its first reading."""
        return self.match.readings

    @property
    def chance(self) -> Chance:
        return self._memory.chance

    @property
    def variables(self) -> Mapping[Key, Any]:
        """The values of all variables."""
        return dict(zip(self.match.slots.variables, self._memory.variables, strict=True))

    @property
    def zones(self) -> Mapping[Key, tuple[int, ...]]:
        """The cards of all zones."""
        return dict(zip(self.match.slots.zones, self._memory.zones, strict=True))

    @property
    def bound(self) -> Mapping[str, Value]:
        """The names bound by the running statements, with their values."""
        return self._bound if self.code is None else self.code.bound(self._memory)

    @property
    def to_come(self) -> Body:
        """The statements that may still run after the decision."""
        if self.decision is None or self.code is None:
            return ()
        return self.code.continuations[self.decision.binder].to_come

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of this hand so far."""
        return tuple(self._memory.events)

    @property
    def match_over(self) -> bool:
        return self._memory.winners is not None

    @property
    def winners(self) -> frozenset[int]:
        """The winners of the match; empty until it is over."""
        return self._memory.winners or frozenset()

    @property
    def again(self) -> bool:
        """Whether a complete hand is dealt again, without the steps between hands."""
        return self._memory.again

    @property
    def hand_over(self) -> bool:
        return self.decision is None and self.fault is None

    def variable(self, name: str, *owners: int) -> Any:
        return self._memory.variables[self.match.slots.variables[(name, *owners)]]

    def cards(self, zone: str, *owners: int) -> tuple[int, ...]:
        return self._memory.zones[self.match.slots.zones[(zone, *owners)]]

    def prospect(self, among: Collection[str] | None = None) -> tuple[object, ...] | None:
        """Everything that the rest of the hand depends on; equal ones can be played alike.

        Of the variables, only those `among` the given ones, if any are given. None if nothing follows a choice, or if
        cards may still be dealt.
        """
        body, memory = self.to_come, self._memory
        needs = _needs(body) if body else None
        if needs is None or self.code is None:
            return None
        names, loops = self.code.names, self.code.loops
        bound = [memory.bound[names[name]] for name in needs.names if name in names]
        rounds = [memory.loops[loops[t]] for t in needs.loops if t in loops]
        readings = [self.readings.get(rule, 0) for rule in needs.readings]
        values = zip(self.match.slots.variables, memory.variables, strict=True)
        matter = [value for key, value in values if among is None or key[0] in among]
        places = *matter, *map(frozenset, memory.zones), *bound, *rounds, *readings
        return self.decision, places, tuple(self.parameters.items())

    # -------------------------------------------------------------------------------------------- copies

    def memory(self) -> Memory:
        """A copy of the contents."""
        return self._memory.copy()

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
        again: bool | None = None,
    ) -> State:
        """The same moment with some contents replaced; variables and zones unknown to the program are ignored.

        `bound` is for a state without a pending decision.
        """
        match, memory = self.match, self.memory()
        if program is not None or readings is not None:
            program, readings = program or match.program, match.readings if readings is None else readings
            match = Match(program, match.parameters, readings)
        if match.slots is not self.match.slots:
            memory = _blank(match, memory)
            _put(match, memory, self.variables, self.zones)
        _put(match, memory, variables or {}, zones or {})
        memory.chance = chance or memory.chance
        memory.again = memory.again if again is None else again
        memory.events = memory.events if events is None else list(events)
        bound = self._bound if bound is None else bound
        return State(match, memory, decision or self.decision, self.fault, self.code, bound)


class _Needs(NamedTuple):
    """The bound names and the readings that statements read, and the identities of their loops."""

    names: tuple[str, ...]
    readings: tuple[str, ...]
    loops: tuple[int, ...]


@cached_by_identity(400)
def _needs(body: Body) -> _Needs | None:
    """What statements read besides variables and zones; None if they deal cards."""
    nodes = list(walk(body))
    loops = tuple([id(x) for x in nodes if isinstance(x, c.Loop | c.Until)])
    if any(isinstance(x, c.Deal | c.Shuffle) for x in nodes):
        return None
    names = {x.name for x in nodes if isinstance(x, c.Local)}
    readings = {x.rule for x in nodes if isinstance(x, c.Reading)}
    return _Needs(tuple(sorted(names)), tuple(sorted(readings)), loops)


def initial(
    program: c.Program,
    chance: Chance | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    variables: Mapping[Key, Value] | None = None,
) -> State:
    """A match before its first statement: all variables initial (or as given), all cards in the deck."""
    chosen = program.defaults | dict(parameters or {})
    match = Match(program, chosen, dict(readings or {}))
    memory = _blank(match, Memory([], [], [], [], [], chance or Chance()))
    _put(match, memory, variables or {}, {})
    return State(match, memory)


def _blank(match: Match, memory: Memory) -> Memory:
    """A copy of a memory with every variable initial and every card in the deck."""
    memory.variables, memory.zones = [*match.slots.initial], [()] * len(match.slots.zones)
    memory.zones[match.slots.deck] = tuple(range(len(match.program.deck.cards)))
    return memory


def _put(
    match: Match,
    memory: Memory,
    variables: Mapping[Key, Value],
    zones: Mapping[Key, tuple[int, ...]],
) -> None:
    """Write the given variables and zones into a memory, ignoring those that the program does not have."""
    slots = match.slots
    for key, value in variables.items():
        if key in slots.variables:
            memory.variables[slots.variables[key]] = value
    for zone, cards in zones.items():
        if zone in slots.zones:
            memory.zones[slots.zones[zone]] = cards
