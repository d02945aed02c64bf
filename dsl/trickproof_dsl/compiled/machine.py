"""The reference interpreter: a resumable machine over immutable states.

`start` runs to the first decision; `apply` answers it and runs to the next; `next_hand` goes on after a complete
hand.  States are values: keep one, apply two different moves to it, compare.  Chance comes from a seed or from a
given deal; choices come from outside.

What steps mean is Python text (`python_values`, `python_steps`, `python_blocks`), in two forms.  The bare one is carried
out; should it raise anything, the careful one is carried out instead, from the same values: it tells how the rules break
down, or that they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from inspect import GEN_CLOSED, getgeneratorstate
from types import FunctionType
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled.blocks import Body, Code, code_of
from trickproof_dsl.compiled.event_log import chosen
from trickproof_dsl.compiled.generator import course_of
from trickproof_dsl.compiled.runtime_actions import MOST_ROUNDS_AT_ONCE, legal_cards
from trickproof_dsl.compiled.slots import EVENTS, ROUNDS, WORKED, Key, Value, uncarried
from trickproof_dsl.compiled.state import (
    DECK,
    Chance,
    Decision,
    Event,
    Match,
    State,
    initial,
    owner_keys,
    size_of,
)
from trickproof_dsl.semantics.faults import FaultError

__all__ = [
    "DECK",
    "MOST_ROUNDS_AT_ONCE",
    "Chance",
    "Decision",
    "Event",
    "State",
    "apply",
    "begin",
    "between_hands",
    "initial",
    "next_hand",
    "owner_keys",
    "play_out",
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
    begun = begin(program, chance, parameters, readings, variables)
    return begun if begun.fault else run(begun, program.hand)


def begin(
    program: c.Program,
    chance: Chance | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    variables: Mapping[Key, Value] | None = None,
) -> State:
    """A match before its first hand; `variables` override what it starts with."""
    begun = run(initial(program, chance, parameters, readings), program.setup)
    return begun.but(variables=variables) if variables and not begun.fault else begun


def next_hand(state: State) -> State:
    """The next hand of a match, run to its first decision.

    Raises ValueError when this hand is not complete or the match is over.
    """
    state = between_hands(state)
    return state if state.fault else run(state, state.program.hand)


def between_hands(state: State) -> State:
    """A match before its next hand: what is not carried starts afresh, and a given deal is used up.

    Raises ValueError when this hand is not complete or the match is over.
    """
    if not state.hand_over or state.match_over:
        raise ValueError("the match is over" if state.match_over else "the hand is not complete")
    chance = Chance(state.chance.seed, None, state.chance.shuffles, state.chance.dealt)
    fresh = uncarried(state.program)
    return run(state.but(variables=fresh, bound={}, events=(), chance=chance), state.program.between)


def run(state: State, body: Body) -> State:
    """Carries out steps from a state that waits for nothing, up to the next decision, fault or the end."""
    code = code_of(state.program, body)
    values = code.beginning(state)
    at: Any = code.begin
    try:
        while at.__class__ is _BLOCK:
            at = at(state.match, values)
    except Exception:  # whatever it is: the careful form tells
        return _carefully(state.match, code, code.begin, code.beginning(state))
    return State(state.match, values, at)


def apply(state: State, choice: Value) -> State:
    """Answers the decision.  Raises ValueError when there is none or the choice is not legal."""
    decision, match, values = state.decision, state.match, state.values.copy()
    if decision is None:
        raise ValueError("no decision is waiting")
    if choice.__class__ is not frozenset and decision.question.of_cards:
        choice = _cards(choice)
    at = _answered(values, decision, choice)
    try:
        while at.__class__ is _BLOCK:
            at = at(match, values)
    except Exception:  # as above
        values = state.values.copy()
        return _carefully(match, decision.question.code, _answered(values, decision, choice), values)
    return State(match, values, at)


def play_out(state: State, body: Body, choose: Sequence[Callable[[Decision], Value]]) -> State:
    """Carries out steps like `run` and answers every decision, up to the end or to where the rules break down.

    No states are made between, so that this is faster: players, one a seat, see nothing but the decision.
    Raises ValueError when a choice is not legal.
    """
    code, made = code_of(state.program, body), list[Value]()
    course, values = course_of(code), code.beginning(state)
    if course is not None:
        decisions, choice = course(state.match, values), None
        go_on, note = decisions.send, made.append
        try:
            while True:
                decision = go_on(choice)
                choice = choose[decision.player](decision)
                if choice.__class__ is not frozenset and decision.question.of_cards:
                    choice = _cards(choice)
                note(choice)
        except Exception as stopped:  # as above, by the states that have been left out
            if getgeneratorstate(decisions) != GEN_CLOSED:  # a player has raised it
                raise
            if isinstance(stopped, StopIteration):
                return State(state.match, values, None)
    state = reduce(apply, made, run(state, body))
    while state.decision is not None:
        state = apply(state, choose[state.decision.player](state.decision))
    return state


def _cards(choice: Any) -> frozenset[int]:
    """Cards that somebody has chosen, in whatever form.  Raises ValueError when they are no cards at all."""
    try:
        return frozenset(choice)
    except TypeError:
        raise ValueError("not a legal choice: cards are asked for") from None


def _answered(values: list[Value], decision: Decision, choice: Value) -> Any:
    """Puts a choice among the values; answers the block that comes next.  Raises ValueError when it is not legal."""
    asked = decision.question
    if asked.of_cards:
        legal_cards(decision, choice)
    elif choice in decision.among:
        values[EVENTS] = [values[EVENTS], chosen, asked.label, asked.type, decision.player, choice]
    else:
        raise ValueError("not a legal choice")
    values[asked.place] = choice
    values[ROUNDS] = values[WORKED] = 0
    return asked.after


def _carefully(match: Match, code: Code | None, at: Any, values: list[Value]) -> State:
    """From block to block up to the next decision, fault or the end, in the form that tells what breaks down."""
    assert code is not None
    try:
        while at.__class__ is _BLOCK:
            at = code.carefully(at)(match, values)
    except FaultError as broken:
        return State(match, values, None, broken.fault)
    return State(match, values, at)
