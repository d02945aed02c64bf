"""Equivalence classes of parameter values that no rule can distinguish, each represented by one value.

A rule uses a parameter through the largest expressions that combine it with constants only (`k = 97`, `2 *
goal`), also within expressions over several parameters. Values on which all of these agree lead to the same
matches.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from trickproof.analysis.usage import claimed
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import parts, walk
from trickproof_dsl.semantics.expressions import Store, evaluate
from trickproof_dsl.semantics.faults import FaultError

CONSTANT = (c.Parameter, c.Literal, c.Arithmetic, c.Compare, c.Logic, c.Not, c.Conditional)


def telling_values(program: c.Program) -> dict[str, tuple[int, ...]]:
    """For every parameter, the first value of each class that rules and claims can distinguish."""
    return {name: tuple(dict.fromkeys(first.values())) for name, first in first_alike(program).items()}


def first_alike(program: c.Program) -> dict[str, dict[int, int]]:
    """For every value of every parameter, the first value of its class."""
    if not program.parameters:
        return {}
    nodes = (*program.phases, *claimed(program))
    closed = list(dict.fromkeys(e for body in nodes for e in _closed(body)))
    return {name: _of_each_kind(program, name, closed) for name in program.parameters}


def _closed(node: object) -> Iterator[c.Expr]:
    """The largest expressions of one parameter and constants alone."""
    if isinstance(node, tuple):
        for one in node:
            yield from _closed(one)
        return
    inside = list(walk(node))
    if not any(isinstance(e, c.Parameter) for e in inside):
        return
    if (
        isinstance(node, CONSTANT)
        and all(isinstance(e, CONSTANT) for e in inside)
        and len(_parameters(node)) == 1
    ):
        yield node
        return
    for part in parts(node):
        yield from _closed(part)


def _of_each_kind(program: c.Program, name: str, closed: list[c.Expr]) -> dict[int, int]:
    concerned = [e for e in closed if name in _parameters(e)]
    kinds: dict[Hashable, int] = {}
    first = {}
    for value in program.parameters[name]:
        store = Store(program, {name: value}, {}, {}, {})
        first[value] = kinds.setdefault(tuple(_value(e, store) for e in concerned), value)
    return first


def _parameters(e: c.Expr) -> set[str]:
    return {x.name for x in walk(e) if isinstance(x, c.Parameter)}


def _value(e: c.Expr, store: Store) -> Hashable:
    try:
        return evaluate(e, store, {})
    except FaultError as broken:
        return broken.fault.kind
