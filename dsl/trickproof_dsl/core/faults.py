"""Faults at run time: the kinds of fault, and those that each node of the core can raise.

This is the single source for where a program can fault.  Limits of an engine (numbers, iterations and
elements beyond what it handles) are not faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal as OneOf, NamedTuple

from trickproof_dsl.core import expressions as e, statements as s
from trickproof_dsl.core.traversal import Node, walk
from trickproof_dsl.core.types import PLAYER, SETS
from trickproof_dsl.diagnostics.source import Span

FaultKind = OneOf[
    "no-legal-choice",
    "cards-not-there",
    "deck-empty",
    "not-single",
    "empty-extreme",
    "no-card",
    "nobody",
    "tie",
    "loop-bound",
    "unspecified",
    "bad-number",
]

FAULTS: dict[str, str] = {
    "no-legal-choice": "a player must choose and has no legal option",
    "cards-not-there": "cards are moved from a zone that does not contain them",
    "deck-empty": "more cards are dealt than the deck holds",
    "not-single": "a set that must have one element has none or several",
    "empty-extreme": "the highest or lowest of an empty set",
    "no-card": "the suit or rank of no card",
    "nobody": "a player, suit or the like is needed where there is `none`",
    "tie": "a tie that the rules declare impossible",
    "loop-bound": "a loop exceeds its bound",
    "unspecified": "a rule that is needed is missing",
    "bad-number": "an invalid number of cards, or a division by zero",
}
"""A description of each kind of fault."""


class FaultSite(NamedTuple):
    """A fault that may be raised: its kind, its place, and the label of the move (or empty)."""

    kind: FaultKind
    span: Span
    label: str = ""


def may_be_none(expression: e.Expr) -> bool:
    """Whether a value can be `none`, judged by the form of the expression alone."""
    match expression:
        case e.Literal():
            return expression.value is None
        case e.RuleValue():
            return may_be_none(expression.value)
        case e.Conditional():
            return may_be_none(expression.then) or may_be_none(expression.otherwise)
        case e.Seat() | e.Table() | e.Only() | e.CardAttribute() | e.Extreme():
            return False
    return expression.type.kind not in ("integer", "boolean", *SETS)


def fault_sites(*nodes: object) -> Iterator[FaultSite]:
    """Every fault that the nodes and their descendants can raise."""
    for node in walk(*nodes):
        yield from faults_of(node)


def faults_of(node: Node, nullable: Callable[[e.Expr], bool] = may_be_none) -> Iterator[FaultSite]:
    """The faults that a node itself can raise, not counting those of its operands.

    `nullable` decides which operands can be `none`; callers with a sharper analysis than `may_be_none` pass
    their own.
    """

    def needed(*operands: e.Expr | None) -> Iterable[FaultSite]:
        """Operands that must not be `none`."""
        return [FaultSite("nobody", x.span) for x in operands if x is not None and nullable(x)]

    def owned(owners: tuple[e.Expr, ...], span: Span) -> Iterable[FaultSite]:
        """Owners of a variable or zone, which must not be `none`."""
        return [FaultSite("nobody", span)] if any(map(nullable, owners)) else []

    match node:
        case e.Variable() | e.ZoneCards() | s.Place():
            yield from owned(node.arguments, node.span)
        case e.Arithmetic(operator="div" | "mod"):
            yield FaultSite("bad-number", node.span)
        case e.Compare(operator="<" | "<=" | ">" | ">="):
            if nullable(node.left) or nullable(node.right):
                yield FaultSite("nobody", node.span)
        case e.Seat():
            yield from needed(node.player)
        case e.Table():
            yield from needed(node.index)
        case e.CardAttribute():
            if nullable(node.card):
                yield FaultSite("no-card", node.span)
        case e.Extreme():
            yield from (FaultSite("empty-extreme", node.span), *needed(node.value))
        case e.Best():
            yield from needed(node.key)
        case e.Top():
            yield from (FaultSite("bad-number", node.span), *needed(node.key))
        case e.Only():
            yield FaultSite("not-single", node.span)
        case e.UnspecifiedValue(otherwise=None) | s.Unspecified():
            yield FaultSite("unspecified", node.span)
        case s.Assign():
            yield from owned(node.arguments, node.span)
        case s.Loop():
            yield from needed(node.order.start, *(key for _, _, key in node.order.keys))
            if node.order.ties == "impossible":
                yield FaultSite("tie", node.span)
        case s.Until():
            yield FaultSite("loop-bound", node.span)
        case s.ChooseCards():
            yield FaultSite("bad-number", node.span, node.label)
            yield FaultSite("no-legal-choice", node.span, node.label)
            yield from needed(node.actor, node.to, node.whose)
        case s.ChooseValue():
            yield FaultSite("no-legal-choice", node.span, node.label)
            yield from needed(node.actor)
        case s.Move():
            yield FaultSite("cards-not-there", node.span, node.label)
            owners = [owner for owner in node.source.arguments if owner.type == PLAYER]
            yield from needed(node.actor, node.to, *owners)
        case s.Show():
            yield from needed(node.actor)
        case s.Deal():
            yield FaultSite("deck-empty", node.span)
