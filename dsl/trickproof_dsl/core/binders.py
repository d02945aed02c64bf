"""Bound names: which node binds what, the scope of each binding, and renaming.

An expression with a `binder` binds it in its `condition`, `value` or `key`, never in its domain.  A loop
binds its own in the body; each key of an order binds one in the key.  A choice binds the chosen value in the
statements after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from itertools import count
from typing import Any, TypeVar

from trickproof_dsl.core.expressions import RuleValue
from trickproof_dsl.core.statements import Choice, ChooseCards, ChooseValue, InRule, Loop, Order
from trickproof_dsl.core.traversal import Node, field_names, nodes_in, walk
from trickproof_dsl.core.types import CARDS, SETS, Type

Bound = Mapping[str, Type]
"""The types of the names in scope."""

T = TypeVar("T")

_WITHIN = ("condition", "value", "key")


def bound_by(node: Node) -> list[tuple[str, Type]]:
    """The names that a node itself binds, with their types."""
    if isinstance(node, ChooseCards):
        return [(node.binder, CARDS)]
    if isinstance(node, ChooseValue):
        return [(node.binder, node.value_type)]
    if not hasattr(node, "binder"):
        return []
    element = element_type(getattr(node, "domain", None) or node.operand)
    keys = [(key[1], element) for key in node.order.keys] if isinstance(node, Loop) else []
    return [(node.binder, element), *keys]


def too_deep(nodes: object, levels: int, rule: str) -> tuple[Node, str] | None:
    """A per-element condition or value nested within more than `levels` others, and the rule that contains it.

    Loops are not counted: their iterations are counted at run time.  `rule` is the rule that contains the
    nodes.
    """
    stack = [(node, 0, rule) for node in nodes_in(nodes)]
    while stack:
        node, level, where = stack.pop()
        if level > levels:
            return node, where
        where = node.rule if isinstance(node, InRule | RuleValue) else where
        for name in field_names(node):
            inside = level + (not isinstance(node, Loop) and _holds_in(node, name))
            stack += [(part, inside, where) for part in nodes_in(getattr(node, name))]
    return None


def element_type(domain: Node) -> Type:
    """The type of the elements of a set."""
    kind: Type = domain.type
    return Type(SETS.get(kind.kind, kind.kind))


def scoped(nodes: object, bound: Bound) -> Iterator[tuple[Node, Bound]]:
    """Every node of statements or values, parents first, with the names in scope there."""
    for node in nodes_in(nodes):
        yield node, bound
        own = {**bound, **dict(bound_by(node))}
        for name in field_names(node):
            part = getattr(node, name)
            if isinstance(part, Order):
                yield part, bound
                yield from scoped(part.start, bound)
                for _, binder, key in part.keys:
                    yield from scoped(key, {**bound, binder: own[binder]})
            else:
                yield from scoped(part, own if _holds_in(node, name) else bound)
        bound = own if isinstance(node, Choice) else bound


def _holds_in(node: Node, field: str) -> bool:
    return field == "body" if isinstance(node, Loop) else hasattr(node, "binder") and field in _WITHIN


def rename(value: Any, names: Mapping[str, str]) -> Any:
    """Replace every string that has a new name, in nodes, tuples and the values of mappings."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(rename(part, names) for part in value)
    if isinstance(value, dict):
        return {key: rename(part, names) for key, part in value.items()}
    if is_dataclass(value) and not isinstance(value, Type):
        node: Any = value
        return replace(node, **{name: rename(getattr(value, name), names) for name in field_names(value)})
    return value


def distinct(value: T) -> T:
    """Make binders unique: names bound again are renamed (`p.3` to `p.3.1`)."""
    names = [name for node in walk(value) for name, _ in bound_by(node)]
    if len(names) == len(set(names)):
        return value
    renamed: T = _distinct(value, set())
    return renamed


def _distinct(value: Any, taken: set[str]) -> Any:
    if isinstance(value, tuple):
        return tuple(_distinct(part, taken) for part in value)
    if not is_dataclass(value) or isinstance(value, Type):
        return value
    node: Any = value
    for name, _ in [] if isinstance(value, Choice) else bound_by(node):
        if name in taken:
            new = next(f"{name}.{n}" for n in count(1) if f"{name}.{n}" not in taken)
            node = rename(node, {name: new})
    taken.update(name for name, _ in bound_by(node))
    return replace(node, **{name: _distinct(getattr(node, name), taken) for name in field_names(node)})
