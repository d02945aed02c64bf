"""How long an expression takes to evaluate, at most: what is asked at every step should be cheap."""

from __future__ import annotations

from trickproof.analysis.intervals import Intervals
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import parts

ASSUMED_SIZE = 20
"""Elements that a set of numbers is taken to have where there is no bound."""


def cost(intervals: Intervals, e: c.Expr) -> int:
    """About how many steps it takes to evaluate an expression; sets are taken to be as large as they can be."""
    domain = getattr(e, "operand", None) if isinstance(e, c.Top) else getattr(e, "domain", None)
    steps_of_parts = [(part, cost(intervals, part)) for part in parts(e)]
    if domain is None:
        return 1 + sum(steps for _, steps in steps_of_parts)
    most = intervals.size(domain).high
    rounds = ASSUMED_SIZE if most is None else most
    return 1 + sum(steps if part is domain else rounds * steps for part, steps in steps_of_parts)
