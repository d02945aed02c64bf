"""Times of the comparing commands, cold and warm: `python tests/benchmarks/compare.py [--pairs N]`.

Prints one line per command: wall-clock seconds, processor seconds (child processes included), both as the reference
machine would take them, and the target on its two free cores.  Seconds are converted by what a million additions take just before
and after the command.  The cache is a new folder; *again* is the same command once more.  At the end, the
cold commands relative to the shortest `diff` of the run: such ratios are comparable between machines.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

DOCUMENTED = (
    "pagat",
    "six-over",
    "gamerules",
    "trumpet-major",
    "nine-five-two",
    "tallyn",
    "shawn-51",
    "pagat-kitty-first",
    "pagat-all-sixteen",
)


REJECTED = (
    "rulesets/house/eight-five-four.yaml",
    "rulesets/house/seventeen-tricks.yaml",
    "rulesets/house/ten-deals.yaml",
)
"""House rules for which fixes are tried: one is found at once, one after others, one needs a proof about many deals."""

REFERENCE = 0.0175
"""Seconds of a million additions on the reference machine."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--pairs", type=int, default=6, help="documented pairs that are compared")
    parser.add_argument("--house", nargs="*", default=REJECTED, help="house rules to validate, by path")
    taken = parser.parse_args()
    cold: dict[str, float] = {}
    print(f"{'command':72} {'clock':>7} {'cpu':>7} {'ref. clock':>11} {'ref. cpu':>9} {'asked':>6}")
    for words, asked in _commands(taken.pairs, taken.house):
        with tempfile.TemporaryDirectory() as folder:
            cold[" ".join(words)] = _measured(words, asked, folder)
            _measured(words, 1.0 if words[0] == "quiz" else None, folder, "again")
    shortest = min((name for name in cold if name.startswith("diff ")), key=cold.__getitem__, default="")
    for name in cold if shortest else ():
        print(f"{name} / {shortest}: {cold[name] / cold[shortest]:.2f}")


def _commands(pairs: int, house: Sequence[str]) -> Iterator[tuple[list[str], float]]:
    for a, b in islice(combinations(DOCUMENTED, 2), pairs):
        yield ["diff", a, b], 2.0
    yield ["nearest", "pagat-kitty-first"], 5.0
    yield ["quiz"], 12.0
    for path in house:
        yield ["validate", path, "--effects", "none"], 8.0


def _measured(words: Sequence[str], asked: float | None, folder: str, note: str = "") -> float:
    """Run and print one command; its processor seconds on the reference machine."""
    adding = _adding()
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "trickproof", *words],
        env={**os.environ, "TRICKPROOF_CACHE": folder},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    factor = (adding + _adding()) / 2 / REFERENCE
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    told = "" if asked is None else f"{asked:.0f} s"
    print(
        f"{' '.join([*words, note]):72} {clock:6.1f}s {spent:6.1f}s {clock / factor:10.1f}s {spent / factor:8.1f}s {told:>6}",
        flush=True,
    )
    return spent / factor


def _adding() -> float:
    """Processor seconds of a million additions in a loop, the fewest of five."""
    return min(map(_added, range(5)))


def _added(total: int) -> float:
    begun = time.process_time()
    for number in range(1_000_000):
        total += number
    return time.process_time() - begun


if __name__ == "__main__":
    main()
