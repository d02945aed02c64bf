"""Loops over numbers in an order of their own: the first round exactly, all later rounds at once.

Which number comes first is unknown, only that it is in the range. The assignments of later rounds are
computed from an arbitrary number and arbitrary values of everything that the loop assigns ("havoc"); whether
they happen is left open.
"""

from __future__ import annotations

import z3

from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Int
from trickproof.proofs.symbolic.executor import Executor
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.path_state import PathState
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key, owner_keys


def havoc_loop(executor: Executor, path: PathState, t: c.Loop) -> None:
    """Execute an over-approximation of the loop with its rounds merged. Raises NotEncodedError if it does more than set values."""
    assert isinstance(t.domain, c.Range)
    for node in walk(*t.body):
        if isinstance(node, c.Stmt) and not isinstance(node, c.Assign | c.Branch | c.InRule):
            raise NotEncodedError("it does more than compute values, in an order of its own", t.span)
    low, high = executor.encoder.number(t.domain.low), executor.encoder.number(t.domain.high)
    if not path.oracle.decide(y.compare("<=", low, high)):
        return
    first = _one_of(path, low, high)
    _ties(executor, path, t, first, _one_of(path, low, high))
    path.bound[t.binder] = first
    executor.run(t.body)
    if path.oracle.decide(y.compare("=", low, high)):
        return
    _later_rounds(executor, path, t, low, high)


def _one_of(path: PathState, low: Int, high: Int) -> z3.ArithRef:
    """An unknown number from `low` to `high`, assuming `low <= high`."""
    number = z3.Int(path.name())
    path.facts += [number >= low, number <= high]
    return number


def _ties(executor: Executor, path: PathState, t: c.Loop, one: Int, other: Int) -> None:
    """Handle the possibility that two of the numbers tie in every sort key."""
    equal: Bool = one != other
    for _, binder, key in t.order.keys:
        values = [executor.encoder.with_bound(binder, number, True, key) for number in (one, other)]
        if not all(isinstance(value, int | z3.ArithRef) for value in values):
            raise NotEncodedError("a key of the order is not a number", key.span)
        equal = y.conj(equal, y.compare("=", *values))
    if t.order.ties == "impossible":
        executor.encoder.fault(equal, t.span, "tie")
    elif t.order.ties == "open" and path.oracle.decide(equal):
        path.open_ties.append(t.span)


def _later_rounds(executor: Executor, path: PathState, t: c.Loop, low: Int, high: Int) -> None:
    """Each value may last have been set in a round of its own, after any others."""
    program, encoder, now = path.program, executor.encoder, path.variables
    assigned = sorted(usage_of(*t.body).assigns)

    def any_round() -> None:
        path.forget(assigned)
        path.bound[t.binder] = _one_of(path, low, high)

    any_round()
    executor.run(t.body)
    noted, last = len(path.obligations), dict(now)
    for node in (n for n in walk(*t.body) if isinstance(n, c.Assign)):
        kind = program.variables[node.variable].type
        for owners in owner_keys(program, program.variables[node.variable].of):
            any_round()
            value = encoder.value(node.value)
            key: Key = (node.variable, *owners)
            last[key] = encoder.merge(kind, z3.Bool(path.name()), value, last.get(key, now[key]))
    del path.obligations[noted:]  # faults were already noted under the conditions of the round
    path.variables = now
    now.update(last)
