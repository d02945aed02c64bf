"""What good play is worth, and what it does to the documented variants: the two tables of docs/good-play.md, from the simulator.

    python tests/benchmarks/good_play.py [--gains] [--deals 240] [--write] [RULESET…]

Without `--gains`, each line is a ruleset under one policy: tricks and targets met by seat, and deals per match.  With it, each line is
a game: the points per deal that one searching player gains over random and over greedy players.  `--write` puts the lines into the
page, in place of those of the same rulesets.  All intervals are 95% confidence intervals.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from checker.adapters.peer_rulesets import ROOT, loaded
from checker.search.gates import gain
from checker.search.test_gates import BETTER
from trickproof.simulate.runtime.process_executor import ProcessExecutor
from trickproof.simulate.runtime.scheduler import Request
from trickproof.simulate.simulation import Simulation
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.confidence_intervals import Estimate

PAGE = ROOT / "docs/good-play.md"

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

SEARCH = "search:50"

PLAIN = {"random": 20_000, "greedy": 20_000}
"""Deals for the policies that do not search."""

FEW = 10
"""With fewer matches than this, the deals per match are not reported."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--gains", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--deals", type=int, default=240)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    for name in options.rulesets or (BETTER if options.gains else VARIANTS):
        lines = [gains(name, options.deals)] if options.gains else variants(name, options)
        for line in lines:
            print(line, flush=True)
        if options.write:
            written(lines)


def gains(name: str, deals: int) -> str:
    """One row of the first table."""
    ruleset = loaded(ROOT / f"rulesets/{name}.yaml")
    found = [gain(ruleset, against, 50, deals, seed=11) for against in ("random", "greedy")]
    cells = [f"{x.mean:+.2f} ±{x.error:.2f} ({x.hands:,})" for x in found]
    return f"| {Path(name).name} | {' | '.join(cells)} |"


def variants(name: str, options: argparse.Namespace) -> list[str]:
    """The rows of a ruleset in the second table."""
    return [
        row(name, policy, deals, options.workers)
        for policy, deals in {**PLAIN, SEARCH: options.deals}.items()
    ]


def row(name: str, policy: str, deals: int, workers: int) -> str:
    """A ruleset under one policy."""
    ruleset = loaded(ROOT / f"rulesets/{name}.yaml")
    executor = ProcessExecutor(workers)
    try:
        outcome = Simulation(ruleset, Request((policy,), 0, deals)).play(executor)
    finally:
        executor.close()
    counts, seats = outcome.counts, range(ruleset.program.players)
    tricks = ", ".join(shown(counts.tricks(seat), 1, 2) for seat in seats)
    met = "-"
    if counts.plan.met:
        met = ", ".join(f"{100 * counts.met(seat).mean:.0f}%" for seat in seats)
    return f"| `{name}` | {policy} | {counts.hands:,} | {tricks} | {met} | {length(outcome)} |"


def length(outcome: Outcome) -> str:
    """Deals per match, if enough matches ended."""
    matches = outcome.counts.matches
    return (
        shown(outcome.counts.match_length().mean, 1, 1)
        if matches >= FEW
        else f"({matches} match{'' if matches == 1 else 'es'} ended)"
    )


def shown(x: Estimate, scale: float, digits: int) -> str:
    """A figure with half the width of its interval."""
    half = (x.high - x.low) / 2
    return f"{scale * x.mean:.{digits}f} ±{scale * half:.{digits}f}"


def written(lines: list[str]) -> None:
    """Put rows into their table: in place of those of the same ruleset, or after the last row."""
    page = PAGE.read_text("utf-8").splitlines()
    for line in lines:
        width = 3 if line.startswith("| `") else 2  # ruleset and policy, or the game alone
        key = line.split("|")[:width]
        same = [i for i, old in enumerate(page) if old.split("|")[:width] == key]
        like = [
            i for i, old in enumerate(page) if old.count("|") == line.count("|") and old.startswith(line[:3])
        ]
        at = same[0] if same else like[-1] + 1
        page[at : at + len(same)] = [line]
    PAGE.write_text("\n".join(page) + "\n", "utf-8")


if __name__ == "__main__":
    main()
