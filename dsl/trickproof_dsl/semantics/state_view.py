"""The read-only interface of states, common to all engines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from trickproof_dsl import core as c
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.faults import Fault
from trickproof_dsl.semantics.frames import Body
from trickproof_dsl.semantics.values import Key, Value


class StateView(Protocol):
    """A match at one moment (see `semantics.state.State`), for functions that only read states."""

    @property
    def program(self) -> c.Program: ...

    @property
    def parameters(self) -> Mapping[str, int]: ...

    @property
    def readings(self) -> Mapping[str, int]: ...

    @property
    def chance(self) -> Chance: ...

    @property
    def variables(self) -> Mapping[Key, Value]: ...

    @property
    def zones(self) -> Mapping[Key, tuple[int, ...]]: ...

    @property
    def bound(self) -> Mapping[str, Value]: ...

    @property
    def events(self) -> tuple[Event, ...]: ...

    @property
    def decision(self) -> Decision | None: ...

    @property
    def fault(self) -> Fault | None: ...

    @property
    def match_over(self) -> bool: ...

    @property
    def winners(self) -> frozenset[int]: ...

    @property
    def hand_over(self) -> bool: ...

    @property
    def to_come(self) -> Body: ...

    def variable(self, name: str, *owners: int) -> Value: ...

    def cards(self, zone: str, *owners: int) -> tuple[int, ...]: ...
