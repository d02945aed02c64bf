"""Values that may depend on unknowns, constant-folded as far as possible.

Integers and Booleans are Python values or z3 terms. A player, suit, option or other finite value is its
index, None, or `Cases`: alternatives of which exactly one holds. A set is `Members`: the membership condition
of each possible element. `OPAQUE` is an unknown value that must not be inspected (cards).
"""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, TypeGuard

import z3

from trickproof.proofs.smt import terms
from trickproof.proofs.smt.evaluation import evaluated, given
from trickproof_dsl.semantics.values import Value

Bool: TypeAlias = bool | z3.BoolRef
"""A truth value, known or a term."""

Int: TypeAlias = int | z3.ArithRef
"""An integer, known or a term."""

Number: TypeAlias = Int | z3.BitVecRef
"""An integer, or the rank of an unknown card as bits."""

Finite: TypeAlias = "int | Cases | None"
"""A player, suit, option or other finite value."""

Symbol: TypeAlias = "Bool | Number | Finite | Members | Opaque | CardSymbol"
"""Any value."""


class Opaque(Enum):
    OPAQUE = "opaque"


OPAQUE = Opaque.OPAQUE


class CardSymbol:
    """A value that only the theory of cards can inspect (`proofs/symbolic/`)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Cases:
    """One of several indices (or None), each with the condition that selects it."""

    of: tuple[tuple[int | None, Bool], ...]


@dataclass(frozen=True, slots=True)
class Members:
    """A set; elements that are not listed are not in it."""

    of: tuple[tuple[int, Bool], ...]

    def has(self, element: int) -> Bool:
        return dict(self.of).get(element, False)


def conj(*parts: Bool) -> Bool:
    """Conjunction."""
    open_ = [part for part in parts if part is not True]
    if any(part is False for part in open_):
        return False
    if len(open_) < 2:
        return open_[0] if open_ else True
    return terms.conjunction(open_)


def disj(*parts: Bool) -> Bool:
    """Disjunction."""
    open_ = [part for part in parts if part is not False]
    if any(part is True for part in open_):
        return True
    if len(open_) < 2:
        return open_[0] if open_ else False
    return terms.disjunction(open_)


def neg(part: Bool) -> Bool:
    """Negation."""
    return (not part) if isinstance(part, bool) else terms.negation(part)


def not_one(parts: Sequence[Bool]) -> Bool:
    """Whether none or more than one of them holds."""
    two = [conj(a, b) for i, a in enumerate(parts) for b in parts[:i]]
    return disj(conj(*(neg(part) for part in parts)), *two)


def iff(left: Bool, right: Bool) -> Bool:
    """Equivalence."""
    if isinstance(left, bool):
        return right if left else neg(right)
    if isinstance(right, bool):
        return left if right else neg(left)
    return left == right


def compare(operator: str, left: Number, right: Number) -> Bool:
    """An order or equality comparison of integers or ranks."""
    if isinstance(left, z3.ArithRef) or isinstance(right, z3.ArithRef):
        return terms.comparison(operator, left, right)
    return _COMPARE[operator](left, right)


_COMPARE: dict[str, Callable[[Number, Number], Bool]] = {
    "=": operators.eq,
    "!=": operators.ne,
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
}


def is_truth(value: Symbol) -> TypeGuard[Bool]:
    """Whether a value is a truth value."""
    return isinstance(value, bool | z3.BoolRef)


def is_number(value: Symbol) -> TypeGuard[Number]:
    """Whether a value is an integer or a rank."""
    return isinstance(value, int | z3.ArithRef | z3.BitVecRef)


def number(condition: Bool, value: Number) -> Number:
    """The value if the condition holds, else 0."""
    return choose_number(condition, value, 0)


def choose(condition: Bool, then: Symbol, otherwise: Symbol) -> Symbol:
    """One of two values of the same kind."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if then is otherwise or (type(then) is type(otherwise) and not _term(then) and then == otherwise):
        return then
    if then is OPAQUE or otherwise is OPAQUE:
        return OPAQUE
    if isinstance(then, Members) and isinstance(otherwise, Members):
        return choose_members(condition, then, otherwise)
    if isinstance(then, Cases | None) or isinstance(otherwise, Cases | None):
        return _chosen_cases(condition, cases(then), cases(otherwise))
    if is_truth(then) and is_truth(otherwise):
        return choose_truth(condition, then, otherwise)
    assert is_number(then), then
    assert is_number(otherwise), otherwise
    return choose_number(condition, then, otherwise)


