"""Dead-code elimination for integer programs: unused values, and arrays that feed only themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from trickproof.simulate.ir.instructions import (
    Expr,
    Guard,
    If,
    Leave,
    Let,
    Op,
    Routine,
    Scope,
    Set,
    Stmt,
    Store,
    While,
)


def operands(e: Expr) -> Iterator[str]:
    """Names of the locals and arrays that an expression reads."""
    if isinstance(e, str):
        yield e
    elif isinstance(e, Op):
        for x in e.args:
            yield from operands(x)


def eliminate_dead_code(routine: Routine) -> None:
    """Remove everything from a routine that does not affect its outer arrays."""
    live = live_names(routine.body, set(routine.outer))
    routine.body = pruned(routine.body, live)
    routine.inner = {array: size for array, size in routine.inner.items() if array in live}


LEFT = "left"
"""The local that holds the exit code of the last scope; a scope sets it even if its body is empty."""


def live_names(body: Sequence[Stmt], outputs: set[str]) -> set[str]:
    """The locals and arrays that affect the given arrays, or the exit of a scope."""
    live, read = set(outputs), _Operands()
    while True:
        before = len(live)
        for t in reversed(body):
            _mark(t, live, read)
        if len(live) == before:
            return live


class _Operands:
    """The names that each expression reads, memoised."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[str, ...]] = {}

    def of(self, e: Expr) -> tuple[str, ...]:
        """Memoised by identity: the routine keeps all its expressions alive longer than this object."""
        if id(e) not in self._names:
            self._names[id(e)] = tuple(operands(e))
        return self._names[id(e)]


def _mark(t: Stmt, live: set[str], read: _Operands) -> bool:
    """Mark what a live statement needs; return whether it is live."""
    match t:
        case Let() | Set():
            alive = t.name in live
            if alive:
                live.update(read.of(t.value))
            return alive
        case Store():
            alive = t.array in live
            if alive:
                live.update(read.of(t.index))
                live.update(read.of(t.value))
            return alive
        case Guard():
            live.update(read.of(t.condition))
            return True
        case Leave():
            return True
        case If():
            alive = _some(t.then, live, read) | _some(t.otherwise, live, read)
            if alive:
                live.update(read.of(t.condition))
            return alive
        case While():
            alive = _some(t.body, live, read) | _some(t.before, live, read)
            if alive:
                live.update(read.of(t.condition))
            return alive
        case Scope():
            return _some(t.body, live, read) or LEFT in live


def _some(body: Sequence[Stmt], live: set[str], read: _Operands) -> bool:
    """Mark what all the statements need; return whether any is live."""
    return sum([_mark(t, live, read) for t in reversed(body)]) > 0


def pruned(body: Sequence[Stmt], live: set[str]) -> list[Stmt]:
    """The live statements, per `live_names`; loops without effect terminate, so they are removed too."""
    live_body: list[Stmt] = []
    for t in body:
        match t:
            case Let() | Set():
                if t.name in live:
                    live_body.append(t)
            case Store():
                if t.array in live:
                    live_body.append(t)
            case Guard() | Leave():
                live_body.append(t)
            case If():
                then, otherwise = pruned(t.then, live), pruned(t.otherwise, live)
                if then or otherwise:
                    live_body.append(If(t.condition, then, otherwise, t.seldom))
            case While():
                before, inner = pruned(t.before, live), pruned(t.body, live)
                if before or inner:
                    live_body.append(While(before, t.condition, inner, t.steady))
            case Scope():
                if (inner := pruned(t.body, live)) or LEFT in live:
                    live_body.append(Scope(inner))
            case _:
                assert_never(t)
    return live_body
