"""Simulations from Python: any ruleset, any policies, including user functions.

from trickproof.support.bundled import bundled_library
from trickproof.simulate.api import simulate

ruleset, problems = bundled_library().load("pagat")
outcome = simulate(ruleset, hands=100_000, policies=["greedy", "random", "random"])
outcome.counts.tricks(0)         # an Estimate: mean, low, high
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trickproof.simulate.ir.calling_convention import Choice
from trickproof.simulate.options import small
from trickproof.simulate.runtime.scheduler import Request
from trickproof.simulate.simulation import Simulation, executor_of
from trickproof.simulate.statistics.outcome import Outcome
from trickproof_dsl.library import Ruleset


def simulate(
    ruleset: Ruleset,
    *,
    hands: int | None = None,
    matches: int | None = None,
    policies: Sequence[Choice] = ("random",),
    seed: int = 0,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    workers: int = 1,
    backend: str = "",
) -> Outcome:
    """Play a number of deals or matches and count the results.

    `policies`: one for all seats, or one per seat, the dealer's first: "random", "greedy", or a function that
    takes the state and the decision and returns a choice, like the players of `trickproof_dsl.playing`.
    Functions are called in this process, in plain Python (at best thousands of hands per second).  `readings`
    are indices: 0 is the first.

    Raises ValueError if not exactly one of `hands` and `matches` is given, if there is neither one policy nor
    one per seat, if a parameter is too large, or if a function's choice is illegal; BeyondError for a program
    with no integer form.
    """
    if (hands is None) == (matches is None):
        raise ValueError("exactly one of hands and matches is needed")
    for name, value in (parameters or {}).items():
        small(f"{name}={value}", value)
    if len(policies) not in (1, ruleset.program.players):
        raise ValueError(f"one policy is needed, or {ruleset.program.players}; {len(policies)} are given")
    named = all(isinstance(x, str) for x in policies)
    request = Request(tuple(policies), seed, hands, matches, dict(parameters or {}), dict(readings or {}))
    executor = executor_of(workers if named else 1)
    try:
        return Simulation(ruleset, request, backend).play(executor)
    finally:
        executor.close()