def choose_truth(condition: Bool, then: Bool, otherwise: Bool) -> Bool:
    """One of two truth values."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    return then if then is otherwise else disj(conj(condition, then), conj(neg(condition), otherwise))


def choose_number(condition: Bool, then: Number, otherwise: Number) -> Number:
    """One of two integers or ranks."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if then is otherwise or (isinstance(then, int) and isinstance(otherwise, int) and then == otherwise):
        return then
    return terms.conditional(condition, then, otherwise)


def choose_members(condition: Bool, then: Members, otherwise: Members) -> Members:
    """One of two sets."""
    if then is otherwise:
        return then
    if isinstance(condition, bool):
        return then if condition else otherwise
    elements = sorted({x for x, _ in then.of} | {x for x, _ in otherwise.of})
    return Members(tuple((x, choose_truth(condition, then.has(x), otherwise.has(x))) for x in elements))


def choose_index(condition: Bool, then: Symbol, otherwise: Symbol) -> Symbol:
    """Like `choose`, for finite values, which must not become integer terms."""
    if isinstance(condition, bool) or then is OPAQUE or otherwise is OPAQUE:
        return choose(condition, then, otherwise)
    return _chosen_cases(condition, cases(then), cases(otherwise))


def _term(value: object) -> bool:
    return isinstance(value, z3.ExprRef | Cases | Members)


def _chosen_cases(condition: Bool, then: Cases, otherwise: Cases) -> Finite:
    holds: dict[int | None, Bool] = {}
    for guard, alternatives in ((condition, then), (neg(condition), otherwise)):
        for value, when in alternatives.of:
            holds[value] = disj(holds.get(value, False), conj(guard, when))
    return plain_cases(holds.items())


def cases(value: Symbol) -> Cases:
    """A finite value as alternatives; an integer term becomes a single alternative."""
    if isinstance(value, Cases):
        return value
    assert value is None or is_number(value), value
    return Cases(((value, True),))


def plain_cases(alternatives: Iterable[tuple[int | None, Bool]]) -> Finite:
    """Alternatives in simplest form."""
    possible = tuple((value, when) for value, when in alternatives if when is not False)
    certain = [value for value, when in possible if when is True]
    return certain[0] if len(certain) == 1 else Cases(possible)


def mapped(value: Symbol, change: Callable[[int | None], int | None]) -> Finite:
    """A finite value mapped alternative by alternative; the result must be finite again."""
    holds: dict[int | None, Bool] = {}
    for old, when in cases(value).of:
        new = change(old)
        holds[new] = disj(holds.get(new, False), when)
    return plain_cases(holds.items())


def same(left: Symbol, right: Symbol) -> Bool:
    """Equality of two finite values."""
    others = dict(cases(right).of)
    return disj(*(conj(when, others[x]) for x, when in cases(left).of if x in others))


def equal(left: Symbol, right: Symbol) -> Bool:
    """Equality of two values of one type; unknown values are never known to be equal."""
    if left is OPAQUE or right is OPAQUE:
        return False
    if isinstance(left, Members) and isinstance(right, Members):
        elements = sorted({x for x, _ in (*left.of, *right.of)})
        return conj(*(iff(left.has(x), right.has(x)) for x in elements))
    if is_truth(left) and is_truth(right):
        return iff(left, right)
    if is_number(left) and is_number(right):
        return compare("=", left, right)
    return same(left, right)


def total(values: Iterable[Number]) -> Int:
    """The sum."""
    listed = list(values)
    known = sum(value for value in listed if isinstance(value, int))
    unknown = [value for value in listed if not isinstance(value, int)]
    if not unknown:
        return known
    if len(unknown) == 1 and not known:
        return unknown[0]
    return terms.sum_of([*unknown, known] if known else unknown)


