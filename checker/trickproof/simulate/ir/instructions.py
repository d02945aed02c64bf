"""The integer program that a core program becomes: 64-bit integers, masks for sets of cards, structured control.

Expressions are Python ints (constants), strings (names of locals) or `Op`s.  Two back ends give them the same meaning,
bit for bit: `python_backend` and `llvm_backend`.  Integers are signed; masks are never negative.

A `Let` names a value for good, a `Set` changes a local that `Set`s have begun.  A `Guard` leaves the scope with a
number of its own when its condition holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from trickproof.simulate.ir.calling_convention import ALL, BITS, LARGEST


@dataclass(frozen=True, slots=True)
class Op:
    """An operation of `OPERATIONS`; `load` (array, index); `ask` (site, words …, arrays …), in Python only."""

    name: str
    args: tuple[Expr, ...]


Expr = int | str | Op


@dataclass(slots=True)
class Let:
    """A local that never changes."""

    name: str
    value: Expr


@dataclass(slots=True)
class Set:
    """A local that changes; in a scope of its own until its first `Set` has been passed."""

    name: str
    value: Expr


@dataclass(slots=True)
class Store:
    array: str
    index: Expr
    value: Expr


@dataclass(slots=True)
class If:
    condition: Expr
    then: list[Stmt]
    otherwise: list[Stmt]
    seldom: bool = False


@dataclass(slots=True)
class While:
    """Does `before`, ends unless `condition` holds, does `body`, and so on.

    `steady`: it is likely to go round as often in one hand as in another.
    """

    before: list[Stmt]
    condition: Expr
    body: list[Stmt]
    steady: bool = False


@dataclass(slots=True)
class Guard:
    """Leaves the scope, with `code` in the local `left`, if the condition holds; hardly ever."""

    condition: Expr
    code: int


@dataclass(slots=True)
class Leave:
    """Leaves the scope, with `code` in the local `left`."""

    code: int


@dataclass(slots=True)
class Scope:
    """What `Guard` and `Leave` leave; scopes do not nest.  `left` is 0 after a scope that went to its end."""

    body: list[Stmt]


Stmt = Let | Set | Store | If | While | Guard | Leave | Scope


@dataclass(slots=True)
class Routine:
    """A whole program: `outer` arrays are handed over by the caller, `inner` ones (name: length) are its own."""

    outer: tuple[str, ...]
    inner: dict[str, int] = field(default_factory=dict)
    body: list[Stmt] = field(default_factory=list)


def number_of(body: Sequence[Stmt]) -> int:
    """How many statements there are, however deep."""
    total = 0
    for t in body:
        total += 1
        match t:
            case If():
                total += number_of(t.then) + number_of(t.otherwise)
            case While():
                total += number_of(t.before) + number_of(t.body)
            case Scope():
                total += number_of(t.body)
    return total


def loops_of(body: Sequence[Stmt]) -> int:
    """How many loops there are, however deep."""
    total = 0
    for t in body:
        match t:
            case If():
                total += loops_of(t.then) + loops_of(t.otherwise)
            case While():
                total += 1 + loops_of(t.before) + loops_of(t.body)
            case Scope():
                total += loops_of(t.body)
    return total


def spread(source: int, mask: int) -> int:
    """The low bits of `source`, put where the mask has bits, lowest first (what x86 calls pdep)."""
    bits = 0
    while mask and source:
        lowest = mask & -mask
        if source & 1:
            bits |= lowest
        source >>= 1
        mask ^= lowest
    return bits


def gather(source: int, mask: int) -> int:
    """The bits of `source` where the mask has bits, put together at the low end (pext)."""
    bits = at = 0
    while mask:
        lowest = mask & -mask
        if source & lowest:
            bits |= 1 << at
        at += 1
        mask ^= lowest
    return bits


OPERATIONS: dict[str, Callable[..., int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "too-large": lambda a, b: abs(a * b) > LARGEST,
    "wrap-add": lambda a, b: (a + b) & ALL,
    "wrap-mul": lambda a, b: (a * b) & ALL,
    "high": lambda a, b: (a * b) >> BITS,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "without": lambda a, b: a & ~b,
    "shl": lambda a, b: (a << b) & ALL if b >= 0 else 0,
    "shr": lambda a, b: a >> b if b >= 0 else 0,
    "bit": lambda a: 1 << a if a >= 0 else 0,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "not": lambda a: not a,
    "select": lambda c, a, b: a if c else b,
    "count": lambda a: a.bit_count(),
    "first": lambda a: (a & -a).bit_length() - 1,
    "last": lambda a: a.bit_length() - 1,
    "spread": spread,
    "gather": gather,
}
"""What the operations mean.  `first` and `last` (the lowest and highest bit) have no meaning for 0, `bit` and shifts none below 0;
`div` and `mod` round towards minus infinity; `high` is the upper half of a product of unsigned numbers."""


def op(name: str, *args: Expr) -> Expr:
    """An operation, worked out at once where that is possible."""
    if all(isinstance(x, int) for x in args):
        return int(OPERATIONS[name](*args))
    simplified = _shortcut(name, args)
    return Op(name, args) if simplified is None else simplified


def _shortcut(name: str, args: Sequence[Expr]) -> Expr | None:
    match name, *args:
        case "select", int(c), a, b:
            return a if c else b
        case "select", _, a, b if a == b:
            return a
        case (("add" | "or" | "xor" | "wrap-add"), 0, x):
            return x
        case (("add" | "or" | "xor" | "wrap-add" | "sub" | "shl" | "shr" | "without"), x, 0):
            return x
        case (("and" | "mul"), 0, _):
            return 0
        case (("and" | "mul"), _, 0):
            return 0
        case "mul", 1, x:
            return x
        case "mul", x, 1:
            return x
        case "and", x, y if y == ALL:
            return x
        case "and", x, y if x == ALL:
            return y
        case "without", 0, _:
            return 0
        case (("eq" | "le"), x, y) if x == y:
            return 1
        case (("ne" | "lt" | "without" | "sub" | "xor"), x, y) if x == y:
            return 0
        case (("and" | "or"), x, y) if x == y:
            return x
        case "not", Op("eq", inner):
            return Op("ne", inner)
        case "not", Op("ne", inner):
            return Op("eq", inner)
        case _:
            return None


def load(array: str, index: Expr) -> Expr:
    return Op("load", (array, index))
