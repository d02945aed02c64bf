"""The cases of an expression, each with a condition for when it occurs during evaluation.

The conditions are core expressions over the same environment. They follow the evaluation order: the right
operand of `and` is considered only where the left one holds, a filter's condition for some element. They
therefore fail at run time exactly where the rules do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from trickproof.analysis.dependencies import is_constant
from trickproof.analysis.intervals import Interval, Intervals
from trickproof.vectors.coverage_goal import RULE, Goal
from trickproof_dsl import core as c
from trickproof_dsl.core.binders import bound_by, distinct, rename
from trickproof_dsl.core.traversal import parts, walk
from trickproof_dsl.diagnostics.source import Span

Point = tuple[Goal, c.Expr]
Within = Callable[[c.Expr], c.Expr]
"""Lifts a condition about a subexpression to one about the whole expression."""

Cases = Iterator[tuple[str, c.Expr]]

_BELOW, _AT, _ABOVE = (
    ("is one below the boundary", -1),
    ("is at the boundary", 0),
    ("is one above the boundary", 1),
)
_EDGES = {"=": (_BELOW, _ABOVE), ">": (_AT, _ABOVE), ">=": (_BELOW, _AT)}
_EDGES |= {"!=": _EDGES["="], "<=": _EDGES[">"], "<": _EDGES[">="]}
"""The values on both sides of a comparison's boundary, as differences."""

_FORWARDED = (c.Logic, c.Not, c.RuleValue, c.Conditional, c.Literal)
"""Expressions that consist of other conditions."""


def both(a: c.Expr, b: c.Expr) -> c.Expr:
    return c.Logic("and", a, b, c.BOOLEAN, b.span)


def true(span: Span) -> c.Expr:
    return c.Literal(c.BOOLEAN, True, span)


def no(a: c.Expr) -> c.Expr:
    return c.Not(a, c.BOOLEAN, a.span)


def integer(value: int, span: Span) -> c.Literal:
    return c.Literal(c.INTEGER, value, span)


def compared(a: c.Expr, operator: str, b: c.Expr) -> c.Expr:
    return c.Compare(operator, a, b, c.BOOLEAN, a.span)


def size_of(e: c.Expr) -> c.Expr:
    return c.Size(e, c.INTEGER, e.span)


def sized(e: c.Expr, operator: str, n: int) -> c.Expr:
    return compared(size_of(e), operator, integer(n, e.span))


def some(binder: str, domain: c.Expr, condition: c.Expr) -> c.Expr:
    return c.Exists(binder, domain, condition, c.BOOLEAN, domain.span)


def all_at_once(e: c.Expr) -> c.Expr:
    return e


