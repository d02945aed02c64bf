"""States of either engine, each continued by the engine that created it.

Random play and searches start with the compiled form; whatever is reported, or assumed by proofs, comes from
the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as compiled
from trickproof_dsl.semantics import machine as reference
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.frames import Body
from trickproof_dsl.semantics.state import State as ReferenceState
from trickproof_dsl.semantics.values import Value

State = compiled.State | ReferenceState
"""A match at one moment, created by either engine; functions that only read it take a `StateView`."""


class Engine(Protocol):
    """Creates the state before the first statement of a match, and thereby selects the engine that continues it."""

    def __call__(
        self, program: c.Program, chance: Chance, parameters: Mapping[str, int], readings: Mapping[str, int]
    ) -> State: ...


COMPILED: Engine = compiled.initial
REFERENCE: Engine = reference.initial


def run(state: State, body: Body) -> State:
    """Execute statements from a state that awaits no decision, up to the next decision, fault or the end."""
    return reference.run(state, body) if isinstance(state, ReferenceState) else compiled.run(state, body)


def begin_hand(state: State) -> State:
    """Begin the next deal and run it to its first decision; unchanged after a fault or the end of the match."""
    return run(state, state.program.hand) if not state.fault and not state.match_over else state


def between_hands(state: State) -> State:
    """A match before its next deal. Raises ValueError if this deal is not complete or the match is over."""
    if isinstance(state, ReferenceState):
        return reference.between_hands(state)
    return compiled.between_hands(state)


def apply(state: State, choice: Value | Iterable[int]) -> State:
    """Answer the decision. Raises ValueError if there is none or the choice is not legal."""
    if isinstance(state, ReferenceState):
        return reference.apply(state, choice)
    return compiled.apply(state, choice)
