"""The target of lowering: programs of 64-bit integers, masks for sets of cards, and structured control.

Expressions are Python ints (constants), strings (names of locals) or `Op`s.  Two back ends, `backends.python`
and `backends.llvm`, give them the same meaning, bit for bit.  Integers are signed; masks are never negative.

A `Let` defines an immutable local; a `Set` assigns a mutable one, which its first `Set` creates.  A `Guard`
leaves the scope with its exit code if its condition holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from trickproof.simulate.ir.calling_convention import ALL, BITS, LARGEST


@dataclass(frozen=True, slots=True)
class Op:
    """An operation of `OPERATIONS`; `load` (array, index); `ask` (site, words …, arrays …).

    Machine code can only ask another routine, with its address as the site, and arrays; there is no answer.
    """

    name: str
    args: tuple[Expr, ...]


Expr = int | str | Op


@dataclass(slots=True)
class Let:
    """Defines an immutable local."""

    name: str
    value: Expr


@dataclass(slots=True)
class Set:
    """Assigns a mutable local, which is undefined in a scope until its first `Set`."""

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
    """Executes `before`, exits unless `condition` holds, executes `body`, and repeats.

    `steady`: the number of iterations is likely to be the same in every hand.
    """

    before: list[Stmt]
    condition: Expr
    body: list[Stmt]
    steady: bool = False


@dataclass(slots=True)
class Guard:
    """Leaves the scope, with `code` in the local `left`, if the condition holds, which is rare."""

    condition: Expr
    code: int


@dataclass(slots=True)
class Leave:
    """Leaves the scope, with `code` in the local `left`."""

    code: int


@dataclass(slots=True)
class Scope:
    """The region that `Guard` and `Leave` exit; scopes do not nest.  `left` is 0 after a scope that ran to its end."""

    body: list[Stmt]


Stmt = Let | Set | Store | If | While | Guard | Leave | Scope


@dataclass(slots=True)
class Routine:
    """A whole program: the caller passes the `outer` arrays; the `inner` ones (name: length) are local to it."""

    outer: tuple[str, ...]
    inner: dict[str, int] = field(default_factory=dict)
    body: list[Stmt] = field(default_factory=list)


def number_of(body: Sequence[Stmt]) -> int:
    """Number of statements, at any depth."""
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


def spread(source: int, mask: int) -> int:
    """Deposit the low bits of `source` at the set bits of `mask`, lowest first (x86 pdep)."""
    bits = 0
    while mask and source:
        lowest = mask & -mask
        if source & 1:
            bits |= lowest
        source >>= 1
        mask ^= lowest
    return bits


def gather(source: int, mask: int) -> int:
    """Extract the bits of `source` at the set bits of `mask` to the low end (x86 pext)."""
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
"""The meaning of the operations.

`first` and `last` (the lowest and highest bit) are undefined for 0, `bit` and shifts for negative counts;
`div` and `mod` round towards minus infinity; `high` is the upper half of an unsigned product.
"""


def op(name: str, *args: Expr) -> Expr:
    """An operation, constant-folded and simplified where possible."""
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
