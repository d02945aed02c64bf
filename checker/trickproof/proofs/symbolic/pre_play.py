"""The steps before the play, as far as later numbers depend on them: a choice may be any, what looks at cards anything.

`PrePlayExecutor` carries out the statements of a slice.  A value that a player chooses is an unknown of the allowed domain; one that
depends on cards, or that cannot be encoded for another reason, is an unknown of its type.  So it allows at least what
can happen at the table, and proofs hold; what is found has to be played before it is believed.
"""

from __future__ import annotations

import z3

from trickproof.analysis.slicing import Slice
from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.expressions import Environment, NotEncodedError
from trickproof.proofs.symbolic.straight_line import MergingExecutor
from trickproof.proofs.symbolic.unknowns import anything
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import owner_keys


class PrePlayExecutor(MergingExecutor):
    """Carries out a slice; `facts` hold of the unknowns, `choices` are numbers from 0 that tell the decisions."""

    def __init__(self, state: Environment, matters: Slice, tag: str) -> None:
        super().__init__(state)
        self.matters, self.tag, self.unknowns = matters, tag, 0
        self.facts: list[Bool] = []
        self.choices: list[z3.ArithRef] = []

    def run(self, body: tuple[c.Stmt, ...]) -> None:
        for t in body:
            if id(t) in self.matters.steps and self.live is not False:
                self._step(t)

    def _step(self, t: c.Stmt) -> None:
        try:
            match t:
                case c.ChooseValue():
                    self.state.bound[t.binder] = self._chosen(t)
                case c.ChooseCards():
                    self.state.bound[t.binder] = y.OPAQUE
                case c.Deal():
                    return
                case c.Branch():
                    self._either(t)
                case _:
                    super()._step(t)
        except NotEncodedError:
            self._forget(t)

    def _forget(self, t: c.Stmt) -> None:
        """Whatever the step may have set is anything from here on."""
        for name in sorted(usage_of(t).assigns):
            info = self.state.program.variables[name]
            for owners in owner_keys(self.state.program, info.of):
                self.state.variables[(name, *owners)] = anything(
                    self.state.program, info.type, self._fresh(), self.facts
                )

    def _fresh(self) -> str:
        self.unknowns += 1
        return f"{self.tag}.{self.unknowns}"

    def _either(self, t: c.Branch) -> None:
        try:
            condition = self.encoder.value(t.condition)
        except NotEncodedError:
            condition = z3.Bool(self._fresh())
        with self.state.under(condition):
            self.run(t.then)
        with self.state.under(y.neg(condition)):
            self.run(t.otherwise)

    # --------------------------------------------------------------------------------------- choices

    def _chosen(self, t: c.ChooseValue) -> Symbol:
        """An unknown that is one of the options under this path."""
        try:
            options = self.encoder.members(t.domain)
        except NotEncodedError:
            return anything(self.state.program, t.value_type, self._fresh(), self.facts)
        may = [(x, y.conj(when, self._may(t, x))) for x, when in options]
        self.encoder.fault(y.conj(not t.or_none, y.neg(y.disj(*(when for _, when in may)))), t.span)
        unknown = z3.Int(self._fresh())
        allowed = [y.conj(unknown == x, when) for x, when in may]
        numbers = [x for x, _ in options]
        gapless = bool(numbers) and numbers == list(range(numbers[0], numbers[-1] + 1))
        if t.value_type.kind == "integer" and gapless and all(when is True for _, when in may):
            allowed = [y.conj(unknown >= numbers[0], unknown <= numbers[-1])]  # told by its bounds
        if t.or_none:
            allowed.append(unknown == -1)
        self.facts.append(y.disj(y.neg(self.state.guard), *allowed))
        if t.value_type.kind == "integer":
            return unknown
        none = {-1} if t.or_none or self.state.guard is not True else set()
        values = sorted({x for x, _ in options} | none)
        self.facts.append(y.disj(*(unknown == x for x in values)))
        self.choices.append(unknown + 1)
        if t.value_type.kind == "boolean":
            return unknown == 1
        return y.Cases(tuple((None if x == -1 else x, unknown == x) for x in values))

    def _may(self, t: c.ChooseValue, option: int) -> Bool:
        self.state.bound[t.binder] = bool(option) if t.value_type.kind == "boolean" else option
        try:
            return self.encoder.value(t.condition)
        except NotEncodedError:
            return True
