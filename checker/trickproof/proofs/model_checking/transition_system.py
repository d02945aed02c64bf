"""One deal as a transition between carried values: which of them matter to the end, and terms for the solver.

The `cone` of a settlement is everything that the end of the match can depend on, in this deal or a later one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import z3

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Cases, Symbol, constants
from trickproof.proofs.symbolic.hand_summary import Settlement, Transition, carried_keys, unknown_name
from trickproof_dsl.semantics.values import Key


def cone(settlement: Settlement, steps: Iterable[Transition], terms: Iterable[Bool] = ()) -> list[Key]:
    """The carried values on which the end of this deal or a later one, or one of `terms`, depends; always includes the dealer."""
    listed = list(steps)
    named = {unknown_name(key): key for key in carried_keys(settlement)}
    keys: set[Key] = {key for key in named.values() if key == ("dealer",)}
    frontier = keys | {named[name] for name in constants(*terms) if name in named}
    for step in listed:
        of_the_end = (step.hand.ended, step.hand.broken, step.interrupted, *step.hand.facts)
        frontier |= {named[name] for name in constants(*of_the_end) if name in named}
    while frontier:
        keys |= frontier
        following = (step.following[key] for step in listed for key in frontier)
        frontier = {named[name] for name in constants(*following) if name in named} - keys
    return sorted(keys)


def as_term(symbol: Symbol) -> z3.ExprRef:
    """A symbol as a single term: finite values by index, none as -1."""
    if isinstance(symbol, Cases):
        term: z3.ExprRef = z3.IntVal(-1)
        for value, when in symbol.of:
            if value is not None:
                term = z3.If(when, z3.IntVal(value), term)
        return term
    if symbol is None:
        return z3.IntVal(-1)
    if isinstance(symbol, bool):
        return z3.BoolVal(symbol)
    return z3.IntVal(symbol) if isinstance(symbol, int) else symbol


def sizes_of(values: Mapping[Key, Symbol]) -> tuple[list[z3.ArithRef], list[z3.ArithRef]]:
    """The absolute values of what is not fixed, by key, with finite values by index; and 1 for each that is negative."""
    in_order = (values[key] for key in sorted(values, key=repr))  # to print the terms would take minutes
    open_values = (x for x in in_order if isinstance(x, z3.ExprRef | Cases))
    terms = [as_term(x) for x in open_values if x is not y.OPAQUE]
    numbers = [x if z3.is_int(x) else z3.If(x, z3.IntVal(1), z3.IntVal(0)) for x in terms]
    sizes = [z3.If(x < 0, -x, x) for x in numbers]
    return sizes, [z3.If(x < 0, z3.IntVal(1), z3.IntVal(0)) for x in numbers]


def known(symbol: Bool, values: Iterable[tuple[z3.ArithRef, int]]) -> Bool:
    """A condition with some unknowns replaced by values."""
    pairs = [(unknown, z3.IntVal(value)) for unknown, value in values]
    return z3.simplify(z3.substitute(symbol, *pairs)) if pairs and isinstance(symbol, z3.ExprRef) else symbol
