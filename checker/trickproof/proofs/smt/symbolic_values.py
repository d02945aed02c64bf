"""Values that may depend on unknowns, folded as far as they are known.

Integers and booleans are Python's own or z3 terms.  A player, suit, option or other finite value is its index, None, or
`Cases`: alternatives of which exactly one holds.  A set is `Members`: for each element that may be in it, whether it
is.  `OPAQUE` is a value nothing is known about and that must not be looked at (cards).
"""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import z3

from trickproof.proofs.smt import terms

Bool: TypeAlias = bool | z3.BoolRef
"""A truth value, known or a term."""

Int: TypeAlias = int | z3.ArithRef
"""An integer, known or a term."""

Symbol = Any
"""Bool, Int, index, None, Cases, Members or OPAQUE."""


class Opaque(Enum):
    OPAQUE = "opaque"


OPAQUE = Opaque.OPAQUE


@dataclass(frozen=True, slots=True)
class Cases:
    """One of several indices (or None), each with the condition under which it is the one."""

    of: tuple[tuple[int | None, Bool], ...]


@dataclass(frozen=True, slots=True)
class Members:
    """A set: elements that are not listed are not in it."""

    of: tuple[tuple[int, Bool], ...]

    def has(self, element: int) -> Bool:
        return dict(self.of).get(element, False)


def conj(*parts: Bool) -> Bool:
    """And."""
    open_ = [part for part in parts if part is not True]
    if any(part is False for part in open_):
        return False
    if len(open_) < 2:
        return open_[0] if open_ else True
    return terms.conjunction(open_)


def disj(*parts: Bool) -> Bool:
    """Or."""
    open_ = [part for part in parts if part is not False]
    if any(part is True for part in open_):
        return True
    if len(open_) < 2:
        return open_[0] if open_ else False
    return terms.disjunction(open_)


def neg(part: Bool) -> Bool:
    """Not."""
    return (not part) if isinstance(part, bool) else terms.negation(part)


def not_one(parts: Sequence[Bool]) -> Bool:
    """None of them, or more than one."""
    two = [conj(a, b) for i, a in enumerate(parts) for b in parts[:i]]
    return disj(conj(*(neg(part) for part in parts)), *two)


def iff(left: Bool, right: Bool) -> Bool:
    """Both or neither."""
    if isinstance(left, bool):
        return right if left else neg(right)
    if isinstance(right, bool):
        return left if right else neg(left)
    return left == right


def compare(operator: str, left: Int, right: Int) -> Bool:
    """An order or equality of integers."""
    if isinstance(left, z3.ArithRef) or isinstance(right, z3.ArithRef):
        return terms.comparison(operator, left, right)
    return _COMPARE[operator](left, right)


_COMPARE: dict[str, Callable[[Int, Int], Bool]] = {
    "=": operators.eq,
    "!=": operators.ne,
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
}


def number(condition: Bool, value: Int) -> Int:
    """The value if the condition holds, else 0."""
    return choose(condition, value, 0)


def choose(condition: Bool, then: Symbol, otherwise: Symbol) -> Symbol:
    """One of two values of the same kind."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if then is otherwise or (type(then) is type(otherwise) and not _term(then) and then == otherwise):
        return then
    if then is OPAQUE or otherwise is OPAQUE:
        return OPAQUE
    if isinstance(then, Members):
        elements = sorted({x for x, _ in then.of} | {x for x, _ in otherwise.of})
        return Members(tuple((x, choose(condition, then.has(x), otherwise.has(x))) for x in elements))
    if isinstance(then, Cases | None) or isinstance(otherwise, Cases | None):
        return _chosen_cases(condition, cases(then), cases(otherwise))
    if isinstance(then, bool) or isinstance(otherwise, bool) or z3.is_bool(then):
        return disj(conj(condition, then), conj(neg(condition), otherwise))
    return terms.conditional(condition, then, otherwise)


def choose_index(condition: Bool, then: Symbol, otherwise: Symbol) -> Symbol:
    """As `choose`, for finite values, which must not become integer terms."""
    if isinstance(condition, bool) or then is OPAQUE or otherwise is OPAQUE:
        return choose(condition, then, otherwise)
    return _chosen_cases(condition, cases(then), cases(otherwise))


def _term(value: object) -> bool:
    return isinstance(value, z3.ExprRef | Cases | Members)


def _chosen_cases(condition: Bool, then: Cases, otherwise: Cases) -> Symbol:
    holds: dict[int | None, Bool] = {}
    for guard, alternatives in ((condition, then), (neg(condition), otherwise)):
        for value, when in alternatives.of:
            holds[value] = disj(holds.get(value, False), conj(guard, when))
    return made_cases(holds.items())


def cases(value: Symbol) -> Cases:
    """A finite value as alternatives."""
    return value if isinstance(value, Cases) else Cases(((value, True),))


def made_cases(alternatives: Iterable[tuple[int | None, Bool]]) -> Symbol:
    """Alternatives as plainly as possible."""
    left = tuple((value, when) for value, when in alternatives if when is not False)
    certain = [value for value, when in left if when is True]
    return certain[0] if len(certain) == 1 else Cases(left)


def mapped(value: Symbol, change: Callable[[int | None], Symbol]) -> Symbol:
    """A finite value changed alternative by alternative, where the outcome is finite again."""
    if not isinstance(value, Cases):
        return change(value)
    holds: dict[int | None, Bool] = {}
    for old, when in value.of:
        new = change(old)
        holds[new] = disj(holds.get(new, False), when)
    return made_cases(holds.items())


def same(left: Symbol, right: Symbol) -> Bool:
    """Equality of two finite values."""
    others = dict(cases(right).of)
    return disj(*(conj(when, others[x]) for x, when in cases(left).of if x in others))


def total(values: Iterable[Int]) -> Int:
    """The sum."""
    listed = list(values)
    known = sum(value for value in listed if isinstance(value, int))
    unknown = [value for value in listed if not isinstance(value, int)]
    if not unknown:
        return known
    if len(unknown) == 1 and not known:
        return unknown[0]
    return terms.sum_of([*unknown, known] if known else unknown)


def fixed(value: Symbol, known: Mapping[z3.ExprRef, int]) -> Any:
    """A value with some unknowns known, and all others 0 or false, as the interpreter has it."""
    match value:
        case Members(of):
            return frozenset(x for x, when in of if fixed(when, known))
        case Cases(of):
            return next((x for x, when in of if fixed(when, known)), None)
        case z3.ExprRef():
            told = z3.substitute(value, *((term, z3.IntVal(n)) for term, n in known.items()))
            plain = z3.Model().eval(told, model_completion=True)
            return z3.is_true(plain) if z3.is_bool(plain) else int(plain.as_long())
    return value
