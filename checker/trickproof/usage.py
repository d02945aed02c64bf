"""Which words a program uses: what checks ask to see whether they apply, by one generic walk over the core."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.source import Span

Node = Any
"""Any dataclass of `core` with a place in a program: statement, expression, place, order."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Words that occur in some statements.  `missing` are rules that are called but say nothing, with the call."""

    reads: frozenset[str]
    assigns: frozenset[str]
    labels: frozenset[str]
    rules: frozenset[str]
    readings: frozenset[str]
    parameters: frozenset[str]
    missing: tuple[tuple[str, Span], ...]
    ends: tuple[c.EndMatch, ...]
    decides: bool
    """Whether anything asks a player or moves, shuffles or deals cards."""


def parts(node: Node) -> Iterator[Node]:
    """The nodes directly below a node, in order."""
    for field in fields(node):
        yield from _nodes(getattr(node, field.name))


def walk(*nodes: Node) -> Iterator[Node]:
    """Every node, parents first."""
    stack = list(reversed(list(_nodes(nodes))))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(parts(node))))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)
    elif is_dataclass(value) and not isinstance(value, c.Type | Span):
        yield value


_DECIDES = (c.ChooseCards, c.ChooseValue, c.Move, c.Shuffle, c.Deal)


def usage_of(*nodes: Node) -> Usage:
    """The words of some statements or expressions."""
    found: dict[str, list[Any]] = {
        key: []
        for key in (
            "reads",
            "assigns",
            "labels",
            "rules",
            "readings",
            "parameters",
            "missing",
            "ends",
            "decides",
        )
    }
    for node in walk(*nodes):
        match node:
            case c.Variable():
                found["reads"].append(node.name)
            case c.Assign():
                found["assigns"].append(node.variable)
            case c.InRule() | c.RuleValue():
                found["rules"].append(node.rule)
            case c.Reading():
                found["readings"].append(node.rule)
            case c.Parameter():
                found["parameters"].append(node.name)
            case c.Unspecified() | c.UnspecifiedValue():
                found["missing"].append((node.rule, node.span))
            case c.EndMatch():
                found["ends"].append(node)
            case c.Show():
                found["labels"].append(node.label)
        if isinstance(node, _DECIDES):
            found["decides"].append(True)
            found["labels"].append(getattr(node, "label", ""))
    words = {
        key: frozenset(found[key])
        for key in ("reads", "assigns", "labels", "rules", "readings", "parameters")
    }
    missing = tuple({rule: (rule, span) for rule, span in reversed(found["missing"])}.values())[::-1]
    return Usage(**words, missing=missing, ends=tuple(found["ends"]), decides=bool(found["decides"]))


def program_usage(program: c.Program) -> Usage:
    """The words of everything that can happen in a match."""
    return usage_of(program.setup, program.hand, program.between)


def rules_at(program: c.Program, span: Span) -> tuple[str, ...]:
    """The rules in whose text, or in rules called from whose text, a place lies: outermost first."""
    found: dict[str, None] = {}

    def search(node: Node, chain: tuple[str, ...]) -> None:
        if isinstance(node, c.InRule | c.RuleValue):
            chain = (*chain, node.rule)
        if getattr(node, "span", None) == span:
            found.update(dict.fromkeys(chain))
        for part in parts(node):
            search(part, chain)

    for phase in (program.setup, program.hand, program.between):
        for statement in phase:
            search(statement, ())
    return tuple(found)
