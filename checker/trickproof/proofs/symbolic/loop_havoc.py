"""Loops over numbers that are gone through in an order of their own: the first round exactly, all later ones at once.

Which number comes first is not known, only that it is one of them.  What a later round may assign is reckoned from any
of the numbers and from any values of what the loop assigns; whether it is assigned is left open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Int
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key, owner_keys

if TYPE_CHECKING:
    from trickproof.proofs.symbolic.executor import HandReader


def sketch(reader: HandReader, t: c.Loop) -> None:
    """Carries out the loop.  Raises NotEncodedError where more than values are set in it."""
    assert isinstance(t.domain, c.Range)
    for node in walk(*t.body):
        if isinstance(node, c.Stmt) and not isinstance(node, c.Assign | c.Branch | c.InRule):
            raise NotEncodedError("it does more than reckon, in an order of its own", t.span)
    low, high = reader.value(t.domain.low), reader.value(t.domain.high)
    if not reader.oracle.decide(y.compare("<=", low, high)):
        return
    first = _one_of(reader, low, high)
    _ties(reader, t, first, _one_of(reader, low, high))
    reader.bound[t.binder] = first
    _reckon(reader, t.body)
    if reader.oracle.decide(y.compare("=", low, high)):
        return
    _later_rounds(reader, t, low, high)


def _one_of(reader: HandReader, low: Int, high: Int) -> z3.ArithRef:
    """Some number between two, of which the first is not higher."""
    number = z3.Int(reader.world.name())
    reader.oracle.facts += [number >= low, number <= high]
    return number


def _ties(reader: HandReader, t: c.Loop, one: Int, other: Int) -> None:
    """Whether two of the numbers can be equal in everything the order goes by."""
    equal: Bool = one != other
    for _, binder, key in t.order.keys:
        values = []
        for number in (one, other):
            reader.bound[binder] = number
            values.append(reader.value(key))
        if not all(isinstance(value, int | z3.ArithRef) for value in values):
            raise NotEncodedError("what the order goes by is not a number", key.span)
        equal = y.conj(equal, y.compare("=", *values))
    if t.order.ties == "impossible":
        reader.fault(equal, t.span, "tie")
    elif t.order.ties == "open" and reader.oracle.decide(equal):
        reader.open_ties.append(t.span)


def _reckon(reader: HandReader, body: tuple[c.Stmt, ...]) -> None:
    """One round, the sides of a branch merged."""
    for t in body:
        match t:
            case c.InRule():
                _reckon(reader, t.body)
            case c.Branch():
                condition = reader.value(t.condition)
                for when, side in ((condition, t.then), (y.neg(condition), t.otherwise)):
                    with reader.under(when):
                        _reckon(reader, side)
            case c.Assign():
                value, kind = reader.value(t.value), reader.program.variables[t.variable].type
                for owners, when in reader.owners(t.arguments, t.span):
                    key: Key = (t.variable, *owners)
                    guard = y.conj(reader.path, when)
                    reader.variables[key] = reader.merge(kind, guard, value, reader.variables[key])


def _later_rounds(reader: HandReader, t: c.Loop, low: Int, high: Int) -> None:
    """Each value may have been set last in a round of its own, after any others."""
    program, now = reader.program, reader.variables
    assigned = sorted(usage_of(*t.body).assigns)
    reader.variables, reader.bound[t.binder] = reader.forgetting(assigned), _one_of(reader, low, high)
    _reckon(reader, t.body)
    last = dict(now)
    for node in (n for n in walk(*t.body) if isinstance(n, c.Assign)):
        kind = program.variables[node.variable].type
        for owners in owner_keys(program, program.variables[node.variable].of):
            reader.variables, reader.bound[t.binder] = reader.forgetting(assigned), _one_of(reader, low, high)
            value = reader.value(node.value)
            key: Key = (node.variable, *owners)
            last[key] = reader.merge(kind, z3.Bool(reader.world.name()), value, last.get(key, now[key]))
    reader.variables = now
    now.update(last)
