"""The type rules of the core: one arm for every form of expression and statement.

`type_faults` yields what is wrong with a node, given the program's declarations; names are assumed to be
declared (`well_formed.py` checks that first).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from trickproof_dsl.core import expressions as e, statements as s
from trickproof_dsl.core.binders import element_type
from trickproof_dsl.core.program import Program
from trickproof_dsl.core.types import (
    BOOLEAN,
    CARD,
    CARDS,
    INTEGER,
    INTEGERS,
    PLAYER,
    PLAYERS,
    RANK,
    RANKS,
    SETS,
    SUIT,
    SUITS,
    TEAM,
    Type,
)

ORDERED = (INTEGER, RANK)
"""Types whose values are ordered."""

Wanted = tuple[str, Type, tuple[Type, ...]]
"""A part of a node, its type, and the types it may have."""


def type_faults(program: Program, node: object) -> Iterator[str]:
    """What is wrong with the types of a node; nothing if it is neither an expression nor a statement."""
    requirements: Iterator[Wanted] = iter(())
    if isinstance(node, e.Expr):
        requirements = _of_expression(program, node)
    elif isinstance(node, s.Stmt):
        requirements = _of_statement(program, node)
    elif isinstance(node, s.Place):
        requirements = _owners(node.arguments, program.zones[node.zone].of)
    for part, actual, allowed in requirements:
        if actual not in allowed:
            expected = " or ".join(map(str, allowed)) or "a set"
            yield f"{type(node).__name__}: {part} must be {expected}, is {actual}"


def _of_expression(program: Program, node: e.Expr) -> Iterator[Wanted]:
    own = node.type
    match node:
        case e.Literal() | e.Local():
            return
        case e.Parameter() | e.Reading() | e.Size():
            yield "it", own, (INTEGER,)
            if isinstance(node, e.Size):
                yield _a_set("set", node.set)
        case e.Variable():
            yield "it", own, (program.variables[node.name].type,)
            yield from _owners(node.arguments, program.variables[node.name].of)
        case e.ZoneCards():
            yield "it", own, (CARDS,)
            yield from _owners(node.arguments, program.zones[node.zone].of)
        case e.Arithmetic():
            yield from (("it", own, (INTEGER,)), ("left", node.left.type, (INTEGER,)))
            yield "right", node.right.type, (INTEGER,)
        case e.Compare():
            yield from (("it", own, (BOOLEAN,)), ("right", node.right.type, (node.left.type,)))
            if node.operator not in ("=", "!="):
                yield "left", node.left.type, ORDERED
        case e.Logic():
            yield from (("it", own, (BOOLEAN,)), ("left", node.left.type, (BOOLEAN,)))
            yield "right", node.right.type, (BOOLEAN,)
        case e.Not():
            yield from (("it", own, (BOOLEAN,)), ("operand", node.operand.type, (BOOLEAN,)))
        case e.Conditional():
            yield from (("condition", node.condition.type, (BOOLEAN,)), ("then", node.then.type, (own,)))
            yield "otherwise", node.otherwise.type, (own,)
        case e.Seat():
            yield from (("it", own, (PLAYER,)), ("player", node.player.type, (PLAYER,)))
        case e.Table():
            yield from (("it", own, (PLAYER, TEAM)), ("index", node.index.type, (PLAYER,)))
        case e.CardAttribute():
            kind = {"suit": SUIT, "rank": RANK, "height": INTEGER}[node.attribute]
            yield from (("it", own, (kind,)), ("card", node.card.type, (CARD,)))
        case e.Universe():
            yield "it", own, (PLAYERS, SUITS, RANKS, CARDS)
        case e.Range():
            yield from (("it", own, (INTEGERS,)), ("low", node.low.type, (INTEGER,)))
            yield "high", node.high.type, (INTEGER,)
        case e.SetOperation():
            yield from (
                _a_set("it", node),
                ("left", node.left.type, (own,)),
                ("right", node.right.type, (own,)),
            )
        case e.Single():
            yield from (_a_set("it", node), ("element", node.element.type, (element_type(node),)))
        case e.Filter():
            yield from (_a_set("domain", node.domain), ("it", own, (node.domain.type,)))
            yield "condition", node.condition.type, (BOOLEAN,)
        case e.Member():
            yield from (("it", own, (BOOLEAN,)), _a_set("set", node.set))
            yield "element", node.element.type, (element_type(node.set),)
        case e.Exists():
            yield from (("it", own, (BOOLEAN,)), _a_set("domain", node.domain))
            yield "condition", node.condition.type, (BOOLEAN,)
        case e.Sum():
            yield from (("it", own, (INTEGER,)), _a_set("domain", node.domain))
            yield "value", node.value.type, (INTEGER,)
        case e.UnionOf():
            yield from (_a_set("it", node), _a_set("domain", node.domain), ("value", node.value.type, (own,)))
        case e.Extreme():
            yield from (("it", own, (node.value.type,)), _a_set("domain", node.domain))
            yield "value", node.value.type, ORDERED
        case e.Best():
            yield from (("it", own, (node.domain.type,)), _a_set("domain", node.domain))
            yield "key", node.key.type, ORDERED
        case e.Matching():
            yield from (("it", own, (CARDS,)), ("operand", node.operand.type, (CARDS,)))
            yield "pattern", node.pattern.type, (CARDS,)
            if node.answering is not None:
                yield "answering", node.answering.type, (CARDS,)
        case e.Top():
            yield from (("it", own, (node.operand.type,)), _a_set("operand", node.operand))
            yield from (("key", node.key.type, ORDERED), ("count", node.count.type, (INTEGER,)))
        case e.Only():
            yield from (_a_set("operand", node.operand), ("it", own, (element_type(node.operand),)))
        case e.RuleValue():
            yield "value", node.value.type, (own,)
        case e.UnspecifiedValue():
            return
        case _:
            assert_never(node)


def _of_statement(program: Program, node: s.Stmt) -> Iterator[Wanted]:
    match node:
        case s.Assign():
            yield "value", node.value.type, (program.variables[node.variable].type,)
            yield from _owners(node.arguments, program.variables[node.variable].of)
        case s.Branch():
            yield "condition", node.condition.type, (BOOLEAN,)
        case s.Loop():
            yield _a_set("domain", node.domain)
            yield from (("a key", key.type, ORDERED) for _, _, key in node.order.keys)
            if node.order.start is not None:
                yield "the first in order", node.order.start.type, (PLAYER,)
        case s.Until():
            yield from (
                ("condition", node.condition.type, (BOOLEAN,)),
                ("bound", node.bound.type, (INTEGER,)),
            )
        case s.ChooseCards():
            yield from (("actor", node.actor.type, (PLAYER,)), ("domain", node.domain.type, (CARDS,)))
            yield from (("low", node.low.type, (INTEGER,)), ("high", node.high.type, (INTEGER,)))
            yield from _recipient(node.to)
            yield from _recipient(node.whose)
        case s.ChooseValue():
            by_number = node.value_type.kind in ("boolean", "option")
            yield from (("actor", node.actor.type, (PLAYER,)), ("condition", node.condition.type, (BOOLEAN,)))
            yield "an option", element_type(node.domain), (INTEGER if by_number else node.value_type,)
        case s.Move():
            yield "cards", node.cards.type, (CARDS,)
            yield from (("actor", actor.type, (PLAYER,)) for actor in (node.actor,) if actor is not None)
            yield from _recipient(node.to)
        case s.Show():
            yield from (("actor", node.actor.type, (PLAYER,)), ("cards", node.cards.type, (CARDS,)))
            yield "to", node.to.type, (PLAYERS,)
        case s.Deal():
            if node.count is not None:
                yield "count", node.count.type, (INTEGER,)
        case s.EndMatch():
            yield "winners", node.winners.type, (PLAYERS,)
        case s.EndHand() | s.Shuffle() | s.Announce() | s.InRule() | s.Unspecified():
            return
        case _:
            assert_never(node)


def _recipient(to: e.Expr | None) -> Iterator[Wanted]:
    if to is not None:
        yield "to", to.type, (PLAYER,)


def _owners(arguments: tuple[e.Expr, ...], of: tuple[Type, ...]) -> Iterator[Wanted]:
    return (("an owner", argument.type, (kind,)) for argument, kind in zip(arguments, of, strict=False))


def _a_set(part: str, expression: e.Expr) -> Wanted:
    return part, expression.type, (expression.type,) if expression.type.kind in SETS else ()
