"""Hands that can be played again under any copy of a program: what they begin with, and the choices made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trickproof.vectors.instrumentation import NOTED
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, run, start
from trickproof_dsl.compiled.state import State, initial
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Key, Value, uncarried

Chooser = Callable[[State, Decision], Value]


@dataclass(frozen=True, slots=True)
class Hand:
    """`carried` holds every carried variable as the hand finds it; `choices` may stop anywhere."""

    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    carried: Mapping[Key, Value]
    chance: Chance
    choices: tuple[Value, ...] = ()

    def begun(self, program: c.Program) -> State:
        """The hand up to its first decision."""
        return start(program, self.chance, self.parameters, self.readings, self.carried)

    def played(self, program: c.Program) -> State:
        """The hand after its choices."""
        state = self.begun(program)
        for choice in self.choices:
            state = apply(state, choice)
        return state


def first(
    program: c.Program,
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
    variables: Mapping[Key, Value],
    chance: Chance,
) -> Hand:
    """The first hand of a match; `variables` override what it starts with."""
    state = run(initial(program, chance, parameters, readings), program.setup)
    starting = (
        state.variables if state.fault is None else initial(program, chance, parameters, readings).variables
    )
    return Hand(parameters, readings, carried({**starting, **variables}, program), chance)


def between(state: State) -> State:
    """A complete hand, after the steps that lead to the next; what is not carried of the program's own is fresh."""
    program = state.program
    ended = state.but(bound={}, events=(), again=False)
    after = ended if state.again else run(ended, program.between)
    fresh = {key: x for key, x in uncarried(program).items() if not key[0].startswith(NOTED)}
    return after if after.fault or after.match_over else after.but(variables=fresh)


def carried(variables: Mapping[Key, Value], program: c.Program) -> dict[Key, Value]:
    """What of some variables is carried from hand to hand."""
    names = {name for name, info in program.variables.items() if info.carried}
    return {key: value for key, value in variables.items() if key[0] in names}
