"""Core statements after the play as changes of symbolic variables: arm for arm the outline of `semantics/statements.py`.

Paths are merged: a statement under a condition keeps the old value where the condition fails.  Loops over players are
unrolled.  `ended` and `winners` say when the match ends and who wins then; after the end nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Members, Symbol
from trickproof.proofs.symbolic.expressions import Encoder, Environment, GapError, NotEncodedError
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import fault_sites
from trickproof_dsl.core.traversal import parts
from trickproof_dsl.semantics.values import Key

ROUNDS = 1000
"""Rounds of a loop that are unrolled, at most."""


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Something announced or shown under a condition, with the values that hold then."""

    live: Bool
    step: c.Announce | c.Show
    variables: Mapping[Key, Symbol]
    bound: Mapping[str, Symbol]


class MergingExecutor:
    """Carries out statements in an environment, of which every path is merged into one value for each variable."""

    def __init__(self, state: Environment) -> None:
        self.state, self.encoder = state, Encoder(state)
        self.ended: Bool = False
        self.winners = Members(())
        self.disclosures: tuple[Disclosure, ...] = ()
        """What is announced or shown, in order."""

    @property
    def live(self) -> Bool:
        """The condition under which the next step happens."""
        return y.conj(self.state.guard, y.neg(self.ended))

    def run(self, body: tuple[c.Stmt, ...]) -> None:
        for t in body:
            if self.live is False:
                return
            self._step(t)

    def _step(self, t: c.Stmt) -> None:
        match t:
            case c.Assign():
                self._assign(t)
            case c.Branch():
                self._branch(t)
            case c.Loop():
                self._loop(t)
            case c.Until():
                self._until(t)
            case c.InRule():
                self.run(t.body)
            case c.ChooseCards() | c.ChooseValue():
                raise NotEncodedError("somebody decides something after the play", t.span)
            case c.Move():
                raise NotEncodedError("cards move after the play", t.span)
            case c.Show():
                self._disclose(t)
            case c.Shuffle() | c.Deal():
                raise NotEncodedError("cards move after the play", t.span)
            case c.Announce():
                self._disclose(t)
            case c.EndHand():
                raise NotEncodedError("the hand can end before its last step", t.span)
            case c.EndMatch():
                with self.state.under(y.neg(self.ended)):
                    winners = Members(tuple(self.encoder.members(t.winners)))
                self.winners = y.choose_members(self.live, winners, self.winners)
                self.ended = y.disj(self.ended, self.live)
            case c.Unspecified():
                raise GapError(t.rule, t.span)
            case _:
                assert_never(t)

    def _disclose(self, t: c.Show | c.Announce) -> None:
        if any(True for _ in fault_sites(t)):
            with self.state.under(y.neg(self.ended)):
                for part in parts(t):
                    if isinstance(part, c.Expr):
                        self.encoder.value(part)
        self.disclosures += (Disclosure(self.live, t, dict(self.state.variables), dict(self.state.bound)),)

    def _assign(self, t: c.Assign) -> None:
        with self.state.under(y.neg(self.ended)):
            owners = self.encoder.owners(t.arguments, t.span)
            value = self.encoder.value(t.value)
        kind = self.state.program.variables[t.variable].type
        for key, when in owners:
            place: Key = (t.variable, *key)
            self.state.variables[place] = self.encoder.merge(
                kind, y.conj(self.live, when), value, self.state.variables[place]
            )

    def _branch(self, t: c.Branch) -> None:
        with self.state.under(y.neg(self.ended)):
            condition = self.encoder.truth(t.condition)
        with self.state.under(condition):
            self.run(t.then)
        with self.state.under(y.neg(condition)):
            self.run(t.otherwise)

    def _loop(self, t: c.Loop) -> None:
        members = [(x, when) for x, when in self.encoder.members(t.domain) if when is not False]
        for start, chosen in y.cases(0 if t.order.start is None else self.encoder.value(t.order.start)).of:
            with self.state.under(chosen):
                for x, when in self._ordered(t, members, start):
                    self.state.bound[t.binder] = x
                    with self.state.under(when):
                        self.run(t.body)

    def _ordered(
        self, t: c.Loop, members: list[tuple[int, Bool]], start: int | None
    ) -> list[tuple[int, Bool]]:
        order, n = t.order, self.state.program.players
        elements = sorted(members)
        if order.start is not None:
            self.encoder.fault(start is None, t.span)
            turn = 1 if order.clockwise else -1
            elements.sort(key=lambda m: (m[0] - (start or 0)) * turn % n)
        if not order.keys or len(elements) < 2:
            return elements
        ranked: dict[int, tuple[int, ...]] = {}
        for x, when in elements:
            keys: list[int] = []
            for highest, binder, e in order.keys:
                key = self.encoder.with_bound(binder, x, when, e)
                if not isinstance(key, int):
                    raise NotEncodedError("the order depends on the play", t.span)
                keys.append(-key if highest else key)
            ranked[x] = tuple(keys)
        if order.ties == "impossible" and len(set(ranked.values())) < len(elements):
            raise NotEncodedError("the order has ties", t.span)
        return sorted(elements, key=lambda m: ranked[m[0]])

    def _until(self, t: c.Until) -> None:
        bound = self.encoder.value(t.bound)
        for _ in range(min(bound, ROUNDS) if isinstance(bound, int) else 0):
            condition = self.encoder.value(t.condition)
            if not isinstance(condition, bool):
                break
            if condition:
                return
            self.run(t.body)
        raise NotEncodedError("how often it is repeated depends on the play", t.span)
