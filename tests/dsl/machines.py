"""Both interpreters behind one interface, for tests of what every interpreter does."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

from dsl.small_games import HAND, game
from trickproof_dsl.compiled import machine as compiled
from trickproof_dsl.semantics import machine as reference
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import Key, Value


@dataclass(frozen=True)
class Machine:
    """An interpreter, which is a module of functions from state to state."""

    interpreter: ModuleType

    def start(self, *arguments: Any, **named: Any) -> Any:
        """The first hand of a match, run to its first decision."""
        return self.interpreter.start(*arguments, **named)

    def apply(self, state: Any, choice: Any) -> Any:
        """The state after a choice."""
        return self.interpreter.apply(state, choice)

    def next_hand(self, state: Any) -> Any:
        """The next hand of a match."""
        return self.interpreter.next_hand(state)

    def between_hands(self, state: Any) -> Any:
        """A match before its next hand."""
        return self.interpreter.between_hands(state)

    def begun(
        self,
        hand: str,
        rules: str = "",
        variables: dict[Key, Value] | None = None,
        chance: Chance | None = None,
    ) -> Any:
        """The hand of a small game at its first decision, or wherever it stops."""
        return self.start(game(hand, rules).program, chance or Chance(1), variables=variables)

    def n_after(self, hand: str, rules: str = "", **variables: Value) -> Any:
        """The variable `n` where the hand of a small game stops."""
        begin: dict[Key, Value] = {(name,): value for name, value in variables.items()}
        return self.begun(hand, rules, begin).variable("n")


REFERENCE, COMPILED = Machine(reference), Machine(compiled)

MACHINES = {"reference": REFERENCE, "compiled": COMPILED}


def fault(state: StateView) -> tuple[str, int, int]:
    """Kind and place within the text of a small game's hand (lines from 0, columns from 1)."""
    assert state.fault is not None, state
    span = state.fault.span
    return state.fault.kind, span.line - HAND, span.column - 6
