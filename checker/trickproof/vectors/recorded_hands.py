"""Deals that can be replayed under any variant of a program: their initial states and choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trickproof.vectors.instrumentation import NOTED
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import run, start
from trickproof_dsl.compiled.state import State, initial
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Key, Value, uncarried

Chooser = Callable[[State, Decision], Value]


@dataclass(frozen=True, slots=True)
class Hand:
    """`carried` has the initial value of every carried variable; `choices` may end at any point."""

    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    carried: Mapping[Key, Value]
    chance: Chance
    choices: tuple[Value, ...] = ()

    def begun(self, program: c.Program) -> State:
        """The state at the deal's first decision."""
        return start(program, self.chance, self.parameters, self.readings, self.carried)


def first(
    program: c.Program,
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
    variables: Mapping[Key, Value],
    chance: Chance,
) -> Hand:
    """The first deal of a match; `variables` override its initial values."""
    state = run(initial(program, chance, parameters, readings), program.setup)
    starting = (
        state.variables if state.fault is None else initial(program, chance, parameters, readings).variables
    )
    return Hand(parameters, readings, carried({**starting, **variables}, program), chance)


def between(state: State) -> State:
    """The state after a complete deal and the steps between deals, with uncarried variables reset."""
    program = state.program
    ended = state.but(bound={}, events=(), again=False)
    after = ended if state.again else run(ended, program.between)
    fresh = {key: x for key, x in uncarried(program).items() if not key[0].startswith(NOTED)}
    return after if after.fault or after.match_over else after.but(variables=fresh)


def carried(variables: Mapping[Key, Value], program: c.Program) -> dict[Key, Value]:
    """The carried ones of some variables."""
    names = {name for name, info in program.variables.items() if info.carried}
    return {key: value for key, value in variables.items() if key[0] in names}
