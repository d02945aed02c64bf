"""Invariants that a ruleset file states itself: each is a check of its own name.

`when: always` is looked at before every decision, `play-starts` before the first card is played, `hand-ends` when the
hand has been scored.  Write one for what your table takes for granted:

    invariants:
      scores-sum-to-zero: {rule: sum of score for players = 0, when: hand-ends, assumes: a zero-sum game}
"""

from __future__ import annotations

from typing import cast

from trickproof.claim import Check, Moment, Probe
from trickproof.subject import tested
from trickproof_dsl import core as c
from trickproof_dsl.evaluate import Evaluator, FaultError
from trickproof_dsl.interpret import State


def invariants(program: c.Program) -> tuple[Check, ...]:
    """The checks that a ruleset states."""
    return tuple(_check(invariant) for invariant in program.invariants.values())


def _check(invariant: c.InvariantCode) -> Check:
    def wrong(state: State) -> str | None:
        values = Evaluator(state.program, state.variables, state.zones, {}, state.parameters, state.readings)
        try:
            return None if values.value(invariant.condition) else "does not hold"
        except FaultError as broken:
            return f"has no value: {broken.fault.message}"

    labels = ("play",) if invariant.when == "play-starts" else ()
    moment = cast(Moment, invariant.when)
    return Check(invariant.name, (), tested, probes=(Probe(moment, wrong),), labels=labels)
