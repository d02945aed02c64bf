"""How a deal can be thrown in before its play is over (`deal again`), and what is then carried on.

The steps that decide it are executed from what the deal begins with, with unknown cards, so throwing in and
not throwing in are both over-approximated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import z3

from trickproof.analysis.dependencies import is_play
from trickproof.analysis.slicing import Slice
from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.expressions import Encoder
from trickproof.proofs.symbolic.hand_parts import changed_before_redeal, redeals, redealt_slice
from trickproof.proofs.symbolic.merge import carry_out
from trickproof.proofs.symbolic.path_state import Environment
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key, carried

Ways = list[tuple[Bool, Mapping[Key, Symbol]]]
"""When a deal is thrown in, with the values of the variables at that point."""


@dataclass(frozen=True, slots=True)
class Redeals:
    """The steps up to the end of the play, the slice of them that matters (`only`), and the carried variables `changed` in them."""

    before: tuple[c.Stmt, ...]
    only: Slice
    changed: frozenset[str]
    in_play: bool

    def ways(self, state: Environment) -> Ways:
        """The ways in which a deal that begins in `state` is thrown in; the facts of `state` hold of their unknowns."""
        carry_out(state, self.before, self.only)
        ways: Ways = list(state.thrown_in)
        if self.in_play:
            state.forget(sorted(usage_of(*self.before).assigns))
            ways.append((z3.Bool(state.name()), dict(state.variables)))
        return ways

    def carried_on(self, state: Environment) -> tuple[Bool, dict[Key, Symbol]]:
        """When the deal is thrown in, and what is then carried on."""
        kinds, values = state.program.variables, carried(state.program, state.variables)
        ways, merged = self.ways(state), Encoder(state)
        for when, then in ways:
            for key in values:
                if key[0] in self.changed:
                    values[key] = merged.merge(kinds[key[0]].type, when, then[key], values[key])
        return y.disj(*(when for when, _ in ways)), values


def redeals_of(program: c.Program, before: tuple[c.Stmt, ...]) -> Redeals | None:
    """How deals are thrown in during their steps up to the end of the play; None if they never are."""
    if not redeals(*before):
        return None
    in_play = any(redeals(t) for t in walk(*before) if is_play(t))
    return Redeals(before, redealt_slice(before), changed_before_redeal(program, before), in_play)
