"""The reference interpreter: a resumable machine over immutable states.

`start` runs to the first decision; `apply` answers it and runs to the next; `next_hand` goes on after a complete
hand.  States are values: keep one, apply two different moves to it, compare.  Chance comes from a seed or from a
given deal; choices come from outside.

What steps mean is Python text (`python_values`, `python_steps`, `python_blocks`), in two forms.  The bare one is carried
out; should it raise anything, the careful one is carried out instead, from the same values: it tells how the rules break
down, or that they do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.actions import MOST_ROUNDS_AT_ONCE
from trickproof_dsl.faults import FaultError
from trickproof_dsl.happened import chosen
from trickproof_dsl.places import EVENTS, ROUNDS, WORKED, Key, Value
from trickproof_dsl.python_blocks import Body, Code, code_of
from trickproof_dsl.state import (
    DECK,
    Chance,
    Decision,
    Event,
    Match,
    State,
    fresh_values,
    initial,
    owner_keys,
    size_of,
)

__all__ = [
    "DECK",
    "MOST_ROUNDS_AT_ONCE",
    "Chance",
    "Decision",
    "Event",
    "State",
    "apply",
    "initial",
    "next_hand",
    "owner_keys",
    "run",
    "size_of",
    "start",
]

_BLOCK = FunctionType


def start(
    program: c.Program,
    chance: Chance | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    variables: Mapping[Key, Value] | None = None,
) -> State:
    """The first hand of a match, run to its first decision; `variables` override what the match starts with."""
    begun = run(initial(program, chance, parameters, readings), program.setup)
    if begun.fault:
        return begun
    return run(begun.but(variables=variables) if variables else begun, program.hand)


def next_hand(state: State) -> State:
    """The next hand of a match; what is not carried starts afresh, and a given deal is used up.

    Raises ValueError when this hand is not complete or the match is over.
    """
    if not state.hand_over or state.match_over:
        raise ValueError("the match is over" if state.match_over else "the hand is not complete")
    program, chance = state.program, state.chance
    fresh = {
        k: v
        for info in program.variables.values()
        if not info.carried
        for k, v in fresh_values(program, info)
    }
    chance = Chance(chance.seed, None, chance.shuffles, chance.dealt)
    state = run(state.but(variables=fresh, bound={}, events=(), chance=chance), program.between)
    return state if state.fault else run(state, program.hand)


def run(state: State, body: Body) -> State:
    """Carries out steps from a state that waits for nothing, up to the next decision, fault or the end."""
    code = code_of(state.program, body)
    values = code.beginning(state.values, state.bound)
    at: Any = code.begin
    try:
        while at.__class__ is _BLOCK:
            at = at(state.match, values)
    except Exception:  # whatever it is: the careful form tells
        return _carefully(state.match, code, code.begin, code.beginning(state.values, state.bound))
    return State(state.match, values, at)


def apply(state: State, choice: Value) -> State:
    """Answers the decision.  Raises ValueError when there is none or the choice is not legal."""
    decision = state.decision
    if decision is None:
        raise ValueError("no decision is waiting")
    asked = decision.question
    if asked.of_cards:
        if choice.__class__ is not frozenset:
            choice = frozenset(choice)
        if not decision.low <= len(choice) <= decision.high:
            raise ValueError("not a legal choice")
        for card in choice:
            if card not in decision.legal:
                raise ValueError("not a legal choice")
    elif choice not in decision.legal:
        raise ValueError("not a legal choice")
    match, values, at = state.match, _answered(state.values, decision, choice), asked.after
    try:
        while at.__class__ is _BLOCK:
            at = at(match, values)
    except Exception:
        return _carefully(match, asked.code, asked.after, _answered(state.values, decision, choice))
    return State(match, values, at)


def _answered(before: list[Value], decision: Decision, choice: Value) -> list[Value]:
    """The values after a choice."""
    asked, values = decision.question, before.copy()
    values[ROUNDS] = values[WORKED] = 0
    values[asked.place] = choice
    if not asked.of_cards:
        values[EVENTS] = [values[EVENTS], chosen, asked.label, asked.type, decision.player, choice]
    return values


def _carefully(match: Match, code: Code | None, at: Any, values: list[Value]) -> State:
    """From block to block up to the next decision, fault or the end, in the form that tells what breaks down."""
    assert code is not None
    try:
        while at.__class__ is _BLOCK:
            at = code.carefully(at)(match, values)
    except FaultError as broken:
        return State(match, values, None, broken.fault)
    return State(match, values, at)
