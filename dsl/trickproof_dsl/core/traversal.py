"""The tree of a core program: what stands directly below a node, and every node in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from trickproof_dsl.core.types import Type
from trickproof_dsl.diagnostics.source import Span

Node = Any
"""Any dataclass of the core with a place in a program: statement, expression, place, order."""


def parts(node: Node) -> Iterator[Node]:
    """The nodes directly below a node, in order."""
    for name in field_names(node):
        yield from nodes_in(getattr(node, name))


def walk(*nodes: object) -> Iterator[Node]:
    """Every node in some nodes or tuples of nodes, parents first."""
    stack = list(reversed(list(nodes_in(nodes))))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(parts(node))))


def mapped(value: Any, change: Callable[[Node], Node | None]) -> Any:
    """The value with other nodes where `change` answers one, in nodes, tuples and mappings; parents are asked first."""
    if isinstance(value, tuple):
        return tuple(mapped(part, change) for part in value)
    if isinstance(value, dict):
        return {key: mapped(part, change) for key, part in value.items()}
    if not _is_node(value):
        return value
    other = change(value)
    if other is not None:
        return other
    return replace(value, **{name: mapped(getattr(value, name), change) for name in field_names(value)})


def nodes_in(value: object) -> Iterator[Node]:
    """The nodes of a field: itself, or those in its tuples."""
    if isinstance(value, tuple):
        for part in value:
            yield from nodes_in(part)
    elif _is_node(value):
        yield value


_NODES: dict[type, bool] = {}
"""The answers of `_is_node`, which is asked very often."""


def _is_node(value: object) -> bool:
    kind = type(value)
    if kind not in _NODES:
        _NODES[kind] = is_dataclass(value) and not isinstance(value, Type | Span)
    return _NODES[kind]


def field_names(node: Node) -> tuple[str, ...]:
    """The fields that carry meaning: all but the span."""
    kind = type(node)
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in fields(kind) if field.name != "span")
    return _NAMES[kind]


_NAMES: dict[type, tuple[str, ...]] = {}
"""The answers of `field_names`, which is asked very often."""
