"""All paths at once: both sides of a branch are executed under their conditions, and their values merged.

Loops over known elements are unrolled, in every possible order. Nothing changes after the end of the deal or
the match.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import z3

from trickproof.analysis.slicing import Slice
from trickproof.analysis.usage import Usage
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Members
from trickproof.proofs.symbolic.actions import OpaqueActions
from trickproof.proofs.symbolic.executor import Executor
from trickproof.proofs.symbolic.expressions import Encoder, NotEncodedError
from trickproof.proofs.symbolic.loop_order import in_places, ranking, tied
from trickproof.proofs.symbolic.path_state import Environment
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import fault_sites
from trickproof_dsl.core.traversal import stripped, walk

ROUNDS = 1000
"""Maximum number of loop rounds that are unrolled."""


@dataclass(frozen=True, eq=False, slots=True)
class Merge:
    """A policy that merges the results of both sides of a branch.

    With a slice `only`, just its steps are executed, and a condition that cannot be encoded may or may not
    hold. With `tells`, for code that only discloses information, the same goes for conditions on readings,
    which would otherwise cause one path per reading.
    """

    state: Environment
    encoder: Encoder
    skips: bool = True
    only: Slice | None = None
    tells: bool = False

    def concerns(self, t: c.Stmt) -> bool:
        return self.only is None or id(t) in self.only.steps

    def branch(self, executor: Executor, t: c.Branch) -> None:
        condition = self._condition(t.condition)
        for when, body in ((condition, t.then), (y.neg(condition), t.otherwise)):
            with self.state.under(when):
                executor.run(body)

    def _condition(self, e: c.Expr) -> Bool:
        reads = self.tells and any(isinstance(n, c.Reading) for n in walk(e))
        if reads and not any(True for _ in fault_sites(e)):
            return z3.Bool(self.state.name())
        try:
            return self.encoder.truth(e)
        except NotEncodedError:
            if self.only is None:
                raise
            return self._in_part(stripped(e))

    def _in_part(self, e: c.Expr) -> Bool:
        """A condition that cannot be encoded as a whole, encoding whichever operands can be."""
        if not isinstance(e, c.Logic):
            return z3.Bool(self.state.name())
        left, both = self._condition(e.left), e.operator == "and"
        with self.state.under(left if both else y.neg(left)):
            right = self._condition(e.right)
        return y.conj(left, right) if both else y.disj(left, right)

    def loop(self, executor: Executor, t: c.Loop) -> None:
        members = [(x, when) for x, when in self.encoder.members(t.domain) if when is not False]
        for start, chosen in y.cases(0 if t.order.start is None else self.encoder.player(t.order.start)).of:
            with self.state.under(False if start is None else chosen):
                for x, when in self._in_order(t, sorted(members), start or 0):
                    self.state.bound[t.binder] = x
                    with self.state.under(when):
                        executor.run(t.body)

    def _in_order(self, t: c.Loop, elements: list[tuple[int, Bool]], start: int) -> list[tuple[int, Bool]]:
        if t.order.start is not None:
            n, turn = self.state.program.players, 1 if t.order.clockwise else -1
            elements.sort(key=lambda m: (m[0] - start) * turn % n)
        if not t.order.keys:
            return elements
        rankings = [ranking(self.encoder, t.order, x, when) for x, when in elements]
        if t.order.ties == "impossible":
            for (one, a), (other, b) in combinations(zip(elements, rankings, strict=True), 2):
                self.encoder.fault(y.conj(one[1], other[1], tied(a, b)), t.span, "tie")
        return [(x, when) for x, when in in_places(elements, rankings) if when is not False]

    def until(self, executor: Executor, t: c.Until) -> None:
        bound = self.encoder.value(t.bound)
        for _ in range(min(bound, ROUNDS) if isinstance(bound, int) else 0):
            condition = self.encoder.value(t.condition)
            if condition is True:
                return
            if condition is not False:
                break
            executor.run(t.body)
        raise NotEncodedError("how often it is repeated depends on the play", t.span)

    def rule(self, executor: Executor, t: c.InRule) -> None:
        executor.run(t.body)

    def before_choice(self, t: c.ChooseCards) -> None:
        """No claims are raised."""

    def end(self, executor: Executor, t: c.EndMatch) -> None:
        winners = Members(tuple(self.encoder.members(t.winners)))
        self.state.winners = y.choose_members(self.state.guard, winners, self.state.winners)
        self.state.ended = y.disj(self.state.ended, self.state.guard)

    def end_hand(self, executor: Executor, t: c.EndHand) -> None:
        if t.again:
            self.state.thrown_in.append((self.state.guard, dict(self.state.variables)))
        self.state.gone = y.disj(self.state.gone, self.state.guard)

    def after_skip(self, usage: Usage) -> None:
        """A deal may be thrown in within the skipped statement.

        Other ends of the deal do not matter: what a slice is for comes before them, and code that only
        discloses or computes has none.
        """
        if any(end.again for end in usage.hand_ends):
            when = y.conj(self.state.guard, z3.Bool(self.state.name()))
            self.state.thrown_in.append((when, dict(self.state.variables)))
            self.state.gone = y.disj(self.state.gone, when)


def carry_out(state: Environment, body: tuple[c.Stmt, ...], only: Slice | None = None) -> Environment:
    """Execute statements with unknown cards: before the play a slice of them, after it all.

    Before the play any choice is possible, and whatever depends on cards or cannot be encoded for another
    reason is unknown, which over-approximates. After the play everything is exact; raises NotEncodedError if
    that is impossible.
    """
    encoder = Encoder(state)
    policy = Merge(state, encoder, skips=only is not None, only=only)
    Executor(state, encoder, OpaqueActions(encoder, played=only is None), policy).run(body)
    return state
