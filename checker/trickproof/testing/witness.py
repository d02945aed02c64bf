"""A hand as a SCENARIO (DESIGN.md, section 6) and back: what every witness is made and checked with.

`HandPlayed` is a hand with the choices made in it; `scenario` writes it down; `replay` plays a scenario through the
reference interpreter.  A witness that does not replay raises `DisagreementError`: that is a bug of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trickproof.checking.verdict import DisagreementError
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, ScenarioError
from trickproof_dsl.scenarios.moves import IllegalMoveError, read_move
from trickproof_dsl.scenarios.situation import start_scenario
from trickproof_dsl.scenarios.writing import move_json, scenario_json
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Key, Value, uncarried

Given = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class HandPlayed:
    """A hand from before its first step (`begin`) to now (`state`)."""

    begin: State
    state: State
    choices: tuple[tuple[Decision, Value], ...] = ()

    def choose(self, choice: Value) -> HandPlayed:
        """The hand after one more choice."""
        decision = self.state.decision
        assert decision is not None
        made = (*self.choices, (decision, choice))
        return HandPlayed(self.begin, interpret.apply(self.state, choice), made)


def first_hand(
    program: c.Program,
    chance: Chance,
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
    variables: Mapping[Key, Value],
) -> HandPlayed:
    """The first hand of a match; `variables` override what it starts with."""
    begun = interpret.run(interpret.initial(program, chance, parameters, readings), program.setup)
    begun = begun.but(variables=variables)
    return HandPlayed(begun, interpret.run(begun, program.hand))


def following_hand(state: State) -> HandPlayed | State:
    """The hand after a complete one, or the state in which the steps between hands broke down."""
    program = state.program
    begun = state.but(variables=uncarried(program), bound={}, events=())
    begun = interpret.run(begun, program.between)
    return begun if begun.fault else HandPlayed(begun, interpret.run(begun, program.hand))


def scenario(ruleset: Ruleset, hand: HandPlayed) -> dict[str, Json]:
    """The hand written down; one whose deal already breaks down by its seed, as it has no full hands."""
    moves = [move_json(ruleset.program, decision, choice) for decision, choice in hand.choices]
    made = scenario_json(ruleset, hand.state, hand.begin.variables, moves)
    fault = hand.state.fault
    if fault is not None and fault.kind == "deck-empty":
        made = {key: value for key, value in made.items() if key not in ("hands", "kitty", "zones")}
        made["seed"] = hand.begin.chance.seed
    return made


def replay(ruleset: Ruleset, given: Given) -> State:
    """The state a scenario leads to, with a fault where the rules break down.  Raises DisagreementError."""
    return replayed(ruleset, given).state


def replayed(ruleset: Ruleset, given: Given) -> HandPlayed:
    """The hand that a scenario tells, as `replay`."""
    try:
        state = start_scenario(ruleset, given)
        hand = HandPlayed(state, state)
        for move in given.get("moves", []):
            if hand.state.fault:
                break
            hand = hand.choose(read_move(ruleset, hand.state, move))
    except (ScenarioError, IllegalMoveError, ValueError) as wrong:
        raise DisagreementError(f"{ruleset.id}: a witness does not replay: {wrong}") from wrong
    return hand
