"""De Bruijn levels for bound names, so that alpha-equivalent steps become equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from typing import Any

from trickproof.equivalence.constant_folding import cannot_fault
from trickproof_dsl import core as c
from trickproof_dsl.core.binders import bound_by
from trickproof_dsl.core.traversal import field_names
from trickproof_dsl.core.types import Type


def leveled(steps: tuple[c.Stmt, ...], readings: Mapping[str, int]) -> tuple[c.Stmt, ...]:
    """Rename bound names to levels, and resolve the given readings."""
    return _Levels(readings).steps(steps, {})


class _Levels:
    def __init__(self, readings: Mapping[str, int]) -> None:
        self.readings = readings

    def steps(self, body: tuple[c.Stmt, ...], names: Mapping[str, str]) -> tuple[c.Stmt, ...]:
        renamed: list[c.Stmt] = []
        for step in body:
            if isinstance(step, c.Branch) and (taken := self._taken(step.condition)) is not None:
                renamed += self.steps(step.then if taken else step.otherwise, names)
                continue
            renamed.append(self.node(step, names))
            if isinstance(step, c.ChooseCards | c.ChooseValue):
                names = {**names, step.binder: f"b{len(names)}"}
        return tuple(renamed)

    def node(self, node: Any, names: Mapping[str, str]) -> Any:
        if isinstance(node, tuple):
            if node and isinstance(node[0], c.Stmt):
                return self.steps(node, names)
            return tuple(self.node(part, names) for part in node)
        if not is_dataclass(node) or isinstance(node, Type):
            return node
        if isinstance(node, c.Conditional) and (taken := self._taken(node.condition)) is not None:
            return self.node(node.then if taken else node.otherwise, names)
        if isinstance(node, c.Reading) and node.rule in self.readings:
            return c.Literal(node.type, self.readings[node.rule], node.span)
        if isinstance(node, c.Local):
            return replace(node, name=names.get(node.name, node.name))
        new = {name: f"b{len(names)}" for name, _ in bound_by(node)} if hasattr(node, "binder") else {}
        inner = {**names, **new}
        parts_by_name: dict[str, Any] = {}
        for name in field_names(node):
            part = getattr(node, name)
            if name == "binder":
                parts_by_name[name] = new[part]
            elif isinstance(part, c.Order):
                keys = tuple((high, new[binder], self.node(key, inner)) for high, binder, key in part.keys)
                parts_by_name[name] = replace(part, keys=keys, start=self.node(part.start, names))
            elif name in ("domain", "operand", "count", "actor", "low", "high", "to", "whose"):
                parts_by_name[name] = self.node(part, names)
            else:
                parts_by_name[name] = self.node(part, inner)
        copied: Any = node
        return _plainly(replace(copied, **parts_by_name))

    def _taken(self, condition: c.Expr) -> bool | None:
        """The value of a condition that only tests a known reading; None for any other condition."""
        match condition:
            case c.Compare("=", c.Reading(rule=rule), c.Literal(value=index)) if rule in self.readings:
                return self.readings[rule] == index
        return None


_TURNED = {">": "<", ">=": "<="}
_SYMMETRIC = ("=", "!=")


def _plainly(e: Any) -> Any:
    """A canonical form of equivalent conditions."""
    if isinstance(e, c.Compare):
        some = _whether_some(e)
        if some is not None:
            return some
        if e.operator in _TURNED:
            return replace(e, operator=_TURNED[e.operator], left=e.right, right=e.left)
        if e.operator in _SYMMETRIC and repr(e.left) > repr(e.right):
            return replace(e, left=e.right, right=e.left)
    if isinstance(e, c.Logic) and repr(e.left) > repr(e.right) and cannot_fault((e.left, e.right)):
        return replace(e, left=e.right, right=e.left)
    if isinstance(e, c.Not) and isinstance(e.operand, c.Not):
        return e.operand.operand
    return e


def _whether_some(e: c.Compare) -> c.Expr | None:
    """Rewrite `number of … > 0` and its variants to an existential test."""
    left, right, operator = e.left, e.right, e.operator
    if isinstance(right, c.Size):
        left, right, operator = (
            right,
            left,
            {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(operator, operator),
        )
    if not (isinstance(left, c.Size) and isinstance(left.set, c.Filter) and isinstance(right, c.Literal)):
        return None
    if not cannot_fault(left.set.condition):  # counting evaluates it for all, `some` stops early
        return None
    exists = c.Exists(left.set.binder, left.set.domain, left.set.condition, c.BOOLEAN, e.span)
    if (operator, right.value) in ((">", 0), (">=", 1), ("!=", 0)):
        return exists
    return (
        c.Not(exists, c.BOOLEAN, e.span)
        if (operator, right.value) in (("=", 0), ("<", 1), ("<=", 0))
        else None
    )
