"""A resumable machine over immutable states, for the compiled form of a program.

`start` runs to the first decision; `apply` answers it and runs to the next; `next_hand` continues after a
complete hand.  States are values: save one, apply two different moves to it, compare the results.  Chance
comes from a seed or from a given deal; choices come from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trickproof_dsl import core as c
from trickproof_dsl.compiled.blocks import Block, Body, Code, code_of
from trickproof_dsl.compiled.memory import Match, Memory
from trickproof_dsl.compiled.state import State, initial
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import chosen
from trickproof_dsl.semantics.faults import FaultError
from trickproof_dsl.semantics.values import Key, Value, uncarried

__all__ = [
    "Chance",
    "Decision",
    "State",
    "apply",
    "begin",
    "begin_hand",
    "between_hands",
    "initial",
    "next_hand",
    "run",
    "start",
]


def start(
    program: c.Program,
    chance: Chance | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    variables: Mapping[Key, Value] | None = None,
) -> State:
    """The first hand of a match, run to its first decision; `variables` override what the match starts with."""
    return begin_hand(begin(program, chance, parameters, readings, variables))


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

    Raises ValueError if this hand is not complete or the match is over.
    """
    return begin_hand(between_hands(state))


def begin_hand(state: State) -> State:
    """Begin a hand and run to its first decision; no hand begins after a fault or the end of the match."""
    return state if state.fault or state.match_over else run(state, state.program.hand)


def between_hands(state: State) -> State:
    """A match before its next hand: after the steps between hands, variables that are not carried are reset.

    A given deal is used up.  If the hand is dealt again, the steps between hands are skipped.  After a fault
    or the end of the match, variables keep their values.  Raises ValueError if this hand is not complete or
    the match is over.
    """
    if not state.hand_over or state.match_over:
        raise ValueError("the match is over" if state.match_over else "the deal is not complete")
    chance = Chance(state.chance.seed, None, state.chance.shuffles, state.chance.dealt)
    ended = state.but(bound={}, events=(), chance=chance, again=False)
    after = ended if state.again else run(ended, state.program.between)
    return after if after.fault or after.match_over else after.but(variables=uncarried(state.program))


def run(state: State, body: Body) -> State:
    """Execute statements from a state without a pending decision, up to the next decision, fault or the end."""
    code, memory = code_of(state.program, body), state.memory()
    code.prepare(memory, state.bound)
    return _carried_out(state.match, memory, code, code.begin)


def apply(state: State, choice: Value | Iterable[int]) -> State:
    """Answer the decision.  Raises ValueError if there is none or the choice is illegal."""
    decision, code = state.decision, state.code
    if decision is None or code is None:
        raise ValueError("no decision is waiting")
    memory, after = state.memory(), code.continuations[decision.binder]
    value = _legal(decision, choice)
    if not isinstance(value, frozenset):
        memory.events.append(chosen(decision.label, decision.type, decision.player, value))
    memory.bound[after.slot] = value
    return _carried_out(state.match, memory, code, after.block)


def _legal(decision: Decision, choice: Value | Iterable[int]) -> Value:
    """The choice as a value; cards may be given in any collection.  Raises ValueError if it is illegal."""
    if not isinstance(choice, frozenset) and decision.of_cards:
        if not isinstance(choice, Iterable):
            raise ValueError("not a legal choice: cards are asked for")
        choice = frozenset(choice)
    if not decision.allows(choice):
        raise ValueError("not a legal choice")
    assert choice is None or isinstance(choice, int | frozenset)
    return choice


def _carried_out(match: Match, memory: Memory, code: Code, block: Block) -> State:
    """Run block after block, up to the next decision, fault or the end."""
    following: Block | Decision | None = block
    try:
        while callable(following):
            following = following(match, memory)
    except FaultError as broken:
        return State(match, memory, None, broken.fault)
    return State(match, memory, following, None, code if following else None)
