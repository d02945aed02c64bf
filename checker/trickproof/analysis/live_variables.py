"""What of a hand can ever matter to later hands: read off the core program, without running it.

A running count that nothing looks at but itself does not keep a match from coming back to where it was.  Reading errs
on the side of too much.
"""

from __future__ import annotations

from collections.abc import Iterator

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import Node, walk

PLAY = "(the course of the hand)"
"""Stands for what players may do, what cards move, and whether the match ends."""

CAN_FAIL = (c.Only, c.Extreme, c.Top, c.Seat, c.Table)
"""Expressions that break down for some values of their operands."""

CARDS = (c.ZoneCards, c.CardAttribute, c.Matching)


def lasting(program: c.Program) -> frozenset[str]:
    """The carried variables on which the course of any later hand can depend."""
    settings = list(_settings((*program.hand, *program.between), frozenset()))
    settings += [(PLAY, frozenset(x.name for x in program.variables.values() if _odd(x)))]
    names: set[str] = set()
    left = {PLAY}
    while left:
        names |= left
        left = {read for name, reads in settings if name in left for read in reads} - names
    return frozenset(name for name in names - {PLAY} if program.variables[name].carried)


def dealt_anew(program: c.Program) -> bool:
    """Whether every hand begins by shuffling all cards, so that nothing lies where the last one left it."""
    for t in _flat(program.hand):
        if isinstance(t, c.Shuffle):
            return True
        if not isinstance(t, c.Assign) or any(isinstance(node, CARDS) for node in walk(t)):
            return False
    return False


def _flat(body: tuple[c.Stmt, ...]) -> Iterator[c.Stmt]:
    for t in body:
        if isinstance(t, c.InRule):
            yield from _flat(t.body)
        else:
            yield t


def _odd(info: c.VariableInfo) -> bool:
    """Whether a variable holds what cannot be reckoned with freely."""
    return info.carried and info.type.kind not in ("integer", "boolean")


def _settings(body: tuple[c.Stmt, ...], around: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Each name that is set (or PLAY), with the names that its value, or whether it is set, depends on."""
    for t in body:
        match t:
            case c.Announce():
                continue
            case c.Assign():
                yield t.variable, around | _reads(t.value, *t.arguments)
                yield PLAY, _reads(*(a for a in t.arguments if not isinstance(a, c.Local)))
                yield PLAY, _risky(t.value)
            case c.EndMatch():
                yield PLAY, around
            case c.Branch():
                yield PLAY, _risky(t.condition)
                yield from _settings((*t.then, *t.otherwise), around | _reads(t.condition))
            case c.Loop():
                order = (t.domain, *(key for _, _, key in t.order.keys), *_some(t.order.start))
                yield PLAY, _risky(*order) | _reads(*(key for _, _, key in t.order.keys))
                yield from _settings(t.body, around | _reads(*order))
            case c.InRule():
                yield from _settings(t.body, around)
            case _:
                yield PLAY, around | _reads(t)
                yield from ((x.variable, around | _reads(t)) for x in walk(t) if isinstance(x, c.Assign))


def _some(node: Node | None) -> tuple[Node, ...]:
    return () if node is None else (node,)


def _reads(*nodes: Node) -> frozenset[str]:
    return frozenset(node.name for node in walk(*nodes) if isinstance(node, c.Variable))


def _risky(*nodes: Node) -> frozenset[str]:
    """What is read where a value can make the rules break down."""
    found: set[str] = set()
    for node in walk(*nodes):
        divides = isinstance(node, c.Arithmetic) and node.operator in ("div", "mod")
        if isinstance(node, CAN_FAIL):
            found |= _reads(node)
        elif divides:
            found |= _reads(node.right)
        elif isinstance(node, c.Variable):
            found |= _reads(*(a for a in node.arguments if not isinstance(a, c.Local)))
    return frozenset(found)
