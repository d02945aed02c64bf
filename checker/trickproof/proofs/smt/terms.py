"""Builds z3 terms with the C API, skipping the checks and conversions of the Python operators, which take most of the time.

Each is exactly the term that the operator would build.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import c_void_p
from functools import lru_cache

import z3


def _released_anywhere(context: z3.Context) -> z3.Context:
    """Lets any thread release terms: Python collects garbage in whichever is running, at any moment of z3's work."""
    z3.Z3_enable_concurrent_dec_ref(context.ref())
    return context


_CONTEXT = _released_anywhere(z3.main_ctx())
_REF = _CONTEXT.ref()
_INTEGERS = z3.IntSort().ast

_COMPARISONS: dict[str, Callable[[object, object, object], object]] = {
    "=": z3.Z3_mk_eq,
    "!=": lambda ref, left, right: z3.Z3_mk_distinct(ref, 2, (z3.Ast * 2)(left, right)),
    "<": z3.Z3_mk_lt,
    "<=": z3.Z3_mk_le,
    ">": z3.Z3_mk_gt,
    ">=": z3.Z3_mk_ge,
}


def isolated() -> z3.Context:
    """A new context, in which nothing depends on what else the process has computed."""
    return _released_anywhere(z3.Context())


def conjunction(parts: Sequence[z3.BoolRef]) -> z3.BoolRef:
    """Conjunction."""
    return z3.BoolRef(z3.Z3_mk_and(_REF, len(parts), _array(parts)), _CONTEXT)


def disjunction(parts: Sequence[z3.BoolRef]) -> z3.BoolRef:
    """Disjunction."""
    return z3.BoolRef(z3.Z3_mk_or(_REF, len(parts), _array(parts)), _CONTEXT)


def negation(part: z3.BoolRef) -> z3.BoolRef:
    """Negation."""
    return z3.BoolRef(z3.Z3_mk_not(_REF, part.ast), _CONTEXT)


def comparison(operator: str, left: int | z3.ArithRef, right: int | z3.ArithRef) -> z3.BoolRef:
    """An order or equality comparison of two integers."""
    one, other = _integer(left), _integer(right)
    return z3.BoolRef(_COMPARISONS[operator](_REF, one.ast, other.ast), _CONTEXT)


def conditional(condition: z3.BoolRef, then: int | z3.ExprRef, otherwise: int | z3.ExprRef) -> z3.ExprRef:
    """One of two values: integers, or others that z3 can coerce to a common sort."""
    if isinstance(then, int | z3.ArithRef) and isinstance(otherwise, int | z3.ArithRef):
        one, other = _integer(then), _integer(otherwise)
        return z3.ArithRef(z3.Z3_mk_ite(_REF, condition.ast, one.ast, other.ast), _CONTEXT)
    return z3.If(condition, then, otherwise)


def sum_of(parts: Sequence[int | z3.ArithRef]) -> z3.ArithRef:
    """The sum of two or more integers."""
    whole = [_integer(part) for part in parts]
    return z3.ArithRef(z3.Z3_mk_add(_REF, len(whole), _array(whole)), _CONTEXT)


def parts(place: int) -> tuple[int, ...]:
    """The places of the parts of a term of the main context, which live as long as it does."""
    app = c_void_p(place)
    number = z3.Z3_get_app_num_args(_REF, app)
    return tuple([z3.Z3_get_app_arg(_REF, app, i).value for i in range(number)])


def is_unknown(place: int) -> bool:
    """Whether a term of the main context without parts is an unknown rather than a literal."""
    declared = z3.Z3_get_app_decl(_REF, c_void_p(place))
    return bool(z3.Z3_get_decl_kind(_REF, declared) == z3.Z3_OP_UNINTERPRETED)


def _integer(value: int | z3.ArithRef) -> z3.ArithRef:
    return _literal(int(value)) if isinstance(value, int) else value


@lru_cache(1 << 10)
def _literal(value: int) -> z3.ArithRef:
    return z3.ArithRef(z3.Z3_mk_int64(_REF, value, _INTEGERS), _CONTEXT)


def _array(parts: Sequence[z3.ExprRef]) -> object:
    return (z3.Ast * len(parts))(*(part.ast for part in parts))
