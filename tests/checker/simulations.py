"""Simulations of a few hands, for the tests of what is said of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from checker.rulesets_for_tests import documented
from trickproof.simulate.runtime.kernel import Kernel
from trickproof.simulate.statistics.estimates import Counts
from trickproof.simulate.statistics.outcome import Outcome


@cache
def kernel_of(name: str) -> Kernel:
    return Kernel(documented(name).program)


def played(name: str = "pagat", hands: int = 400) -> Outcome:
    """A few hands, in plain Python or compiled: that makes no difference."""
    ruleset = documented(name)
    kernel = kernel_of(name)
    found = kernel.play(0, 0, 10**9, hands)
    counts = Counts(kernel.compiled.counters, found.totals)
    given = {key: values[0] for key, values in ruleset.program.parameters.items()}
    return Outcome(name, ruleset.title, ("random",), 0, "llvm", given, {}, counts, (), (), 0.0, found.hands)


def without(outcome: Outcome) -> Outcome:
    """The same with nothing counted."""
    return replace(outcome, hands=0, counts=Counts(outcome.counts.plan, [0] * outcome.counts.plan.size))
