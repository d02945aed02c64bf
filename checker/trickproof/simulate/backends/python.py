"""Integer programs as plain Python source: the oracle for the compiled form, and the fallback without llvmlite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from trickproof.simulate.ir.calling_convention import ALL, BeyondError
from trickproof.simulate.ir.instructions import (
    Expr,
    Guard,
    If,
    Leave,
    Let,
    Routine,
    Scope,
    Set,
    Stmt,
    Store,
    While,
    gather,
    spread,
)

PythonFunction = Callable[..., None]
"""Takes the outer arrays, as lists."""

_FORMS = {
    "add": "({} + {})",
    "sub": "({} - {})",
    "mul": "({} * {})",
    "div": "({} // {})",
    "mod": "({} % {})",
    "too-large": "(abs({} * {}) > 10**18)",
    "wrap-add": f"(({{}} + {{}}) & {ALL})",
    "wrap-mul": f"(({{}} * {{}}) & {ALL})",
    "high": "(({} * {}) >> 64)",
    "and": "({} & {})",
    "or": "({} | {})",
    "xor": "({} ^ {})",
    "without": "({} & ~{})",
    "shl": f"(({{}} << {{}}) & {ALL})",
    "shr": "({} >> {})",
    "bit": "op_bit({})",
    "eq": "({} == {})",
    "ne": "({} != {})",
    "lt": "({} < {})",
    "le": "({} <= {})",
    "not": "(not {})",
    "select": "({1} if {0} else {2})",
    "count": "{}.bit_count()",
    "last": "({}.bit_length() - 1)",
    "spread": "op_spread({}, {})",
    "gather": "op_gather({}, {})",
    "first": "op_first({})",
    "load": "{}[{}]",
}


class _LeftError(Exception):
    """Raised to leave a scope."""


def _first(x: int) -> int:
    return (x & -x).bit_length() - 1


def _bit(x: int) -> int:
    return 1 << x if x >= 0 else 0


def python_source(routine: Routine) -> str:
    """The program as the text of one function, `run`."""
    lines = [f"def run({', '.join(_name(array) for array in routine.outer)}):"]
    lines += [f"    {_name(array)} = [0] * {size}" for array, size in routine.inner.items()]
    lines += _block(routine.body)
    return "\n".join(lines) + "\n"


def python_function(routine: Routine, ask: Callable[..., int | None] | None = None) -> PythonFunction:
    """The program as a Python function; `ask` answers its questions, if it has any.

    Raises BeyondError if its loops are nested more deeply than Python can compile.
    """
    names: dict[str, object] = {"op_spread": spread, "op_gather": gather, "op_first": _first, "op_bit": _bit}
    names |= {"_LeftError": _LeftError, "LEFT": _LeftError(), "ask": ask}
    try:
        exec(compile(python_source(routine), "<ruleset>", "exec"), names)
    except SyntaxError:
        raise BeyondError("loops are nested deeper than plain Python allows") from None
    run = names["run"]
    assert callable(run)
    return run


@lru_cache(4096)
def _name(local: str) -> str:
    return "".join(ch if ch.isalnum() else "_" for ch in local)


def _text(e: Expr) -> str:
    if isinstance(e, int):
        return str(e) if e >= 0 else f"({e})"
    if isinstance(e, str):
        return _name(e)
    if e.name == "count" and isinstance(e.args[0], int):
        return str(e.args[0].bit_count())
    if e.name == "ask":
        return f"ask({', '.join(_text(x) for x in e.args)})"
    return _FORMS[e.name].format(*[_text(x) for x in e.args])


def _block(body: Sequence[Stmt]) -> list[str]:
    lines = [line for t in body for line in _lines(t)] or ["pass"]
    return [f"    {line}" for line in lines]


def _lines(t: Stmt) -> Iterator[str]:
    match t:
        case Let() | Set():
            yield f"{_name(t.name)} = {_text(t.value)}"
        case Store():
            yield f"{_name(t.array)}[{_text(t.index)}] = {_text(t.value)}"
        case If():
            yield f"if {_text(t.condition)}:"
            yield from _block(t.then)
            if t.otherwise:
                yield "else:"
                yield from _block(t.otherwise)
        case While():
            yield "while True:"
            yield from _block([*t.before]) if t.before else ()
            yield f"    if not {_text(t.condition)}: break"
            yield from _block(t.body)
        case Guard():
            yield f"if {_text(t.condition)}:"
            yield f"    left = {t.code}; raise LEFT"
        case Leave():
            yield f"left = {t.code}; raise LEFT"
        case Scope():
            yield "left = 0"
            yield "try:"
            yield from _block(t.body)
            yield "except _LeftError:"
            yield "    pass"
