"""Canonical forms of conditions, sums and comparisons, equal for those that differ only in wording.

Every rewriting preserves the value in every state. Operands change places only if at most one of them can
fault, or in a comparison, which faults either way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trickproof.equivalence.constant_folding import cannot_fault
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span

_TURNED = {">": "<", ">=": "<="}
_SYMMETRIC = ("=", "!=")
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def plain_form(e: c.Expr) -> c.Expr:
    """A canonical form of an expression whose operands have theirs."""
    match e:
        case c.Compare():
            return _compared(e)
        case c.Logic():
            return _joined(e.operator, [e.left, e.right], e.span)
        case c.Not():
            return _negated(e.operand, e)
        case c.Conditional():
            return _chosen(e)
        case c.Arithmetic(operator="+" | "-"):
            linear = Linear.of(e)
            return e if linear is None else linear.expression(e.span)
    return e


def merged(step: c.Branch) -> c.Branch:
    """A branch with nested ones that share a side joined into one condition, and no negated condition."""
    if isinstance(step.condition, c.Not):
        step = replace(step, condition=step.condition.operand, then=step.otherwise, otherwise=step.then)
    elif isinstance(step.condition, c.Compare) and step.condition.operator == "!=":
        equal = replace(step.condition, operator="=")
        step = replace(step, condition=equal, then=step.otherwise, otherwise=step.then)
    match step.then, step.otherwise:
        case (c.Branch(condition, then, otherwise),), other if otherwise == other:
            both = _joined("and", [step.condition, condition], step.span)
            return merged(replace(step, condition=both, then=then))
        case then, (c.Branch(condition, other, otherwise),) if then == other:
            either = _joined("or", [step.condition, condition], step.span)
            return merged(replace(step, condition=either, otherwise=otherwise))
    return step


# ------------------------------------------------------------------------------------------- conditions


def _compared(e: c.Compare) -> c.Expr:
    some = _whether_some(e)
    if some is not None:
        return some
    if e.operator in _TURNED:
        e = replace(e, operator=_TURNED[e.operator], left=e.right, right=e.left)
    if e.left.type == c.INTEGER and e.right.type == c.INTEGER:
        return _of_numbers(e)
    if e.operator in _SYMMETRIC and repr(e.left) > repr(e.right):
        return replace(e, left=e.right, right=e.left)
    return e


def _of_numbers(e: c.Compare) -> c.Compare:
    """A comparison of sums: each term once, on the side where it is added, and the rest of the constants on the right."""
    left, right = Linear.of(e.left, anyway=True), Linear.of(e.right, anyway=True)
    if left is None or right is None:
        return e
    difference = left.minus(right)
    if difference is None:
        return e
    if e.operator == "<":  # of whole numbers
        e, difference = replace(e, operator="<="), replace(difference, constant=difference.constant + 1)
    if e.operator in _SYMMETRIC and repr(difference.added(e.span)) > repr(difference.negated.added(e.span)):
        difference = difference.negated
    subtracted = Linear(
        {x: -times for x, times in difference.terms.items() if times < 0}, -difference.constant
    )
    return replace(e, left=difference.added(e.span), right=subtracted.expression(e.span))


def _joined(operator: str, operands: Sequence[c.Expr], span: Span) -> c.Expr:
    """Several conditions joined by `and` or `or`, in a fixed order if none of them can fault."""
    flat: list[c.Expr] = []
    for x in operands:
        flat += _operands(operator, x)
    if cannot_fault(tuple(flat)):
        flat = sorted({repr(x): x for x in flat}.values(), key=repr)
    joined = flat[-1]
    for x in reversed(flat[:-1]):
        joined = c.Logic("and" if operator == "and" else "or", x, joined, c.BOOLEAN, span)
    return joined


def _operands(operator: str, e: c.Expr) -> list[c.Expr]:
    if isinstance(e, c.Logic) and e.operator == operator:
        return [*_operands(operator, e.left), *_operands(operator, e.right)]
    return [e]


def _negated(e: c.Expr, whole: c.Not) -> c.Expr:
    """The opposite of a condition, with the negation moved inwards."""
    match e:
        case c.Not():
            return e.operand
        case c.Literal(value=bool(value)):
            return replace(e, value=not value)
        case c.Compare() if e.operator in _SYMMETRIC or e.left.type == c.INTEGER:
            return _compared(replace(e, operator=_OPPOSITE[e.operator]))
        case c.Logic():
            sides = [_negated(x, replace(whole, operand=x)) for x in (e.left, e.right)]
            return _joined("or" if e.operator == "and" else "and", sides, e.span)
    return whole


def _chosen(e: c.Conditional) -> c.Expr:
    """A conditional value without a negated condition, with nested ones joined; a condition if it is one."""
    if isinstance(e.condition, c.Not):
        e = replace(e, condition=e.condition.operand, then=e.otherwise, otherwise=e.then)
    if e.type == c.BOOLEAN:
        if e.otherwise == c.Literal(c.BOOLEAN, False, e.span):
            return _joined("and", [e.condition, e.then], e.span)
        if e.then == c.Literal(c.BOOLEAN, True, e.span):
            return _joined("or", [e.condition, e.otherwise], e.span)
    if e.then == e.otherwise and cannot_fault(e.condition):
        return e.then
    match e:
        case c.Conditional(then=c.Conditional(condition, then, otherwise)) if otherwise == e.otherwise:
            both = _joined("and", [e.condition, condition], e.span)
            return _chosen(replace(e, condition=both, then=then))
        case c.Conditional(otherwise=c.Conditional(condition, then, otherwise)) if then == e.then:
            either = _joined("or", [e.condition, condition], e.span)
            return _chosen(replace(e, condition=either, otherwise=otherwise))
    return e


def _whether_some(e: c.Compare) -> c.Expr | None:
    """Rewrite `number of … > 0` and its variants to an existential test."""
    left, right, operator = e.left, e.right, e.operator
    if isinstance(right, c.Size):
        left, right, operator = (
            right,
            left,
            {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(operator, operator),
        )
    if not (isinstance(left, c.Size) and isinstance(left.set, c.Filter) and isinstance(right, c.Literal)):
        return None
    if not cannot_fault(left.set.condition):  # counting evaluates it for all, `some` stops early
        return None
    exists = c.Exists(left.set.binder, left.set.domain, left.set.condition, c.BOOLEAN, e.span)
    if (operator, right.value) in ((">", 0), (">=", 1), ("!=", 0)):
        return exists
    return (
        c.Not(exists, c.BOOLEAN, e.span)
        if (operator, right.value) in (("=", 0), ("<", 1), ("<=", 0))
        else None
    )


# ------------------------------------------------------------------------------------------------- sums


@dataclass(frozen=True, slots=True)
class Linear:
    """A sum of terms, each a number of times, and a constant."""

    terms: Mapping[c.Expr, int]
    constant: int

    @classmethod
    def of(cls, e: c.Expr, anyway: bool = False) -> Linear | None:
        """A number as a sum; None if its terms could fault in another order, unless that does not matter."""
        terms: dict[c.Expr, int] = {}
        constant = _collect(e, 1, terms)
        if not anyway and sum(not cannot_fault(x) for x in terms) > 1:
            return None
        linear = cls(terms, constant)
        return linear if linear._gone() else None

    def _gone(self) -> bool:
        """Whether no term that can fault has cancelled out."""
        return all(times or cannot_fault(x) for x, times in self.terms.items())

    def added(self, span: Span) -> c.Expr:
        """The terms that are added, as an expression."""
        return Linear({x: times for x, times in self.terms.items() if times > 0}, 0).expression(span)

    @property
    def negated(self) -> Linear:
        return Linear({x: -times for x, times in self.terms.items()}, -self.constant)

    def minus(self, other: Linear) -> Linear | None:
        """The difference; None if a term that can fault would cancel out."""
        both = {**self.terms, **other.terms}
        terms = {x: self.terms.get(x, 0) - other.terms.get(x, 0) for x in both}
        linear = Linear(terms, self.constant - other.constant)
        return linear if linear._gone() else None

    def expression(self, span: Span) -> c.Expr:
        """The sum in a fixed order: what is added, what is subtracted, the constant."""
        made: c.Expr | None = None
        ordered = sorted((times < 0, repr(x), x, times) for x, times in self.terms.items() if times)
        for subtracted, _, x, times in ordered:
            factor = c.Literal(c.INTEGER, abs(times), span)
            term = x if abs(times) == 1 else c.Arithmetic("*", factor, x, c.INTEGER, span)
            if made is None and not subtracted:
                made = term
                continue
            before = c.Literal(c.INTEGER, 0, span) if made is None else made
            made = c.Arithmetic("-" if subtracted else "+", before, term, c.INTEGER, span)
        if made is None:
            return c.Literal(c.INTEGER, self.constant, span)
        if not self.constant:
            return made
        constant = c.Literal(c.INTEGER, abs(self.constant), span)
        return c.Arithmetic("-" if self.constant < 0 else "+", made, constant, c.INTEGER, span)


def _collect(e: c.Expr, times: int, terms: dict[c.Expr, int]) -> int:
    """Add the terms of a sum, taken a number of times; the constant is returned."""
    match e:
        case c.Literal(value=int(value)):
            return times * value
        case c.Arithmetic("+" | "-", left, right):
            other = times if e.operator == "+" else -times
            return _collect(left, times, terms) + _collect(right, other, terms)
        case c.Arithmetic("*", c.Literal(value=int(value)), x) | c.Arithmetic(
            "*", x, c.Literal(value=int(value))
        ):
            return _collect(x, times * value, terms)
    terms[e] = terms.get(e, 0) + times
    return 0
