"""Loops in which a player moves cards one by one: they move as many cards as there are rounds, any of those that were there.

Each round takes one card of a zone that nothing but these rounds changes, so the rounds together take that
many different ones, in all possible ways, and fail if there are too few.  Rounds that only add numbers are one sum.
"""

from __future__ import annotations

from dataclasses import replace

from trickproof.analysis.usage import usage_of
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk


def at_once(t: c.Loop) -> tuple[c.Stmt, ...] | None:
    """Statements that do the same as the loop in one move; None if it is not such a loop.

    The zone that the cards leave must not be the one that they go to.
    """
    domain, body = t.domain, t.body
    if not isinstance(domain, c.Range) or t.order.keys or len(body) < 2:
        return None
    choose, collect, move = body[0], body[1:-1], body[-1]
    if (
        not isinstance(choose, c.ChooseCards)
        or not isinstance(move, c.Move)
        or not (_is_one(domain.low) and _is_one(choose.low) and _is_one(choose.high))
        or not _chosen(move.cards, choose)
        or not isinstance(choose.domain, c.ZoneCards)
        or (choose.domain.zone, choose.domain.arguments) != (move.source.zone, move.source.arguments)
        or choose.label == "play"
    ):
        return None
    if not all(_collects(step, choose) for step in collect) or len(collect) > 1:
        return None
    owners = (
        choose.actor,
        choose.to,
        choose.whose,
        move.actor,
        move.to,
        *move.source.arguments,
        *move.target.arguments,
    )
    owners += tuple(x for step in collect if isinstance(step, c.Assign) for x in step.arguments)
    changed = usage_of(body).assigns
    for node in walk(*(e for e in owners if e is not None)):
        if isinstance(node, c.ZoneCards) or (isinstance(node, c.Variable) and node.name in changed):
            return None
        if isinstance(node, c.Local) and node.name in (t.binder, choose.binder):
            return None
    rounds = _rounds(domain)
    return (
        replace(choose, low=rounds, high=rounds, single=False),
        *collect,
        replace(move, single=False),
    )


def added_up(t: c.Loop) -> c.Branch | None:
    """A branch that does the same as a loop whose rounds only add known numbers to variables; None if it is not such a loop."""
    domain, changed = t.domain, usage_of(t.body).assigns
    if not isinstance(domain, c.Range) or t.order.keys or len(changed) < len(t.body):
        return None
    low, high, span = domain.low, domain.high, domain.span
    more = c.Arithmetic("-", high, low, c.INTEGER, span)
    rounds = c.Arithmetic("+", more, c.Literal(c.INTEGER, 1, span), c.INTEGER, span)
    sums: list[c.Assign] = []
    for step in t.body:
        if not isinstance(step, c.Assign) or not isinstance(step.value, c.Arithmetic):
            return None
        old, number = step.value.left, step.value.right
        if (
            step.value.operator not in "+-"
            or not isinstance(old, c.Variable)
            or (old.name, old.arguments) != (step.variable, step.arguments)
            or not isinstance(number, c.Literal | c.Parameter)
        ):
            return None
        product = c.Arithmetic("*", rounds, number, c.INTEGER, span)
        sums.append(replace(step, value=replace(step.value, right=product)))
    for node in walk(domain, *(x for step in sums for x in step.arguments)):
        if (isinstance(node, c.Variable) and node.name in changed) or (
            isinstance(node, c.Local) and node.name == t.binder
        ):
            return None
    return c.Branch(c.Compare("<=", low, high, c.BOOLEAN, span), tuple(sums), (), span)


def _rounds(domain: c.Range) -> c.Expr:
    """The number of rounds from 1 to a number, which may be negative."""
    none = c.Literal(c.INTEGER, 0, domain.span)
    some = c.Compare(">", domain.high, none, c.BOOLEAN, domain.span)
    return c.Conditional(some, domain.high, none, c.INTEGER, domain.span)


def _is_one(e: c.Expr) -> bool:
    return isinstance(e, c.Literal) and e.value == 1


def _chosen(e: c.Expr, choose: c.ChooseCards) -> bool:
    return isinstance(e, c.Local) and e.name == choose.binder


def _collects(step: c.Stmt, choose: c.ChooseCards) -> bool:
    """Whether the statement adds the chosen card to a variable."""
    return (
        isinstance(step, c.Assign)
        and isinstance(step.value, c.SetOperation)
        and step.value.operator == "+"
        and isinstance(step.value.left, c.Variable)
        and (step.value.left.name, step.value.left.arguments) == (step.variable, step.arguments)
        and _chosen(step.value.right, choose)
    )