class Points:
    """The points of the expressions of one program; every condition has its own bound names."""

    def __init__(self, program: c.Program) -> None:
        self.program, self.intervals, self._names = program, Intervals(program), count()

    def fresh(self, e: c.Expr) -> c.Expr:
        """The condition with fresh bound names."""
        names = {name for node in walk(e) for name, _ in bound_by(node)}
        mark = next(self._names)
        return distinct(rename(e, {name: f"{name}.seen{mark}" for name in names})) if names else e

    def of(self, e: c.Expr, rule: str, within: Within = all_at_once) -> Iterator[Point]:
        """The points of an expression and of all its subexpressions."""
        if isinstance(e, c.RuleValue):
            yield Goal(RULE, "is used", e.span, e.rule), within(true(e.span))
            yield from self.of(e.value, e.rule, within)
            return
        for case, condition in self.cases(e):
            yield Goal(_part(e), case, e.span, rule), within(condition)
        yield from self._below(e, rule, within)

    def _below(self, e: c.Expr, rule: str, within: Within) -> Iterator[Point]:
        match e:
            case c.Logic():
                yield from self.of(e.left, rule, within)
                settled = e.left if e.operator == "and" else no(e.left)
                yield from self.of(e.right, rule, lambda x: within(both(settled, x)))
            case c.Conditional():
                yield from self.of(e.condition, rule, within)
                yield from self.of(e.then, rule, lambda x: within(both(e.condition, x)))
                yield from self.of(e.otherwise, rule, lambda x: within(both(no(e.condition), x)))
            case c.Filter() | c.Exists() | c.Sum() | c.UnionOf() | c.Extreme() | c.Best() | c.Top():
                domain = e.operand if isinstance(e, c.Top) else e.domain
                yield from self.of(domain, rule, within)
                if isinstance(e, c.Top):
                    yield from self.of(e.count, rule, within)
                inner = e.condition if isinstance(e, c.Filter | c.Exists) else None
                inner = inner or (e.key if isinstance(e, c.Best | c.Top) else getattr(e, "value", None))
                assert inner is not None
                yield from self.of(inner, rule, lambda x: within(some(e.binder, domain, x)))
            case _:
                for part in parts(e):
                    yield from self.of(part, rule, within)

    # ------------------------------------------------------------------------------------------ cases

    def cases(self, e: c.Expr) -> Cases:
        """The cases of an expression itself."""
        if e.type == c.BOOLEAN and not is_constant(e) and not isinstance(e, _FORWARDED):
            yield from self.truth(e)
        match e:
            case c.Compare() if e.left.type == c.INTEGER:
                yield from self._edges(e)
            case c.Compare() if e.operator not in ("=", "!="):
                yield "compares equal values", compared(e.left, "=", e.right)
            case c.Conditional() if not is_constant(e.condition):
                yield "holds, and the first value is taken", e.condition
                yield "does not hold, and the second value is taken", no(e.condition)
            case c.Filter() if not is_constant(e):
                yield from self._filtered(e)
            case c.Best():
                yield from self._best(e)
            case c.Parameter():
                for value in self.program.parameters[e.name]:
                    yield f"is {value}", compared(e, "=", integer(value, e.span))
            case c.Matching():
                yield "has nothing to match", sized(e.pattern, "=", 0)
                yield "gives the same cards back", both(sized(e.pattern, ">", 0), compared(e, "=", e.pattern))
                yield "gives other cards", compared(e, "!=", e.pattern)
            case c.Top():
                yield "leaves some out", compared(size_of(e), "<", size_of(e.operand))
            case c.Arithmetic(operator="div" | "mod"):
                rest = replace(e, operator="mod")
                yield "leaves no remainder", compared(rest, "=", integer(0, e.span))
                yield "leaves a remainder", compared(rest, "!=", integer(0, e.span))

    def truth(self, e: c.Expr) -> Cases:
        """Both truth values, as far as integer bounds allow them."""
        ever = (True, True)
        if isinstance(e, c.Compare) and e.left.type == c.INTEGER:
            ever = _outcomes(e.operator, self._difference(e))
        if ever[0]:
            yield "is true", e
        if ever[1]:
            yield "is false", no(e)

    def _difference(self, e: c.Compare) -> Interval:
        return self.intervals.number(e.left) - self.intervals.number(e.right)

    def _edges(self, e: c.Compare) -> Cases:
        """The values just on either side of a comparison's boundary."""
        difference = self._difference(e)
        for case, by in _EDGES[e.operator] if not is_constant(e) else ():
            if by in difference:
                edge = c.Arithmetic("+", e.right, integer(by, e.span), c.INTEGER, e.span) if by else e.right
                yield case, compared(e.left, "=", edge)

    def _filtered(self, e: c.Filter) -> Cases:
        yield "selects nothing", sized(e, "=", 0)
        if self.intervals.size(e.domain).may_be_above(1):
            some_of_them = compared(size_of(e), "<", size_of(e.domain))
            yield "selects some and leaves some out", both(sized(e, ">", 0), some_of_them)
        all_of_them = compared(size_of(e), "=", size_of(e.domain))
        yield "selects all of them", both(sized(e, ">", 0), all_of_them)

    def _best(self, e: c.Best) -> Cases:
        size = self.intervals.size(e.domain)
        if size.may_be_above(1):
            yield "is one of several", both(sized(e, "=", 1), sized(e.domain, ">", 1))
            yield "has a tie", sized(e, ">", 1)
        if 0 in size:
            yield "is applied to an empty set", sized(e.domain, "=", 0)

    def rounds(self, domain: c.Expr) -> Cases:
        """No, one or several elements, as far as the bounds on the set's size allow."""
        size = self.intervals.size(domain)
        if size.low == size.high:
            return
        if 0 in size:
            yield "has zero iterations", sized(domain, "=", 0)
        if 1 in size:
            yield "has one iteration", sized(domain, "=", 1)
        if size.may_be_above(1):
            yield "has several iterations", sized(domain, ">", 1)


def _outcomes(operator: str, difference: Interval) -> tuple[bool, bool]:
    """Whether a comparison can hold, and whether it can fail, given the difference of its sides."""
    below, equal, above = difference.may_be_below(0), 0 in difference, difference.may_be_above(0)
    holds = {
        "=": equal,
        "!=": below or above,
        "<": below,
        "<=": below or equal,
        ">": above,
        ">=": above or equal,
    }
    opposite = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
    return holds[operator], holds[opposite[operator]]


def _part(e: c.Expr) -> str:
    """Distinguishes expressions with the same span."""
    return type(e).__name__.lower()
