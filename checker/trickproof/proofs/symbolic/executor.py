"""Symbolic execution of core statements, arm for arm like `semantics/statements.py`.

Nothing else under `proofs/` interprets statements. A `Policy` determines what branches and loops do:
`fork.py` decides them, so that one run follows one path; `merge.py` executes both sides under their
conditions and merges the values. `actions.py` determines what cards and choices do, both on a path and where
cards are unknown. A statement that cannot be encoded is skipped: whatever it may have changed is unknown from
there on, and everything that it may violate is left open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, assert_never

from trickproof.analysis.usage import Usage, usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.symbolic.actions import Actions, OpaqueActions
from trickproof.proofs.symbolic.expressions import Encoder, GapError, NotEncodedError
from trickproof.proofs.symbolic.one_by_one import added_up
from trickproof.proofs.symbolic.path_state import Environment, Skipped, Stop
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key


class Policy(Protocol):
    """What to do where control flow divides. Methods return where the run stops, if it does."""

    @property
    def skips(self) -> bool:
        """Whether statements that cannot be encoded are skipped."""

    def concerns(self, t: c.Stmt) -> bool:
        """Whether a statement is executed at all."""

    def branch(self, executor: Executor, t: c.Branch) -> None: ...

    def loop(self, executor: Executor, t: c.Loop) -> Stop | None: ...

    def until(self, executor: Executor, t: c.Until) -> Stop | None: ...

    def rule(self, executor: Executor, t: c.InRule) -> None: ...

    def before_choice(self, t: c.ChooseCards) -> None:
        """Called before a player chooses cards."""

    def end(self, executor: Executor, t: c.EndMatch) -> Stop | None: ...

    def end_hand(self, executor: Executor, t: c.EndHand) -> Stop | None: ...

    def after_skip(self, usage: Usage) -> Stop | None:
        """Called after a statement with this usage was skipped."""


@dataclass(frozen=True, eq=False, slots=True)
class Executor:
    """`encoder` evaluates expressions in `state`, `actions` executes single statements, `policy` handles control flow."""

    state: Environment
    encoder: Encoder
    actions: Actions | OpaqueActions
    policy: Policy

    def run(self, body: tuple[c.Stmt, ...]) -> None:
        """Execute statements in sequence, as long as the deal and the match continue."""
        for t in body:
            with self.state.under(y.neg(y.disj(self.state.ended, self.state.gone))):
                if self.state.guard is False:
                    return
                if self.policy.concerns(t):
                    self.step(t)

    def step(self, t: c.Stmt) -> Stop | None:
        """Execute one statement, or skip it."""
        noted = len(self.state.obligations)
        try:
            return self._execute(t)
        except NotEncodedError as wrong:
            if not self.policy.skips:
                raise
            del self.state.obligations[noted:]
            return self._skip(Skipped(t, wrong.what, wrong.span))

    def _execute(self, t: c.Stmt) -> Stop | None:
        match t:
            case c.Assign():
                self._assign(t)
            case c.Branch():
                self.policy.branch(self, t)
            case c.Loop():
                sums = added_up(t)
                if sums is None:
                    return self.policy.loop(self, t)
                with self.state.under(self.encoder.truth(sums.condition)):
                    for step in sums.then:
                        self.step(step)
            case c.Until():
                return self.policy.until(self, t)
            case c.InRule():
                self.policy.rule(self, t)
            case c.ChooseCards():
                self.policy.before_choice(t)
                self.actions.choose_cards(t)
            case c.ChooseValue():
                self.actions.choose_value(t)
            case c.Move():
                self.actions.move(t)
            case c.Show():
                self.actions.show(t)
            case c.Shuffle():
                self.actions.shuffle(t)
            case c.Deal():
                self.actions.deal(t)
            case c.Announce():
                self.actions.announce(t)
            case c.EndHand():
                return self.policy.end_hand(self, t)
            case c.EndMatch():
                return self.policy.end(self, t)
            case c.Unspecified():
                raise GapError(t.rule, t.span)
            case _:
                assert_never(t)
        return None

    def _assign(self, t: c.Assign) -> None:
        """Assign a variable for every possible owner; it keeps its value where the guard does not hold."""
        state, value = self.state, self.encoder.value(t.value)
        kind = state.program.variables[t.variable].type
        for owners, when in self.encoder.owners(t.arguments, t.span):
            key: Key = (t.variable, *owners)
            guard = y.conj(state.guard, when)
            state.variables[key] = (
                value if guard is True else self.encoder.merge(kind, guard, value, state.variables[key])
            )

    def _skip(self, skipped: Skipped) -> Stop | None:
        """Skip a statement: what it may have changed becomes unknown, and the policy is informed."""
        self.state.skipped.append(skipped)
        usage = usage_of(skipped.step)
        for node in walk(skipped.step):
            if isinstance(node, c.Choice):
                kind = c.CARDS if isinstance(node, c.ChooseCards) else node.value_type
                self.state.bound[node.binder] = self.state.unknown(kind)
        self.state.forget(sorted(usage.assigns))
        if any(isinstance(n, c.Move | c.Deal | c.Shuffle) for n in walk(skipped.step)):
            self.state.scatter()
        return self.policy.after_skip(usage)
