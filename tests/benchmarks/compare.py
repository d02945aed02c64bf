"""Times of the comparing commands, cold and warm: `python tests/benchmarks/compare.py [--pairs N]`.

Prints one line per command: wall-clock seconds, processor seconds (child processes included), and the target on two
free cores.  The cache is a new folder; *warm* is the same command once more.
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--pairs", type=int, default=6, help="documented pairs that are compared")
    parser.add_argument("--house", nargs="*", default=[], help="house rules to validate, by path")
    taken = parser.parse_args()
    print(f"{'command':58} {'clock':>7} {'cpu':>7} {'asked':>6}")
    for words, asked in _commands(taken.pairs, taken.house):
        with tempfile.TemporaryDirectory() as folder:
            _measured(words, asked, folder)
            _measured(words, 1.0 if words[0] == "quiz" else None, folder, "again")


def _commands(pairs: int, house: Sequence[str]) -> Iterator[tuple[list[str], float]]:
    for a, b in islice(combinations(DOCUMENTED, 2), pairs):
        yield ["diff", a, b], 2.0
    yield ["nearest", "pagat-kitty-first"], 5.0
    yield ["quiz"], 12.0
    for path in house:
        yield ["validate", path, "--effects", "none"], 8.0


def _measured(words: Sequence[str], asked: float | None, folder: str, note: str = "") -> None:
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "trickproof", *words],
        env={**os.environ, "TRICKPROOF_CACHE": folder},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    told = "" if asked is None else f"{asked:.0f} s"
    print(
        f"{' '.join([*words, note]):58} {time.perf_counter() - begun:6.1f}s {spent:6.1f}s {told:>6}",
        flush=True,
    )


if __name__ == "__main__":
    main()
