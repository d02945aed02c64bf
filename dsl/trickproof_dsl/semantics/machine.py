"""The reference interpreter: from state to state.

`start` runs to the first decision; `apply` answers it and runs to the next; `next_hand` continues after a
complete hand.  States are values: save one, apply two different moves to it, compare the results.  Chance
comes from a seed or from a given deal; choices come from outside.  All of these raise EngineLimitError if the
interpreter gives up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from trickproof_dsl import core as c
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import chosen
from trickproof_dsl.semantics.faults import FaultError
from trickproof_dsl.semantics.frames import Body, Frame
from trickproof_dsl.semantics.state import Match, State
from trickproof_dsl.semantics.statements import Run, go_on
from trickproof_dsl.semantics.values import DECK, Key, Value, initial_values, uncarried, zone_keys


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


def initial(
    program: c.Program,
    chance: Chance | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    variables: Mapping[Key, Value] | None = None,
) -> State:
    """A match before its first statement: all variables initial (or as given), all cards in the deck."""
    chosen = program.defaults | dict(parameters or {})
    zones: dict[Key, tuple[int, ...]] = dict.fromkeys(zone_keys(program), ())
    zones[(DECK,)] = tuple(range(len(program.deck.cards)))
    match = Match(program, chosen, dict(readings or {}))
    state = State(match, chance or Chance(), initial_values(program), zones, {})
    return state.but(variables=variables) if variables else state


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
    ended = replace(state.but(bound={}, events=(), chance=chance), again=False)
    after = ended if state.again else run(ended, state.program.between)
    return after if after.fault or after.match_over else after.but(variables=uncarried(state.program))


def run(state: State, body: Body) -> State:
    """Execute statements from a state without a pending decision, up to the next decision, fault or the end."""
    run = _run(state)
    run.frames = [Frame(body)]
    return _next(state, run)


def apply(state: State, choice: Value | Iterable[int]) -> State:
    """Answer the decision.  Raises ValueError if there is none or the choice is illegal."""
    decision = state.decision
    if decision is None:
        raise ValueError("no decision is waiting")
    picked = _read(decision, choice)
    run = _run(state)
    run.bound[decision.binder] = picked
    if not decision.of_cards:
        run.events.append(chosen(decision.label, decision.type, decision.player, picked))
    return _next(state, run)


def _read(decision: Decision, choice: Value | Iterable[int]) -> Value:
    """A legal choice as a value; cards may be given in any collection.  Raises ValueError if it is illegal."""
    if decision.of_cards:
        if not isinstance(choice, Iterable):
            raise ValueError("not a legal choice: cards are asked for")
        choice = frozenset(choice)
    if not decision.allows(choice):
        raise ValueError("not a legal choice")
    assert choice is None or isinstance(choice, int | frozenset)
    return choice


def _run(state: State) -> Run:
    """The mutable contents of a state."""
    return Run(
        state.program,
        state.parameters,
        state.readings,
        dict(state.variables),
        dict(state.zones),
        bound=dict(state.bound),
        frames=list(state.frames),
        chance=state.chance,
        events=list(state.events),
        won_by=state.won_by,
        again=state.again,
    )


def _next(state: State, run: Run) -> State:
    """The state at the next decision, fault or end."""
    decision, fault = None, None
    try:
        decision = go_on(run)
    except FaultError as error:
        fault = error.fault
    bound, frames = (run.bound, tuple(run.frames)) if decision else ({}, ())
    return State(
        state.match,
        run.chance,
        run.variables,
        run.zones,
        bound,
        frames,
        tuple(run.events),
        run.won_by,
        run.again,
        decision,
        fault,
    )
