"""Interval analysis: bounds on integers, on the sizes of sets, and on their integer elements.

An unknown bound is None. `Intervals(program)` assumes nothing about variables; `reachable_intervals` follows
them through their assignments (flow-insensitively, ignoring conditions), so that its results hold for states
of matches played from the start.

Assumes that expressions are parts of a match (`setup`, `hand`, `between`), where every name is bound once.
Promises that an expression with a value has it within its interval; an expression that faults may have any
interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk

EXACT_PASSES = 6
"""Number of passes over all assignments with exact joins; a bound that still moves afterwards is widened to infinity."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The integers from `low` to `high`, inclusive; None means unbounded."""

    low: int | None
    high: int | None

    @property
    def bounded(self) -> bool:
        return self.low is not None and self.high is not None

    @property
    def magnitude(self) -> int | None:
        """The largest absolute value; None if unbounded."""
        return None if self.low is None or self.high is None else max(abs(self.low), abs(self.high))

    def __contains__(self, number: int) -> bool:
        return (self.low is None or self.low <= number) and (self.high is None or number <= self.high)

    def may_be_below(self, number: int) -> bool:
        return self.low is None or self.low < number

    def may_be_above(self, number: int) -> bool:
        return self.high is None or self.high > number

    def join(self, other: Interval) -> Interval:
        """The smallest interval that contains both."""
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Interval(low, high)

    def widen(self, other: Interval) -> Interval:
        """The join, dropping every bound of this interval that the other exceeds."""
        joined = self.join(other)
        low = self.low if joined.low == self.low else None
        return Interval(low, self.high if joined.high == self.high else None)

    def __neg__(self) -> Interval:
        return Interval(None if self.high is None else -self.high, None if self.low is None else -self.low)

    def __add__(self, other: Interval) -> Interval:
        low = None if self.low is None or other.low is None else self.low + other.low
        return Interval(low, None if self.high is None or other.high is None else self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        if ZERO in (self, other):
            return ZERO
        corners = [x * y for x in _ends(self) for y in _ends(other)]
        if self.bounded and other.bounded:
            return Interval(min(corners), max(corners))
        positive = not self.may_be_below(0) and not other.may_be_below(0)
        return Interval(min(corners), None) if positive else UNBOUNDED

    def __floordiv__(self, other: Interval) -> Interval:
        """Division rounding towards minus infinity; only bounded for non-negative divisors, where 0 has no quotient."""
        if other.may_be_below(0):
            return UNBOUNDED
        divisor = Interval(max(1, other.low or 0), None if other.high is None else max(1, other.high))
        return Interval(_least_quotient(self.low, divisor), _greatest_quotient(self.high, divisor))

    def __mod__(self, other: Interval) -> Interval:
        """A remainder has the sign of the divisor and a smaller magnitude."""
        low = 0 if not other.may_be_below(0) else None if other.low is None else other.low + 1
        high = 0 if not other.may_be_above(0) else None if other.high is None else other.high - 1
        if low == 0 and not self.may_be_below(0):
            return Interval(0, _least(self.high, high))
        return Interval(low, high)


UNBOUNDED = Interval(None, None)
ZERO = Interval(0, 0)


def exactly(number: int) -> Interval:
    return Interval(number, number)


class Intervals:
    """The intervals of the expressions of a program; `variables` holds those of integer variables, as far as known."""

    def __init__(self, program: c.Program, variables: Mapping[str, Interval] | None = None) -> None:
        self.program = program
        self.variables = dict(variables or {})
        self._domains = dict(_bound_integers(program))

    def number(self, e: c.Expr) -> Interval:
        """The interval of an integer, or of the height of a rank."""
        match e:
            case c.Literal(value=int(value)):
                return exactly(int(value))
            case c.Parameter():
                values = self.program.parameters[e.name]
                return Interval(min(values), max(values))
            case c.Local() if e.name in self._domains:
                return self.elements(self._domains[e.name])
            case c.Variable():
                return self.variables.get(e.name, UNBOUNDED)
            case c.Arithmetic():
                return _arithmetic(e.operator, self.number(e.left), self.number(e.right))
            case c.Conditional():
                return self.number(e.then).join(self.number(e.otherwise))
            case c.CardAttribute():
                deck = self.program.deck
                return Interval(0, len(deck.suits if e.attribute == "suit" else deck.ranks) - 1)
            case c.Size():
                return self.size(e.set)
            case c.Sum():
                return self._sum(self.size(e.domain), self.number(e.value))
            case c.Extreme() | c.RuleValue():
                return self.number(e.value)
            case c.Only() if e.type == c.INTEGER:
                return self.elements(e.operand)
        return UNBOUNDED

    def size(self, e: c.Expr) -> Interval:
        """Bounds on the number of elements of a set."""
        match e:
            case c.Literal(value=tuple(value)):
                return exactly(len(value))
            case c.Universe():
                return Interval(self._all(e.type.kind), self._all(e.type.kind))
            case c.Single():
                return exactly(1) if e.type == c.INTEGERS else Interval(0, 1)
            case c.RuleValue():
                return self.size(e.value)
            case c.Conditional():
                return self.size(e.then).join(self.size(e.otherwise))
            case c.Range():
                length = self.number(e.high) - self.number(e.low) + exactly(1)
                return Interval(max(length.low or 0, 0), None if length.high is None else max(length.high, 0))
            case c.SetOperation(operator="+"):
                left, right = self.size(e.left), self.size(e.right)
                return self._at_most_all(e, Interval(_most(left.low, right.low), (left + right).high))
            case c.SetOperation():
                left = self.size(e.left)
                return Interval(max((left - self.size(e.right)).low or 0, 0), left.high)
            case c.Filter():
                return Interval(0, self.size(e.domain).high)
            case c.Best():
                domain = self.size(e.domain)
                return Interval(min(domain.low or 0, 1), domain.high)
            case c.Top():
                return self._at_most_all(e, self.number(e.count))
            case c.Matching():
                return Interval(0, _least(self.size(e.operand).high, self.size(e.pattern).high))
        return Interval(0, self._all(e.type.kind))

    def elements(self, e: c.Expr) -> Interval:
        """An interval that contains every element of a set of integers; arbitrary for the empty set."""
        match e:
            case c.Literal(value=tuple(value)):
                return Interval(min(value, default=0), max(value, default=0))
            case c.Range():
                low, high = self.number(e.low).low, self.number(e.high).high
                return Interval(low, high if low is None or high is None else max(low, high))
            case c.Single():
                return self.number(e.element)
            case c.Filter() | c.Best():
                return self.elements(e.domain)
            case c.Top():
                return self.elements(e.operand)
            case c.RuleValue() | c.UnionOf():
                return self.elements(e.value)
            case c.Conditional():
                return self.elements(e.then).join(self.elements(e.otherwise))
            case c.SetOperation():
                left = self.elements(e.left)
                return left if e.operator == "-" else left.join(self.elements(e.right))
        return UNBOUNDED

    def _sum(self, terms: Interval, term: Interval) -> Interval:
        """The sum of a number of terms (`terms`), each within `term`."""
        least = terms * Interval(term.low, term.low) if term.low is not None else UNBOUNDED
        most = terms * Interval(term.high, term.high) if term.high is not None else UNBOUNDED
        return Interval(least.low, most.high)

    def _at_most_all(self, e: c.Expr, size: Interval) -> Interval:
        return Interval(max(size.low or 0, 0), _least(size.high, self._all(e.type.kind)))

    def _all(self, kind: str) -> int | None:
        """The number of elements of a kind; None (unbounded) for integers."""
        deck = self.program.deck
        sizes = {"cards": len(deck.cards), "suits": len(deck.suits), "ranks": len(deck.ranks)}
        return None if kind == "integers" else sizes.get(kind, self.program.players)


def reachable_intervals(program: c.Program) -> Intervals:
    """The intervals in every state that a match can reach from its start."""
    assignments = [t for t in walk(*program.phases) if isinstance(t, c.Assign) and t.value.type == c.INTEGER]
    intervals = Intervals(
        program,
        {
            info.name: exactly(int(info.initial))
            for info in program.variables.values()
            if info.type == c.INTEGER and isinstance(info.initial, int)
        },
    )
    known, passes, changed = intervals.variables, 0, True
    while changed:
        changed, passes = False, passes + 1
        for t in assignments:
            before, assigned = known.get(t.variable, UNBOUNDED), intervals.number(t.value)
            after = before.join(assigned) if passes <= EXACT_PASSES else before.widen(assigned)
            if after != before:
                known[t.variable], changed = after, True
    return intervals


def assigned_intervals(program: c.Program) -> dict[str, Interval]:
    """For each integer variable, the interval of what is assigned to it in a match; without its initial value, as far as that is not assigned."""
    intervals, assigned = reachable_intervals(program), dict[str, Interval]()
    for t in walk(*program.phases):
        if isinstance(t, c.Assign) and t.value.type == c.INTEGER:
            value = intervals.number(t.value)
            assigned[t.variable] = assigned.get(t.variable, value).join(value)
    return assigned


def _bound_integers(program: c.Program) -> Iterator[tuple[str, c.Expr]]:
    """Names bound to the elements of sets of integers, with those sets."""
    for node in walk(*program.phases):
        match node:
            case c.Loop() if node.domain.type == c.INTEGERS:
                yield node.binder, node.domain
                yield from ((binder, node.domain) for _, binder, _ in node.order.keys)
            case c.ChooseValue() if node.value_type == c.INTEGER and node.domain.type == c.INTEGERS:
                yield node.binder, node.domain
            case c.Filter() | c.Exists() | c.Sum() | c.UnionOf() | c.Extreme() | c.Best():
                if node.domain.type == c.INTEGERS:
                    yield node.binder, node.domain
            case c.Top() if node.operand.type == c.INTEGERS:
                yield node.binder, node.operand


def _arithmetic(operator: str, left: Interval, right: Interval) -> Interval:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "div":
            return left // right
        case "mod":
            return left % right
    return UNBOUNDED


def _ends(interval: Interval) -> list[int]:
    return [end for end in (interval.low, interval.high) if end is not None]


def _least_quotient(dividend: int | None, divisor: Interval) -> int | None:
    if dividend is None:
        return None
    by = divisor.low if dividend < 0 else divisor.high
    return 0 if by is None else dividend // by


def _greatest_quotient(dividend: int | None, divisor: Interval) -> int | None:
    if dividend is None:
        return None
    by = divisor.low if dividend >= 0 else divisor.high
    return -1 if by is None else dividend // by


def _least(a: int | None, b: int | None) -> int | None:
    """The smaller of two upper bounds."""
    return a if b is None else b if a is None else min(a, b)


def _most(a: int | None, b: int | None) -> int:
    """The larger of two lower bounds on a size."""
    return max(a or 0, b or 0)
