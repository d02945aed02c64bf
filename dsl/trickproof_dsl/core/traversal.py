"""Traversal of a core program's tree: the children of a node, and every node in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from trickproof_dsl.core.expressions import Expr, RuleValue
from trickproof_dsl.core.types import Type
from trickproof_dsl.diagnostics.source import Span

Node = Any
"""Any dataclass of the core with a span: statement, expression, place, order."""


def parts(node: Node) -> list[Node]:
    """The children of a node, in order."""
    nodes: list[Node] = []
    for name in _inner_names(type(node)):
        _gathered(getattr(node, name), nodes)
    return nodes


def walk(*nodes: object) -> Iterator[Node]:
    """Every node in the given nodes, or tuples or lists of nodes, parents first."""
    stack = _gathered(nodes, [])
    stack.reverse()
    while stack:
        node = stack.pop()
        yield node
        below = parts(node)
        below.reverse()
        stack += below


def mapped(value: Any, change: Callable[[Node], Node | None]) -> Any:
    """Replace nodes for which `change` returns another, in nodes, tuples and mappings; parents come first."""
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


def stripped(e: Expr) -> Expr:
    """The expression inside a rule's value."""
    while isinstance(e, RuleValue):
        e = e.value
    return e


def nodes_in(value: object) -> list[Node]:
    """The nodes of a field: the field itself, or those in its tuples and lists."""
    return _gathered(value, [])


def _gathered(value: object, nodes: list[Node]) -> list[Node]:
    """Append the nodes of a field to a list; not a generator, because every analysis walks whole programs."""
    kind = type(value)
    if kind is tuple or kind is list:
        for part in value:  # type: ignore[attr-defined]
            _gathered(part, nodes)
    elif _is_node(value):
        nodes.append(value)
    return nodes


_NODES: dict[type, bool] = {}
"""Memo of `_is_node`, which is called very often."""


def _is_node(value: object) -> bool:
    kind = type(value)
    if kind not in _NODES:
        _NODES[kind] = is_dataclass(value) and not isinstance(value, Type | Span)
    return _NODES[kind]


def _inner_names(kind: type) -> tuple[str, ...]:
    """The fields that may hold nodes: those whose declared type is not known to hold none."""
    if kind not in _INNER:
        _INNER[kind] = tuple(x.name for x in fields(kind) if x.name != "span" and x.type not in _PLAIN)
    return _INNER[kind]


_INNER: dict[type, tuple[str, ...]] = {}
"""Memo of `_inner_names`, which is called very often."""

_PLAIN = (str, int, bool, "str", "int", "bool", "Type", "bool | None", "int | bool | tuple[int, ...] | None")
"""Declared types of fields that hold no nodes."""


def field_names(node: Node) -> tuple[str, ...]:
    """The fields that carry meaning: all except the span."""
    kind = type(node)
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in fields(kind) if field.name != "span")
    return _NAMES[kind]


_NAMES: dict[type, tuple[str, ...]] = {}
"""Memo of `field_names`, which is called very often."""
