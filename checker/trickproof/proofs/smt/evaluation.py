"""The value of a z3 term for given values of its unknowns, asked for many assignments.

A term is translated once into steps over plain numbers and truth values, in the order of evaluation; z3 itself
evaluates a term with an operation that is not listed here.
"""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import z3

MOST_KEPT = 2_000
"""Maximum number of translations kept; beyond it all are dropped."""

_OPERATIONS: Mapping[int, Callable[..., Any]] = {
    z3.Z3_OP_AND: lambda *parts: all(parts),
    z3.Z3_OP_OR: lambda *parts: any(parts),
    z3.Z3_OP_NOT: operators.not_,
    z3.Z3_OP_IMPLIES: lambda left, right: not left or right,
    z3.Z3_OP_ITE: lambda condition, then, otherwise: then if condition else otherwise,
    z3.Z3_OP_EQ: operators.eq,
    z3.Z3_OP_DISTINCT: lambda *parts: len(set(parts)) == len(parts),
    z3.Z3_OP_LE: operators.le,
    z3.Z3_OP_LT: operators.lt,
    z3.Z3_OP_GE: operators.ge,
    z3.Z3_OP_GT: operators.gt,
    z3.Z3_OP_ADD: lambda *parts: sum(parts),
    z3.Z3_OP_SUB: lambda *parts: reduce(operators.sub, parts),
    z3.Z3_OP_UMINUS: operators.neg,
    z3.Z3_OP_MUL: lambda *parts: reduce(operators.mul, parts),
}


@dataclass(frozen=True, slots=True)
class _Translation:
    """`steps` give an operation and the places of its arguments, each filling the next place after the leaves.

    `leaves` are the constants and the unknowns' defaults; `unknowns` gives the unknowns' places by identity.
    """

    leaves: tuple[bool | int, ...]
    unknowns: Mapping[int, int]
    steps: tuple[tuple[Callable[..., Any], tuple[int, ...]], ...]

    def value(self, known: Mapping[z3.ExprRef, int]) -> Any:
        values = list(self.leaves)
        for term, number in known.items():
            place = self.unknowns.get(term.get_id())
            if place is not None:
                values[place] = number
        for operation, places in self.steps:
            values.append(operation(*[values[place] for place in places]))
        return values[-1]


_kept: dict[int, tuple[z3.ExprRef, _Translation | None]] = {}
"""Translations by the identity of the term, which is kept alive since z3 would otherwise reuse its identity."""


def evaluated(term: z3.ExprRef, known: Mapping[z3.ExprRef, int]) -> bool | int:
    """The value of a term, with all unknowns that are not given 0 or false."""
    identity = term.get_id()
    if identity not in _kept:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        _kept[identity] = term, _translated(term)
    translation = _kept[identity][1]
    if translation is not None:
        value: bool | int = translation.value(known)
        return value
    plain = z3.Model().eval(given(term, known), model_completion=True)
    return bool(z3.is_true(plain)) if z3.is_bool(plain) else int(plain.as_long())


def given(term: z3.ExprRef, known: Mapping[z3.ExprRef, int]) -> z3.ExprRef:
    """A term with some unknowns replaced by their values."""
    values = ((x, z3.BoolVal(n) if isinstance(n, bool) else z3.IntVal(n)) for x, n in known.items())
    return z3.substitute(term, *values)


def _translated(term: z3.ExprRef) -> _Translation | None:
    """None if it contains an operation, or a kind of value, that is not translated."""
    leaves: dict[int, bool | int] = {}
    unknowns: set[int] = set()
    inner: dict[int, tuple[Callable[..., Any], list[int]]] = {}
    stack = [term]
    while stack:
        here = stack[-1]
        name = here.get_id()
        parts = here.children()
        new = [x for x in parts if x.get_id() not in leaves and x.get_id() not in inner]
        if new:
            stack += new
            continue
        stack.pop()
        if name in leaves or name in inner:
            continue
        if not parts:
            leaf = _leaf(here)
            if leaf is None:
                return None
            leaves[name] = leaf
            if here.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                unknowns.add(name)
            continue
        operation = _OPERATIONS.get(here.decl().kind())
        if operation is None or not _plain(here):
            return None
        inner[name] = operation, [x.get_id() for x in parts]
    places = {name: place for place, name in enumerate((*leaves, *inner))}
    return _Translation(
        tuple(leaves.values()),
        {name: places[name] for name in unknowns},
        tuple((operation, tuple(places[x] for x in parts)) for operation, parts in inner.values()),
    )


def _plain(term: z3.ExprRef) -> bool:
    return bool(z3.is_bool(term) or z3.is_int(term))


def _leaf(term: z3.ExprRef) -> bool | int | None:
    """A constant, or the default of an unknown; None for another kind of value."""
    if z3.is_int_value(term):
        return int(term.as_long())
    if not _plain(term):
        return None
    return bool(z3.is_true(term)) if z3.is_bool(term) else 0
