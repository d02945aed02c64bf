"""Liveness across deals: which values of a deal can matter to later deals, determined statically.

A running total that nothing else reads does not keep a match from returning to an earlier state. The analysis
over-approximates.
"""

from __future__ import annotations

from collections.abc import Iterator

from trickproof.analysis.dependencies import Body, Step, steps, variables_assigned, variables_read
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import faults_of, may_be_none
from trickproof_dsl.core.traversal import Node, walk

PLAY = "(the course of the deal)"
"""Stands for what players may do, which cards move, and whether the match ends."""

CARDS = (c.ZoneCards, c.CardAttribute, c.Matching)
"""Expressions whose value depends on the cards."""

Dependence = tuple[str, frozenset[str]]
"""A name (or PLAY), with the variables that its value, or whether it is assigned, depends on."""


def lasting(program: c.Program) -> frozenset[str]:
    """The carried variables on which the course of any later deal can depend."""
    dependences = [d for step in steps((*program.hand, *program.between)) for d in _dependences(step)]
    dependences += [(PLAY, frozenset(x.name for x in program.variables.values() if _is_opaque(x)))]
    live: set[str] = set()
    unvisited = {PLAY}
    while unvisited:
        live |= unvisited
        unvisited = {read for name, reads in dependences if name in unvisited for read in reads} - live
    return frozenset(name for name in live - {PLAY} if program.variables[name].carried)


def dealt_anew(program: c.Program) -> bool:
    """Whether every deal begins by shuffling all cards, so that no card stays where the last deal left it."""
    for t in flat(program.hand):
        if isinstance(t, c.Shuffle):
            return True
        if not isinstance(t, c.Assign) or any(isinstance(node, CARDS) for node in walk(t)):
            return False
    return False


def flat(body: Body) -> Iterator[c.Stmt]:
    """The statements of a body, with those of a rule in its place."""
    for t in body:
        if isinstance(t, c.InRule):
            yield from flat(t.body)
        else:
            yield t


def _is_opaque(info: c.VariableInfo) -> bool:
    """Whether a carried variable holds anything but a number or a truth value."""
    return info.carried and info.type.kind not in ("integer", "boolean")


def _dependences(step: Step) -> Iterator[Dependence]:
    tests = variables_read(*step.tests)
    match step.statement:
        case c.Announce() | c.InRule():
            return
        case c.Assign() as t:
            yield t.variable, tests | variables_read(*step.operands)
            yield PLAY, variables_read(*(a for a in t.arguments if not isinstance(a, c.Local)))
            yield PLAY, _can_fault(t.value)
        case c.EndMatch():
            yield PLAY, tests
        case c.Branch():
            yield PLAY, _can_fault(*step.operands)
        case c.Loop() as t:
            yield PLAY, _can_fault(*step.operands) | variables_read(*(key for _, _, key in t.order.keys))
        case t:
            yield PLAY, tests | variables_read(t)
            yield from ((name, tests | variables_read(t)) for name in sorted(variables_assigned(t)))


def _can_fault(*nodes: Node) -> frozenset[str]:
    """The variables that decide whether evaluation faults."""
    faulty = [node for node in walk(*nodes) if any(faults_of(node, is_nullable))]
    return frozenset(name for node in faulty for name in variables_read(*_deciding(node)))


def _deciding(node: Node) -> tuple[Node, ...]:
    """The operands that decide whether a node faults."""
    match node:
        case c.Variable():
            return node.arguments
        case c.Arithmetic():
            return (node.right,)
    return (node,)


def is_nullable(e: c.Expr) -> bool:
    """Whether a value can be `none`; a local never is."""
    return not isinstance(e, c.Local) and may_be_none(e)
