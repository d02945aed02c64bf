"""A deal with the choices made in it: what probes inspect, random play produces, and witnesses are written from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trickproof.checking.engines import COMPILED, Engine, State, apply, begin_hand, between_hands, run
from trickproof_dsl import core as c
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Key, Value


@dataclass(frozen=True, slots=True)
class HandPlayed:
    """A deal from before its first step (`begin`) to now (`state`); `earlier` are the previous deals of the match."""

    begin: State
    state: State
    choices: tuple[tuple[Decision, Value], ...] = ()
    earlier: tuple[HandPlayed, ...] = ()

    @property
    def match(self) -> tuple[HandPlayed, ...]:
        """The deals of the match up to this one."""
        return (*self.earlier, replace(self, earlier=()))

    def choose(self, choice: Value) -> HandPlayed:
        """The deal after one more choice."""
        decision = self.state.decision
        assert decision is not None
        choices = (*self.choices, (decision, choice))
        return HandPlayed(self.begin, apply(self.state, choice), choices, self.earlier)

    def then(self, chance: Chance | None = None) -> HandPlayed:
        """The next deal of the match, or this one after the steps between deals if those failed or ended the match."""
        after = following_hand(self.state, chance)
        return (
            replace(after, earlier=self.match)
            if isinstance(after, HandPlayed)
            else replace(self, state=after)
        )


def first_hand(
    program: c.Program,
    chance: Chance,
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
    variables: Mapping[Key, Value] | None = None,
    engine: Engine = COMPILED,
) -> HandPlayed:
    """The first deal of a match; `variables` override its initial values."""
    begun = run(engine(program, chance, parameters, readings), program.setup)
    begun = begun.but(variables=variables) if variables else begun
    return HandPlayed(begun, begin_hand(begun))


def following_hand(state: State, chance: Chance | None = None) -> HandPlayed | State:
    """The deal after a complete one, or the state in which the steps between deals failed or ended the match."""
    begun = between_hands(state)
    if begun.fault or begun.match_over:
        return begun
    if chance is not None:
        begun = begun.but(chance=chance)
    return HandPlayed(begun, begin_hand(begun))
