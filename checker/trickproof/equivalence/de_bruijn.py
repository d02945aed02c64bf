"""De Bruijn levels for bound names, so that alpha-equivalent steps become equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from operator import is_
from typing import Any

from trickproof.equivalence.constant_folding import EACH
from trickproof.equivalence.plain_forms import plain_form
from trickproof_dsl import core as c
from trickproof_dsl.core.binders import bound_by, rename
from trickproof_dsl.core.traversal import field_names, walk
from trickproof_dsl.core.types import Type


def leveled(steps: tuple[c.Stmt, ...], readings: Mapping[str, int]) -> tuple[c.Stmt, ...]:
    """Rename bound names to levels, and resolve the given readings."""
    return _Levels(readings).steps(steps, {})


def leveled_expression(part: Any, names: Mapping[str, str]) -> Any:
    """Rename the names that an expression or another part of a step binds to levels, and free ones as given."""
    return _Levels({}, "inner ").node(part, names)


def outside(loop: c.Loop, part: Any) -> Any:
    """A part of the body of a loop without keys, with the levels that its names have before the loop."""
    level = _level(loop.binder)
    bound = {name for node in walk(part) for name, _ in bound_by(node)}
    inner = {name: _level(name) for name in bound}
    return rename(part, {name: f"{EACH}b{n - 1}" for name, n in inner.items() if -1 < level < n})


def _level(name: str) -> int:
    """The level of a bound name; -1 if it is not named by it."""
    number = name.removeprefix(f"{EACH}b")
    return int(number) if number.isdecimal() else -1


class _Levels:
    def __init__(self, readings: Mapping[str, int], prefix: str = "b") -> None:
        self.readings, self.prefix = readings, prefix

    def steps(self, body: tuple[c.Stmt, ...], names: Mapping[str, str]) -> tuple[c.Stmt, ...]:
        renamed: list[c.Stmt] = []
        for step in body:
            if isinstance(step, c.Branch) and (taken := self._taken(step.condition)) is not None:
                renamed += self.steps(step.then if taken else step.otherwise, names)
                continue
            renamed.append(self.node(step, names))
            if isinstance(step, c.Choice):
                names = {**names, step.binder: f"{self.prefix}{len(names)}"}
        return tuple(renamed)

    def node(self, node: Any, names: Mapping[str, str]) -> Any:
        if isinstance(node, tuple):
            if node and isinstance(node[0], c.Stmt):
                return self.steps(node, names)
            renamed = tuple([self.node(part, names) for part in node])
            return node if all(map(is_, renamed, node)) else renamed
        if not is_dataclass(node) or isinstance(node, Type):
            return node
        if isinstance(node, c.Conditional) and (taken := self._taken(node.condition)) is not None:
            return self.node(node.then if taken else node.otherwise, names)
        if isinstance(node, c.RuleValue):
            return self.node(node.value, names)
        if isinstance(node, c.Reading) and node.rule in self.readings:
            return c.Literal(node.type, self.readings[node.rule], node.span)
        if isinstance(node, c.Local):
            return replace(node, name=names.get(node.name, node.name))
        new: dict[str, str] = {}
        if hasattr(node, "binder"):
            kind = "" if isinstance(node, c.Choice) else EACH
            new = {name: f"{kind}{self.prefix}{len(names)}" for name, _ in bound_by(node)}
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
        changed = any(part is not getattr(node, name) for name, part in parts_by_name.items())
        return plain_form(replace(copied, **parts_by_name) if changed else copied)

    def _taken(self, condition: c.Expr) -> bool | None:
        """The value of a condition that only tests a known reading; None for any other condition."""
        match condition:
            case c.Compare("=", c.Reading(rule=rule), c.Literal(value=index)) if rule in self.readings:
                return self.readings[rule] == index
        return None
