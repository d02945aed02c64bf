"""The effects of good play in the documented variants: the table of docs/good-play.md, from the simulator.

    python tests/benchmarks/good_play.py [--deals 200] [--policy search:50] [RULESET…]

Each line is one ruleset: tricks and targets met by seat, and deals per match, with 95 % intervals.
"""

from __future__ import annotations

import argparse

from trickproof.simulate.runtime.process_executor import ProcessExecutor
from trickproof.simulate.runtime.scheduler import Request
from trickproof.simulate.simulation import Simulation
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.bundled import bundled_library
from trickproof.support.confidence_intervals import Estimate

VARIANTS = (
    "pagat",
    "pagat-kitty-first",
    "pagat-all-sixteen",
    "shawn-51",
    "nine-five-two",
    "tallyn",
    "weaver-four",
    "trumpet-major",
    "six-over",
    "gamerules",
)

FEW = 10
"""With fewer matches than this, the deals per match are not reported."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rulesets", nargs="*", default=VARIANTS)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--policy", default="search:50")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print("| ruleset | policy | deals | tricks by seat | targets met by seat | deals a match |")
    print("|---|---|---|---|---|---|")
    for name in options.rulesets:
        print(line(name, options), flush=True)


def line(name: str, options: argparse.Namespace) -> str:
    """One row of the table."""
    ruleset, _ = bundled_library().load(name)
    assert ruleset is not None
    request = Request((options.policy,), options.seed, options.deals)
    executor = ProcessExecutor(options.workers)
    try:
        outcome = Simulation(ruleset, request).play(executor)
    finally:
        executor.close()
    counts, seats = outcome.counts, range(ruleset.program.players)
    tricks = ", ".join(shown(counts.tricks(seat), 1, 2) for seat in seats)
    met = "-"
    if "met.0" in counts.plan.measures:
        met = ", ".join(f"{100 * counts.met(seat).mean:.0f} %" for seat in seats)
    return f"| `{name}` | {options.policy} | {counts.hands:,} | {tricks} | {met} | {length(outcome)} |"


def length(outcome: Outcome) -> str:
    """Deals per match, if enough matches ended."""
    matches = outcome.counts.matches
    return shown(outcome.counts.match_length().mean, 1, 1) if matches >= FEW else f"({matches} matches ended)"


def shown(x: Estimate, scale: float, digits: int) -> str:
    """A figure with half the width of its interval."""
    half = (x.high - x.low) / 2
    return f"{scale * x.mean:.{digits}f} ±{scale * half:.{digits}f}"


if __name__ == "__main__":
    main()
