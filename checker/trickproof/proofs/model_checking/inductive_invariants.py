"""Invariants of the carried values at the start of every deal: sums that stay zero, bounds, multiples, partners alike.

Houdini-style: proposes that every number stays on one side of its initial value, that every Boolean keeps its
initial value and that partners have the same values, drops what some deal violates until nothing more is
dropped, and so proves the rest by induction over deals.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.model_checking.induction import Alike, Limit, Multiple, Region, balanced
from trickproof.proofs.model_checking.transition_system import Transition, cone, transitions
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer
from trickproof.proofs.smt.symbolic_values import Bool
from trickproof.proofs.symbolic.hand_summary import Settlement
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
    while limits:
        region = Region(sums.sums, tuple(limits))
        theorems, broken = _preserved(settlement, steps, region)
        limits = [limit for limit in limits if limit not in broken]
        if broken:
            continue
        begins = settlement.solver().excluding(y.neg(y.conj(*(limit.holds(start) for limit in limits))))
        if begins is None or len(theorems) < len(steps):
            break
        shown = kernel.invariant("the limits hold", len(settlement.dealers), begins, theorems, sums.theorems)
        return Region(region.sums, region.limits, (*sums.theorems, shown))
    return sums


def _preserved(
    settlement: Settlement, steps: Sequence[Transition], region: Region
) -> tuple[list[Theorem], list[Limit | Multiple | Alike]]:
    """For each deal the theorem that it preserves the limits, and those that the first deal without one violates."""
    theorems: list[Theorem] = []
    for step in steps:
        questions = settlement.solver()
        questions.add(*step.hand.facts, *region.holds(step.hand.begin), step.goes_on)
        passed = y.disj(*(y.neg(limit.holds(step.following)) for limit in region.limits))
        answer = questions.possible(passed)
        if answer is Answer.NO and questions.theorem is not None:
            theorems.append(questions.theorem)
            continue
        if answer is Answer.GAVE_UP:
            return theorems, []
        with questions.supposing(passed):
            questions.model()
            return theorems, [
                limit for limit in region.limits if not questions.truth(limit.holds(step.following))
            ]
    return theorems, []
