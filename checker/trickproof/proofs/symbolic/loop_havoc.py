"""Loops over numbers that are gone through in an order of their own: the first round exactly, all later ones at once.

Which number comes first is not known, only that it is one of them.  What a later round may assign is reckoned from any
of the numbers and from any values of what the loop assigns; whether it is assigned is left open.
"""

from __future__ import annotations

import z3

from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Int
from trickproof.proofs.symbolic.card_expressions import CardEncoder
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key, owner_keys


def havoc_loop(encoder: CardEncoder, t: c.Loop) -> None:
    """Carries out the loop, an over-approximation of it ("havoc").  Raises NotEncodedError where more than values are set in it."""
    assert isinstance(t.domain, c.Range)
    for node in walk(*t.body):
        if isinstance(node, c.Stmt) and not isinstance(node, c.Assign | c.Branch | c.InRule):
            raise NotEncodedError("it does more than reckon, in an order of its own", t.span)
    low, high = encoder.value(t.domain.low), encoder.value(t.domain.high)
    if not encoder.path.oracle.decide(y.compare("<=", low, high)):
        return
    first = _one_of(encoder, low, high)
    _ties(encoder, t, first, _one_of(encoder, low, high))
    encoder.path.bound[t.binder] = first
    _compute_round(encoder, t.body)
    if encoder.path.oracle.decide(y.compare("=", low, high)):
        return
    _later_rounds(encoder, t, low, high)


def _one_of(encoder: CardEncoder, low: Int, high: Int) -> z3.ArithRef:
    """Some number between two, of which the first is not higher."""
    number = z3.Int(encoder.path.world.name())
    encoder.path.oracle.facts += [number >= low, number <= high]
    return number


def _ties(encoder: CardEncoder, t: c.Loop, one: Int, other: Int) -> None:
    """Whether two of the numbers can be equal in everything the order goes by."""
    equal: Bool = one != other
    for _, binder, key in t.order.keys:
        values = []
        for number in (one, other):
            encoder.path.bound[binder] = number
            values.append(encoder.value(key))
        if not all(isinstance(value, int | z3.ArithRef) for value in values):
            raise NotEncodedError("what the order goes by is not a number", key.span)
        equal = y.conj(equal, y.compare("=", *values))
    if t.order.ties == "impossible":
        encoder.fault(equal, t.span, "tie")
    elif t.order.ties == "open" and encoder.path.oracle.decide(equal):
        encoder.path.open_ties.append(t.span)


def _compute_round(encoder: CardEncoder, body: tuple[c.Stmt, ...]) -> None:
    """One round, the sides of a branch merged."""
    for t in body:
        match t:
            case c.InRule():
                _compute_round(encoder, t.body)
            case c.Branch():
                condition = encoder.value(t.condition)
                for when, side in ((condition, t.then), (y.neg(condition), t.otherwise)):
                    with encoder.path.under(when):
                        _compute_round(encoder, side)
            case c.Assign():
                value, kind = encoder.value(t.value), encoder.path.program.variables[t.variable].type
                for owners, when in encoder.owners(t.arguments, t.span):
                    key: Key = (t.variable, *owners)
                    guard = y.conj(encoder.path.guard, when)
                    encoder.path.variables[key] = encoder.merge(
                        kind, guard, value, encoder.path.variables[key]
                    )


def _later_rounds(encoder: CardEncoder, t: c.Loop, low: Int, high: Int) -> None:
    """Each value may have been set last in a round of its own, after any others."""
    program, now = encoder.path.program, encoder.path.variables
    assigned = sorted(usage_of(*t.body).assigns)

    def any_round() -> None:
        path = encoder.path
        path.variables, path.bound[t.binder] = (
            path.variables.forgetting(assigned),
            _one_of(encoder, low, high),
        )

    any_round()
    _compute_round(encoder, t.body)
    last = dict(now)
    for node in (n for n in walk(*t.body) if isinstance(n, c.Assign)):
        kind = program.variables[node.variable].type
        for owners in owner_keys(program, program.variables[node.variable].of):
            any_round()
            value = encoder.value(node.value)
            key: Key = (node.variable, *owners)
            last[key] = encoder.merge(
                kind, z3.Bool(encoder.path.world.name()), value, last.get(key, now[key])
            )
    encoder.path.variables = now
    now.update(last)
