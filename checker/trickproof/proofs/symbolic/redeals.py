"""How a hand can be thrown in before its play is over (`deal again`), and what is carried on then.

The steps that decide it are carried out from what the hand begins with; cards are not known, so that a hand is thrown in, or not,
in at least all cases in which it can be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import z3

from trickproof.analysis.slicing import Slice
from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.expressions import Encoder
from trickproof.proofs.symbolic.hand_parts import changed_before_redeal, is_play, redeals, redealt_slice
from trickproof.proofs.symbolic.merge import carry_out
from trickproof.proofs.symbolic.path_state import Environment
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key

Ways = list[tuple[Bool, Mapping[Key, Symbol]]]
"""When a hand is thrown in, and the values of the variables then."""


@dataclass(frozen=True, slots=True)
class Redeals:
    """Of the steps up to the end of the play those that matter (`only`), and the carried variables `changed` in them."""

    before: tuple[c.Stmt, ...]
    only: Slice
    changed: frozenset[str]
    in_play: bool

    def ways(self, state: Environment) -> Ways:
        """The ways in which a hand that begins in a state is thrown in; its facts hold of their unknowns."""
        carry_out(state, self.before, self.only)
        ways: Ways = list(state.thrown_in)
        if self.in_play:
            state.forget(sorted(usage_of(*self.before).assigns))
            ways.append((z3.Bool(state.name()), dict(state.variables)))
        return ways

    def carried_on(self, state: Environment) -> tuple[Bool, dict[Key, Symbol]]:
        """When the hand is thrown in, and what is carried on where it is."""
        kinds, begin = state.program.variables, dict(state.variables)
        values = {key: value for key, value in begin.items() if kinds[key[0]].carried}
        ways, merged = self.ways(state), Encoder(state)
        for when, then in ways:
            for key in values:
                if key[0] in self.changed:
                    values[key] = merged.merge(kinds[key[0]].type, when, then[key], values[key])
        return y.disj(*(when for when, _ in ways)), values


def redeals_of(program: c.Program, before: tuple[c.Stmt, ...]) -> Redeals | None:
    """How hands are thrown in within their steps up to the end of the play; None where they are not."""
    if not redeals(*before):
        return None
    in_play = any(redeals(t) for t in walk(*before) if isinstance(t, c.InRule) and is_play(t))
    return Redeals(before, redealt_slice(before), changed_before_redeal(program, before), in_play)
