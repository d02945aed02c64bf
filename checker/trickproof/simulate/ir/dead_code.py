"""Leaves out of an integer program what nobody asks for: values never used, arrays that only feed themselves."""

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
    """Takes out of a routine all that does not matter to its outer arrays."""
    live = live_names(routine.body, set(routine.outer))
    routine.body = pruned(routine.body, live)
    routine.inner = {array: size for array, size in routine.inner.items() if array in live}


def live_names(body: Sequence[Stmt], wanted: set[str]) -> set[str]:
    """The locals and arrays that matter to some arrays, or to where a scope is left."""
    live = set(wanted)
    while True:
        before = len(live)
        for t in reversed(body):
            _mark(t, live)
        if len(live) == before:
            return live


def _mark(t: Stmt, live: set[str]) -> bool:
    """Marks what a live statement needs; answers whether it is live."""
    match t:
        case Let() | Set():
            alive = t.name in live
            if alive:
                live.update(operands(t.value))
            return alive
        case Store():
            alive = t.array in live
            if alive:
                live.update(operands(t.index))
                live.update(operands(t.value))
            return alive
        case Guard():
            live.update(operands(t.condition))
            return True
        case Leave():
            return True
        case If():
            alive = _some(t.then, live) | _some(t.otherwise, live)
            if alive:
                live.update(operands(t.condition))
            return alive
        case While():
            alive = _some(t.body, live) | _some(t.before, live)
            if alive:
                live.update(operands(t.condition))
            return alive
        case Scope():
            return _some(t.body, live)


def _some(body: Sequence[Stmt], live: set[str]) -> bool:
    """Marks all; answers whether any is live."""
    return sum(_mark(t, live) for t in reversed(body)) > 0


def pruned(body: Sequence[Stmt], live: set[str]) -> list[Stmt]:
    """The statements that are live; loops that do nothing end, so they go too."""
    live_body: list[Stmt] = []
    for t in body:
        if not _mark(t, set(live)):
            continue
        match t:
            case If():
                live_body.append(If(t.condition, pruned(t.then, live), pruned(t.otherwise, live), t.seldom))
            case While():
                live_body.append(While(pruned(t.before, live), t.condition, pruned(t.body, live), t.steady))
            case Scope():
                live_body.append(Scope(pruned(t.body, live)))
            case Let() | Set() | Store() | Guard() | Leave():
                live_body.append(t)
            case _:
                assert_never(t)
    return live_body
