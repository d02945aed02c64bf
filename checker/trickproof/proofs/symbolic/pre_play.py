"""The steps before the play, as far as later numbers depend on them: a choice may be any, what looks at cards anything.

`Before` carries out the steps of a slice.  A value that a player chooses is an unknown of the allowed domain; one that
depends on cards, or that cannot be encoded for another reason, is an unknown of its type.  So it allows at least what
can happen at the table, and proofs hold; what is found has to be played before it is believed.
"""

from __future__ import annotations

from collections.abc import Mapping

import z3

from trickproof.analysis.slicing import Slice
from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.straight_line import Stepper
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key, owner_keys, size_of


def anything(program: c.Program, kind: c.Type, name: str, facts: list[Bool]) -> Symbol:
    """A value of a type that nothing is known about."""
    if kind.kind == "integer":
        return z3.Int(name)
    if kind.kind == "boolean":
        return z3.Bool(name)
    if kind.kind == "card" or kind.kind in c.SETS:
        return y.OPAQUE
    index, size = z3.Int(name), size_of(program, kind)
    facts += [index >= -1, index < size]
    return y.Cases((*((i, index == i) for i in range(size)), (None, index == -1)))


class Before(Stepper):
    """Carries out what matters; `facts` hold of the unknowns, `choices` are numbers from 0 that tell the decisions."""

    def __init__(
        self,
        program: c.Program,
        variables: Mapping[Key, Symbol],
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
        matters: Slice,
        tag: str,
    ) -> None:
        super().__init__(program, variables, parameters, readings)
        self.matters, self.tag, self.made = matters, tag, 0
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
                    self.bound[t.binder] = self._chosen(t)
                case c.ChooseCards():
                    self.bound[t.binder] = y.OPAQUE
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
            info = self.program.variables[name]
            for owners in owner_keys(self.program, info.of):
                self.variables[(name, *owners)] = anything(self.program, info.type, self._fresh(), self.facts)

    def _fresh(self) -> str:
        self.made += 1
        return f"{self.tag}.{self.made}"

    def _either(self, t: c.Branch) -> None:
        try:
            condition = self.value(t.condition)
        except NotEncodedError:
            condition = z3.Bool(self._fresh())
        with self.under(condition):
            self.run(t.then)
        with self.under(y.neg(condition)):
            self.run(t.otherwise)

    # --------------------------------------------------------------------------------------- choices

    def _chosen(self, t: c.ChooseValue) -> Symbol:
        """An unknown that is one of the options under this path."""
        try:
            options = self.members(t.domain)
        except NotEncodedError:
            return anything(self.program, t.value_type, self._fresh(), self.facts)
        may = [(x, y.conj(when, self._may(t, x))) for x, when in options]
        self.fault(y.conj(not t.or_none, y.neg(y.disj(*(when for _, when in may)))), t.span)
        unknown = z3.Int(self._fresh())
        allowed = [y.conj(unknown == x, when) for x, when in may]
        numbers = [x for x, _ in options]
        gapless = bool(numbers) and numbers == list(range(numbers[0], numbers[-1] + 1))
        if t.value_type.kind == "integer" and gapless and all(when is True for _, when in may):
            allowed = [y.conj(unknown >= numbers[0], unknown <= numbers[-1])]  # told by its bounds
        if t.or_none:
            allowed.append(unknown == -1)
        self.facts.append(y.disj(y.neg(self.path), *allowed))
        if t.value_type.kind == "integer":
            return unknown
        none = {-1} if t.or_none or self.path is not True else set()
        values = sorted({x for x, _ in options} | none)
        self.facts.append(y.disj(*(unknown == x for x in values)))
        self.choices.append(unknown + 1)
        if t.value_type.kind == "boolean":
            return unknown == 1
        return y.Cases(tuple((None if x == -1 else x, unknown == x) for x in values))

    def _may(self, t: c.ChooseValue, option: int) -> Bool:
        self.bound[t.binder] = bool(option) if t.value_type.kind == "boolean" else option
        try:
            return self.value(t.condition)
        except NotEncodedError:
            return True
