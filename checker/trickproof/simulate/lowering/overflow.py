"""Which arithmetic can never exceed the range of a word, so that no check is needed."""

from __future__ import annotations

from trickproof.analysis.intervals import Interval, reachable_intervals
from trickproof.simulate.ir.calling_convention import LARGEST
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import stripped, walk

SMALL = 10**6
"""Steps by which a variable may grow without ever approaching the limit: no match has 10**11 steps."""


class OverflowAnalysis:
    """Intervals, and the integer variables that hold only small numbers or grow by small steps."""

    def __init__(self, program: c.Program) -> None:
        self.intervals = reachable_intervals(program)
        nodes = walk(program.setup, program.between, program.hand)
        assignments = [x for x in nodes if isinstance(x, c.Assign) and x.value.type == c.INTEGER]
        integers = (x for x in program.variables.values() if x.type == c.INTEGER)
        self.slow = {x.name for x in integers if isinstance(x.initial, int) and abs(x.initial) <= SMALL}
        """The variables that grow slowly."""
        while fast := {x.variable for x in assignments if not self._is_slow(x.value)} & self.slow:
            self.slow -= fast

    def may_overflow(self, e: c.Arithmetic) -> bool:
        """Whether the absolute value of a result may exceed `LARGEST`."""
        return not _within(self.intervals.number(e), LARGEST) and not self._is_small_step(e)

    def _is_small_step(self, e: c.Arithmetic) -> bool:
        """Whether a small number is added to, or subtracted from, a slowly growing variable."""
        if e.operator not in ("+", "-"):
            return False
        left, right = stripped(e.left), stripped(e.right)
        pairs = ((left, right), (right, left)) if e.operator == "+" else ((left, right),)
        return any(
            isinstance(x, c.Variable) and x.name in self.slow and self._is_small(other) for x, other in pairs
        )

    def _is_slow(self, e: c.Expr) -> bool:
        e = stripped(e)
        return self._is_small(e) or (isinstance(e, c.Arithmetic) and self._is_small_step(e))

    def _is_small(self, e: c.Expr) -> bool:
        return _within(self.intervals.number(e), SMALL)


def _within(interval: Interval, limit: int) -> bool:
    return interval.magnitude is not None and interval.magnitude <= limit
