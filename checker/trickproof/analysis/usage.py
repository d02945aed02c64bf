"""The words that a program uses, by which checks decide whether they apply, from a single generic walk."""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import Node, parts, walk
from trickproof_dsl.diagnostics.source import Span


@dataclass(frozen=True, slots=True)
class Usage:
    """Words that occur in some statements. `missing` are rules that are called but unspecified, with the call."""

    reads: frozenset[str]
    assigns: frozenset[str]
    labels: frozenset[str]
    rules: frozenset[str]
    readings: frozenset[str]
    parameters: frozenset[str]
    missing: tuple[tuple[str, Span], ...]
    ends: tuple[c.EndMatch, ...]
    hand_ends: tuple[c.EndHand, ...]


_MISSING = (c.Unspecified, c.UnspecifiedValue)
_LABELLED = (c.ChooseCards, c.ChooseValue, c.Move, c.Show)


def usage_of(*nodes: object) -> Usage:
    """The words in some statements or expressions."""
    every = list(walk(*nodes))
    missing = {node.rule: node.span for node in reversed(every) if isinstance(node, _MISSING)}
    return Usage(
        reads=frozenset(x.name for x in every if isinstance(x, c.Variable)),
        assigns=frozenset(x.variable for x in every if isinstance(x, c.Assign)),
        labels=frozenset(x.label for x in every if isinstance(x, _LABELLED)),
        rules=frozenset(x.rule for x in every if isinstance(x, c.InRule | c.RuleValue)),
        readings=frozenset(x.rule for x in every if isinstance(x, c.Reading)),
        parameters=frozenset(x.name for x in every if isinstance(x, c.Parameter)),
        missing=tuple(reversed(missing.items())),
        ends=tuple(x for x in every if isinstance(x, c.EndMatch)),
        hand_ends=tuple(x for x in every if isinstance(x, c.EndHand)),
    )


def program_usage(program: c.Program) -> Usage:
    """The words of everything that can happen in a match."""
    return usage_of(program.setup, program.hand, program.between)


OWED = ("to-give", "to-receive")
"""The rules of the standard vocabulary that only claims use."""


def claimed(program: c.Program) -> tuple[c.Expr, ...]:
    """What only claims evaluate: the invariants, and what players owe each other in the exchange."""
    stated = (invariant.condition for invariant in program.invariants.values())
    owed = (program.rules[name].value for name in OWED if name in program.rules)
    return (*stated, *(value for value in owed if value is not None))


def rules_at(program: c.Program, span: Span) -> tuple[str, ...]:
    """The rules in whose text a place lies, and those that call them, outermost first."""
    rules: dict[str, None] = {}

    def search(node: Node, chain: tuple[str, ...]) -> None:
        # Names that are passed down keep the place of the text that bound them.
        if getattr(node, "span", None) == span and not isinstance(node, c.Local | c.Literal | c.Variable):
            rules.update(dict.fromkeys(chain))
        if isinstance(node, c.InRule | c.RuleValue):
            chain = (*chain, node.rule)
        for part in parts(node):
            search(part, chain)

    for phase in (program.setup, program.hand, program.between):
        for statement in phase:
            search(statement, ())
    return tuple(rules)
