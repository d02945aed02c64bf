"""Which words a program uses: what checks ask to see whether they apply, by one generic walk over the core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import Node, parts, walk
from trickproof_dsl.diagnostics.source import Span


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


_LABELLED = (c.ChooseCards, c.ChooseValue, c.Move, c.Show)


def usage_of(*nodes: Node) -> Usage:
    """The words of some statements or expressions."""
    keys = ("reads", "assigns", "labels", "rules", "readings", "parameters", "missing", "ends")
    found: dict[str, list[Any]] = {key: [] for key in keys}
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
        if isinstance(node, _LABELLED):
            found["labels"].append(node.label)
    words = {
        key: frozenset(found[key])
        for key in ("reads", "assigns", "labels", "rules", "readings", "parameters")
    }
    missing = tuple({rule: (rule, span) for rule, span in reversed(found["missing"])}.values())[::-1]
    return Usage(**words, missing=missing, ends=tuple(found["ends"]))


def program_usage(program: c.Program) -> Usage:
    """The words of everything that can happen in a match."""
    return usage_of(program.setup, program.hand, program.between)


def rules_at(program: c.Program, span: Span) -> tuple[str, ...]:
    """The rules in whose text a place lies, and those that call them: outermost first."""
    found: dict[str, None] = {}

    def search(node: Node, chain: tuple[str, ...]) -> None:
        # Names that are handed down keep the place of the text that bound them.
        if getattr(node, "span", None) == span and not isinstance(node, c.Local | c.Literal | c.Variable):
            found.update(dict.fromkeys(chain))
        if isinstance(node, c.InRule | c.RuleValue):
            chain = (*chain, node.rule)
        for part in parts(node):
            search(part, chain)

    for phase in (program.setup, program.hand, program.between):
        for statement in phase:
            search(statement, ())
    return tuple(found)
