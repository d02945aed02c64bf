"""An upper bound on the cost of evaluating an expression: what is evaluated at every step must be cheap."""

from __future__ import annotations

from trickproof.analysis.intervals import Intervals
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import parts

ASSUMED_SIZE = 20
"""Assumed number of elements of an unbounded set of numbers."""


def cost(intervals: Intervals, e: c.Expr) -> int:
    """Approximate number of steps to evaluate an expression, assuming that sets have their maximum size."""
    domain = getattr(e, "operand", None) if isinstance(e, c.Top) else getattr(e, "domain", None)
    steps_of_parts = [(part, cost(intervals, part)) for part in parts(e)]
    if domain is None:
        return 1 + sum(steps for _, steps in steps_of_parts)
    most = intervals.size(domain).high
    rounds = ASSUMED_SIZE if most is None else most
    return 1 + sum(steps if part is domain else rounds * steps for part, steps in steps_of_parts)
