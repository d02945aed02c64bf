"""Instrument a program to record what it reaches: each step is preceded by Boolean assignments.

Nothing else changes: apart from these variables, the states, events and decisions are those of the original
program. Any engine for core programs can run it. A goal inside a player's choice (which cards may be played)
counts where the choice is offered: its notes are set anew each time and belong to the decision of that name
(`decision`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from trickproof.analysis.dependencies import is_constant
from trickproof.analysis.intervals import Intervals
from trickproof.vectors.coverage_goal import RULE, Goal
from trickproof.vectors.coverage_points import (
    Point,
    Points,
    both,
    compared,
    integer,
    no,
    size_of,
    sized,
    some,
    true,
)
from trickproof_dsl import core as c
from trickproof_dsl.core.binders import rename
from trickproof_dsl.core.traversal import parts

Body = tuple[c.Stmt, ...]

NOTED = "?"
"""Prefix of instrumentation variables, which no ruleset can use."""


@dataclass(frozen=True, slots=True)
class Note:
    """A Boolean variable that records whether a goal is reached; `decision` names its decision, if any."""

    variable: str
    goal: Goal
    decision: str | None


@dataclass(frozen=True, slots=True)
class Watched:
    """An instrumented program."""

    program: c.Program
    notes: tuple[Note, ...]
    cost: int
    """Approximate number of steps to set every note once."""

    @property
    def goals(self) -> tuple[Goal, ...]:
        """Every goal once, in program order."""
        return tuple(dict.fromkeys(note.goal for note in self.notes))


GoalFilter = Callable[[Goal, int], bool]
"""Whether to record a goal, given the number of steps that it costs."""


def watched(
    program: c.Program,
    selects: GoalFilter = lambda goal, steps: True,
    points: Callable[[c.Program], Points] = Points,
) -> Watched:
    """Instrument a program for all or the selected goals; `points` defines the cases of expressions."""
    watch = _Watch(program, selects, points(program))
    setup, hand, last = (watch.body(body, "") for body in program.phases)
    variables = {
        note.variable: c.VariableInfo(note.variable, c.BOOLEAN, (), False, False) for note in watch.notes
    }
    variables |= {name: c.VariableInfo(name, c.INTEGER, (), False, 0) for name in watch.counters}
    changed = replace(
        program, variables={**program.variables, **variables}, setup=setup, hand=hand, between=last
    )
    return Watched(changed, tuple(watch.notes), watch.cost)


class _Watch:
    def __init__(self, program: c.Program, selects: GoalFilter, points: Points) -> None:
        self.program, self._selects, self.cost = program, selects, 0
        self.points = points
        self.notes: list[Note] = []
        self.counters: list[str] = []
        self._known: dict[tuple[Goal, str | None], str] = {}

    def body(self, body: Body, rule: str) -> Body:
        return tuple(step for old in body for step in self._step(old, rule))

    def _step(self, t: c.Stmt, rule: str) -> Iterator[c.Stmt]:
        if isinstance(t, c.InRule):
            yield from self._noted([(Goal(RULE, "is carried out", t.span, t.rule), true(t.span))])
            yield replace(t, body=self.body(t.body, t.rule))
            return
        yield from self._noted([(self._goal(t, "is carried out", rule), true(t.span))])
        match t:
            case c.Branch():
                yield from self._noted(self._decided(t, t.condition, rule))
                then, otherwise = self.body(t.then, rule), self.body(t.otherwise, rule)
                yield replace(t, then=then, otherwise=otherwise)
            case c.Loop():
                yield from self._noted(self._gone_through(t, rule))
                yield replace(t, body=self.body(t.body, rule))
            case c.Until():
                yield from self._until(t, rule)
            case c.ChooseCards() | c.ChooseValue():
                yield from self._noted(self._no_question(t, rule))
                yield from self._noted(self._question(t, rule), t.binder)
                yield t
            case c.Assign() | c.Move() | c.Show() | c.Deal() | c.EndMatch():
                yield from self._noted(self._plain(t, rule))
                yield t
            case c.Shuffle() | c.Announce() | c.EndHand() | c.Unspecified():
                yield t
            case _:
                assert_never(t)

    # ------------------------------------------------------------------------------------------ notes

    def _noted(self, points: Iterator[Point] | list[Point], decision: str | None = None) -> Iterator[c.Stmt]:
        """Steps that record the points; notes are sticky, except those of a decision."""
        for goal, condition in points:
            steps = cost(self.points.intervals, condition)
            if not self._selects(goal, steps):
                continue
            self.cost += steps
            name, span = self._variable(goal, decision), condition.span
            noted = c.Assign(name, (), self.points.fresh(condition), span)
            seen = c.Variable(name, (), c.BOOLEAN, span)
            yield noted if decision is not None else c.Branch(seen, (), (noted,), span)

    def _variable(self, goal: Goal, decision: str | None) -> str:
        """The variable of a goal; a decision needs one per point, as several may be evaluated together."""
        if decision is None and (goal, None) in self._known:
            return self._known[goal, None]
        name = f"{NOTED}reached.{len(self.notes)}"
        self._known[goal, decision] = name
        self.notes.append(Note(name, goal, decision))
        return name

    def _goal(self, t: c.Stmt, case: str, rule: str) -> Goal:
        return Goal(type(t).__name__.lower(), case, t.span, rule)

    # ------------------------------------------------------------------------------------------ steps

    def _decided(self, t: c.Branch, condition: c.Expr, rule: str) -> Iterator[Point]:
        if not is_constant(condition):
            yield self._goal(t, "holds and is carried out", rule), condition
            yield self._goal(t, "does not hold and is skipped", rule), no(condition)
        yield from self.points.of(condition, rule)

    def _gone_through(self, t: c.Loop, rule: str) -> Iterator[Point]:
        yield from self.points.of(t.domain, rule)
        for case, condition in self.points.rounds(t.domain):
            yield self._goal(t, case, rule), condition
        for _, binder, key in t.order.keys:
            yield from self.points.of(key, rule, lambda x, binder=binder: some(binder, t.domain, x))  # type: ignore[misc]
        if t.order.keys and self.points.intervals.size(t.domain).may_be_above(1):
            equals = self._equals(t)
            if t.order.ties != "impossible":
                yield self._goal(t, "has a tie in its order", rule), equals
            yield (
                self._goal(t, "orders several without a tie", rule),
                both(sized(t.domain, ">", 1), no(equals)),
            )

    def _equals(self, t: c.Loop) -> c.Expr:
        """The condition that two elements are equal under every key."""
        kind, span = t.domain.type, t.domain.span
        element = c.Type(c.SETS[kind.kind])
        one, other = c.Local("one.seen", element, span), c.Local("other.seen", element, span)
        alike = compared(one, "!=", other)
        for _, binder, key in t.order.keys:
            keys = (rename(key, {binder: one.name}), rename(key, {binder: other.name}))
            alike = both(alike, compared(keys[0], "=", keys[1]))
        return some(one.name, t.domain, some(other.name, t.domain, alike))

    def _until(self, t: c.Until, rule: str) -> Iterator[c.Stmt]:
        """Count iterations; the condition is evaluated before each and after the last."""
        name = f"{NOTED}rounds.{len(self.counters)}"
        self.counters.append(name)
        rounds = c.Variable(name, (), c.INTEGER, t.span)
        condition = list(self.points.of(t.condition, rule))
        yield c.Assign(name, (), integer(0, t.span), t.span)
        yield from self._noted(condition)
        one_more = c.Arithmetic("+", rounds, integer(1, t.span), c.INTEGER, t.span)
        inner = (*self.body(t.body, rule), c.Assign(name, (), one_more, t.span), *self._noted(condition))
        yield replace(t, body=inner)
        yield from self._noted(
            [
                (self._goal(t, case, rule), compared(rounds, operator, integer(n, t.span)))
                for case, operator, n in (
                    ("has zero iterations", "=", 0),
                    ("has one iteration", "=", 1),
                    ("has several iterations", ">", 1),
                )
            ]
        )

    def _no_question(self, t: c.Choice, rule: str) -> Iterator[Point]:
        """Cases that occur although no choice is offered."""
        if isinstance(t, c.ChooseCards) and self.points.intervals.number(t.high).may_be_below(1):
            yield self._goal(t, "asks for no cards", rule), compared(t.high, "=", integer(0, t.span))

    def _question(self, t: c.Choice, rule: str) -> Iterator[Point]:
        yield from self.points.of(t.domain, rule)
        if isinstance(t, c.ChooseCards):
            yield from self.points.of(t.low, rule)
            if t.high != t.low:
                yield from self.points.of(t.high, rule)
        else:
            yield from self.points.of(t.condition, rule, lambda x: some(t.binder, t.domain, x))

    def _plain(self, t: c.Assign | c.Move | c.Show | c.Deal | c.EndMatch, rule: str) -> Iterator[Point]:
        match t:
            case c.Assign():
                kind = self.program.variables[t.variable].type
                before = c.Variable(t.variable, t.arguments, kind, t.span)
                yield self._goal(t, "changes something", rule), compared(before, "!=", t.value)
                yield from self.points.of(t.value, rule)
            case c.Move() | c.Show() if not isinstance(t.cards, c.Local):
                yield from self._moved(t, t.cards, rule)
            case c.Show():
                yield from self.points.of(t.to, rule)
            case c.Deal() if t.count is not None:
                yield from self.points.of(t.count, rule)
            case c.EndMatch():
                yield from self.points.of(t.winners, rule)
                yield self._goal(t, "has one winner", rule), sized(t.winners, "=", 1)
                yield self._goal(t, "has several winners", rule), sized(t.winners, ">", 1)

    def _moved(self, t: c.Move | c.Show, cards: c.Expr, rule: str) -> Iterator[Point]:
        yield from self.points.of(cards, rule)
        if cards.type == c.CARDS and not isinstance(cards, c.Single):
            yield self._goal(t, "has no cards", rule), compared(size_of(cards), "=", integer(0, t.span))
            yield self._goal(t, "has one card", rule), sized(cards, "=", 1)
            yield self._goal(t, "has several cards", rule), sized(cards, ">", 1)


ASSUMED_SIZE = 20
"""Assumed number of elements of an unbounded set of numbers."""


def cost(intervals: Intervals, e: c.Expr) -> int:
    """Approximate number of steps to evaluate an expression, assuming that sets have their maximum size."""
    domain = getattr(e, "operand", None) if isinstance(e, c.Top) else getattr(e, "domain", None)
    steps_of_parts = [(part, cost(intervals, part)) for part in parts(e)]
    if domain is None:
        return 1 + sum(steps for _, steps in steps_of_parts)
    most = intervals.size(domain).high
    rounds = ASSUMED_SIZE if most is None else most
    return 1 + sum(steps if part is domain else rounds * steps for part, steps in steps_of_parts)
