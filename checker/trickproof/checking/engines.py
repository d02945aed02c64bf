"""States of either engine, each carried on by the engine that made it.

Samples and searches begin with the compiled form; what is reported, and what proofs take for granted, comes from the
reference.
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
"""A match at one moment, whichever engine made it; functions that only read one take a `StateView`."""


class Engine(Protocol):
    """Makes the state before the first statement of a match, and by that says who carries it on."""

    def __call__(
        self, program: c.Program, chance: Chance, parameters: Mapping[str, int], readings: Mapping[str, int]
    ) -> State: ...


COMPILED: Engine = compiled.initial
REFERENCE: Engine = reference.initial


def run(state: State, body: Body) -> State:
    """Carries out statements from a state that waits for nothing, up to the next decision, fault or the end."""
    return reference.run(state, body) if isinstance(state, ReferenceState) else compiled.run(state, body)


def begin_hand(state: State) -> State:
    """The hand that begins now, run to its first decision; none begins after a fault or the end of the match."""
    return run(state, state.program.hand) if not state.fault and not state.match_over else state


def between_hands(state: State) -> State:
    """A match before its next hand.  Raises ValueError when this hand is not complete or the match is over."""
    if isinstance(state, ReferenceState):
        return reference.between_hands(state)
    return compiled.between_hands(state)


def apply(state: State, choice: Value | Iterable[int]) -> State:
    """Answers the decision.  Raises ValueError when there is none or the choice is not legal."""
    if isinstance(state, ReferenceState):
        return reference.apply(state, choice)
    return compiled.apply(state, choice)
