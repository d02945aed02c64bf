"""Invariants of the carried values at the start of every deal: sums that stay zero, bounds, multiples, partners alike.

Houdini-style: proposes that every number stays on one side of its initial value, that every Boolean keeps its
initial value and that partners have the same values, drops what some deal violates until nothing more is
dropped, and so proves the rest by induction over deals.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from trickproof.proofs.hands.carried_bounds import Limit, inductive
from trickproof.proofs.model_checking.induction import Alike, Multiple, Region, balanced
from trickproof.proofs.model_checking.transition_system import cone
from trickproof.proofs.smt.symbolic_values import Bool
from trickproof.proofs.symbolic.hand_summary import Settlement, transitions
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk

MOST_NUMBERS = 8
"""Maximum number of integers in the rules that are used to suggest bounds and multiples."""


def region_with_limits(settlement: Settlement) -> Region:
    """The region given by sums and inductive bounds (no bounds if the solver gave up)."""
    return _region(settlement, ())


def region_with_numbers(settlement: Settlement, terms: Collection[Bool] = ()) -> Region:
    """The region given by sums, bounds, and what the numbers in the rules suggest: multiples of them and bounds just short of them.

    Bounds are tried for the values on which the end of the match or `terms` depend.
    """
    nodes = walk(settlement.after, settlement.program.between)
    literals = (node.value for node in nodes if isinstance(node, c.Literal) and node.type == c.INTEGER)
    numbers = {abs(n) for n in (*literals, *settlement.parameters.values()) if isinstance(n, int)}
    return _region(settlement, sorted(n for n in numbers if n >= 2)[:MOST_NUMBERS], terms)


def _region(settlement: Settlement, numbers: Sequence[int], terms: Collection[Bool] = ()) -> Region:
    steps = transitions(settlement)
    start = settlement.start()
    limits: list[Limit | Multiple | Alike] = []
    keys = cone(settlement, steps, terms)
    for team in settlement.program.teams or ():
        of_team = [key for key in keys if len(key) == 2 and key[1] in team]
        limits += [
            Alike(key, other)
            for key, other in pairwise(sorted(of_team, key=str))
            if key[0] == other[0] and start[key] == start[other]
        ]
    for key in keys:
        value, kind = start[key], settlement.program.variables[key[0]].type.kind
        if isinstance(value, bool):
            limits.append(Limit(key, "=", value))
        elif kind == "integer" and isinstance(value, int):
            limits += [Limit(key, ">=", value), Limit(key, "<=", value)]
            for number in numbers:
                limits.append(Multiple(key, value, number))
                limits += [Limit(key, ">=", 1 - number)] if value > -number else []
                limits += [Limit(key, "<=", number - 1)] if value < number else []
    sums = balanced(settlement)
    kept, shown = inductive(settlement, steps, limits, sums.holds, sums.theorems)
    return sums if shown is None else Region(sums.sums, kept, (*sums.theorems, shown))