MOST_FACTORS = 64
"""Maximum number of known numbers into which a factor is split."""


def times(left: Int, right: Int) -> Int | None:
    """The product, without multiplying unknowns; None if neither factor is put together from known numbers."""
    product = _distributed(left, right, [MOST_FACTORS])
    return _distributed(right, left, [MOST_FACTORS]) if product is None else product


def _distributed(factor: Int, other: Int, left: list[int]) -> Int | None:
    """The product, with the other factor moved to the known numbers of the first; `left` counts them."""
    left[0] -= 1
    if left[0] < 0:
        return None
    if isinstance(factor, int | z3.IntNumRef):
        return (factor if isinstance(factor, int) else factor.as_long()) * other
    kind, parts = factor.decl().kind(), factor.children()
    if kind not in (z3.Z3_OP_ITE, z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS):
        return None
    chosen = kind == z3.Z3_OP_ITE
    products: list[Int] = []
    for part in parts[1:] if chosen else parts:
        product = _distributed(part, other, left)
        if product is None:
            return None
        products.append(product)
    if chosen:
        either = choose_number(parts[0], products[0], products[1])
        assert not isinstance(either, z3.BitVecRef)
        return either
    if kind == z3.Z3_OP_ADD:
        return total(products)
    return -products[0] if len(products) == 1 else products[0] - total(products[1:])


def fixed(value: Symbol, known: Mapping[z3.ExprRef, int]) -> Value:
    """A value with some unknowns given and all others 0 or false, as the interpreter represents it."""
    match value:
        case Members(of):
            return frozenset(x for x, when in of if fixed(when, known))
        case Cases(of):
            return next((x for x, when in of if fixed(when, known)), None)
        case z3.ExprRef():
            return evaluated(value, known)
    assert value is None or isinstance(value, int)
    return value


def truth_given(condition: z3.BoolRef, known: Mapping[z3.ExprRef, int]) -> bool | None:
    """The truth value of a condition with some unknowns given; None if it is not plain whatever the others are."""
    value = z3.simplify(given(condition, known))
    return True if z3.is_true(value) else False if z3.is_false(value) else None


def alike(left: Symbol, right: Symbol) -> bool:
    """Whether two symbols are the same, term for term."""
    if isinstance(left, Cases | Members) and type(left) is type(right):
        pairs = zip(left.of, right.of, strict=False)
        return len(left.of) == len(right.of) and all(x == z and alike(v, w) for (x, v), (z, w) in pairs)
    if isinstance(left, z3.ExprRef) or isinstance(right, z3.ExprRef):
        return isinstance(left, z3.ExprRef) and isinstance(right, z3.ExprRef) and bool(left.eq(right))
    return left is right or (
        type(left) is type(right) and not isinstance(left, Cases | Members) and bool(left == right)
    )


def constants(*symbols: Symbol) -> dict[str, z3.ExprRef]:
    """The unknowns in some symbols, by name."""
    leaves = (term for term in _subterms(symbols) if z3.is_const(term))
    return {x.decl().name(): x for x in leaves if x.decl().kind() == z3.Z3_OP_UNINTERPRETED}


def numbers_in(*symbols: Symbol) -> frozenset[int]:
    """The integer constants in some symbols."""
    return frozenset(term.as_long() for term in _subterms(symbols) if isinstance(term, z3.IntNumRef))


def _subterms(symbols: Iterable[Symbol]) -> Iterator[z3.ExprRef]:
    """All subterms of some symbols, each once."""
    seen: set[int] = set()
    stack = [term for symbol in symbols for term in _terms(symbol)]
    while stack:
        term = stack.pop()
        if term.get_id() not in seen:
            seen.add(term.get_id())
            yield term
            stack.extend(term.children())


def _terms(symbol: Symbol) -> Iterator[z3.ExprRef]:
    if isinstance(symbol, Cases | Members):
        yield from (when for _, when in symbol.of if not isinstance(when, bool))
    elif isinstance(symbol, z3.ExprRef):
        yield symbol
