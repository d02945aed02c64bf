"""Definitions and uses in core programs: what a statement defines, from which operands, and under which tests; the steps of a deal.

A single walk, shared by slicing, liveness, information flow and usage. It follows the tree and runs nothing,
so it over-approximates: every branch is considered possible. Names bound by a loop or a choice are
definitions of their own, distinguished from variables by `local_name`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeGuard

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk

Body = tuple[c.Stmt, ...]
Exprs = tuple[c.Expr, ...]

DEALT = "(dealt)"
"""Stands for the number of cards that are dealt."""

_VARYING = (c.Variable, c.ZoneCards, c.Local, c.Parameter, c.Reading)


@dataclass(frozen=True, slots=True)
class Step:
    """A statement in its context."""

    statement: c.Stmt
    defines: str | None
    """The variable it assigns, the local it binds (see `local_name`), or `DEALT`."""
    operands: Exprs
    """What the defined value is computed from; for branches and loops, what decides whether the body runs."""
    tests: Exprs
    """The operands of the enclosing statements, outermost first: its control dependences."""
    enclosing: Body
    """The enclosing statements, outermost first."""
    continuation: tuple[Body, ...]
    """What is executed after it, innermost block first; a loop is followed by itself."""


def steps(body: Body, skipped_rules: Collection[str] = ()) -> Iterator[Step]:
    """Every statement in order, parents first, without the bodies of the skipped rules."""
    return _steps(body, (), (), (), skipped_rules)


def _steps(
    body: Body, tests: Exprs, enclosing: Body, after: tuple[Body, ...], skipped_rules: Collection[str]
) -> Iterator[Step]:
    for i, t in enumerate(body):
        defines, operands = _definition(t)
        rest = (body[i + 1 :], *after)
        yield Step(t, defines, operands, tests, enclosing, rest)
        if isinstance(t, c.InRule) and t.rule in skipped_rules:
            continue
        inner_rest = ((t,), *rest) if isinstance(t, c.Loop | c.Until) else rest
        for block in blocks_of(t):
            yield from _steps(block, (*tests, *operands), (*enclosing, t), inner_rest, skipped_rules)


def blocks_of(t: c.Stmt) -> tuple[Body, ...]:
    """The bodies of a statement."""
    match t:
        case c.Branch():
            return t.then, t.otherwise
        case c.Loop() | c.Until() | c.InRule():
            return (t.body,)
        case _:
            return ()


def _definition(t: c.Stmt) -> tuple[str | None, Exprs]:
    match t:
        case c.Assign():
            return t.variable, (t.value, *t.arguments)
        case c.Branch():
            return None, (t.condition,)
        case c.Loop():
            return local_name(t.binder), order_operands(t)
        case c.Until():
            return None, (t.condition, t.bound)
        case c.ChooseCards():
            return local_name(t.binder), (t.domain, t.low, t.high)
        case c.ChooseValue():
            return local_name(t.binder), (t.domain, t.condition)
        case c.Deal():
            return DEALT, () if t.count is None else (t.count,)
        case _:
            return None, ()


def order_operands(t: c.Loop) -> Exprs:
    """What a loop iterates over, and what its order depends on."""
    start = () if t.order.start is None else (t.order.start,)
    return (t.domain, *(key for _, _, key in t.order.keys), *start)


def local_name(binder: str) -> str:
    """The name under which a local appears among definitions."""
    return f"({binder})"


def variables_read(*nodes: object) -> frozenset[str]:
    """The variables read in some nodes."""
    return frozenset(node.name for node in walk(*nodes) if isinstance(node, c.Variable))


def variables_assigned(*nodes: object) -> frozenset[str]:
    """The variables that some statements assign."""
    return frozenset(node.variable for node in walk(*nodes) if isinstance(node, c.Assign))


def assigned_by_rules(program: c.Program) -> frozenset[str]:
    """The variables that some phase assigns."""
    return variables_assigned(*program.phases)


def is_play(t: object) -> TypeGuard[c.InRule]:
    """Whether a statement is the play."""
    return isinstance(t, c.InRule) and t.rule == "play"


def in_play(program: c.Program) -> frozenset[str]:
    """Variables that are assigned in the play."""
    return variables_assigned(*filter(is_play, walk(program.hand)))


def steps_of_deal(program: c.Program) -> Body:
    """The steps of a deal."""
    body: Body = program.hand
    while len(body) == 1 and isinstance(body[0], c.InRule) and not is_play(body[0]):
        body = body[0].body
    return body


def first_part(program: c.Program) -> Body:
    """The steps of a deal up to and including the play; all of them if there is no play."""
    return _divided(program)[0]


def last_part(program: c.Program) -> Body:
    """The steps of a deal after its play; none if there is no play."""
    return _divided(program)[1]


def _divided(program: c.Program) -> tuple[Body, Body]:
    body = steps_of_deal(program)
    places = [i for i, step in enumerate(body) if is_play(step)]
    last = places[-1] + 1 if places else len(body)
    return body[:last], body[last:]


def names_read(*nodes: object) -> Iterator[str]:
    """The variables and locals that occur in some nodes, named as in definitions."""
    for node in walk(*nodes):
        if isinstance(node, c.Variable):
            yield node.name
        elif isinstance(node, c.Local):
            yield local_name(node.name)


def reads_local(e: c.Expr, binder: str) -> bool:
    """Whether a bound name occurs in an expression."""
    return any(isinstance(x, c.Local) and x.name == binder for x in walk(e))


def is_constant(e: c.Expr) -> bool:
    """Whether an expression has the same value at every moment of every match."""
    return not any(isinstance(node, _VARYING) for node in walk(e))
