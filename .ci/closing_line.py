"""One closing line for several test runs: adds up what pytest said at their ends."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter

CLOSING = re.compile(r"^=* *((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s.*$", re.MULTILINE)


def closing_line(output: str, seconds: int, without: str = "") -> str:
    """`3960 passed, 12 skipped in 1200s`, and what was left out on request."""
    counts = Counter[str]()
    for line in CLOSING.findall(output):
        for number, outcome in re.findall(r"(\d+) ([a-z]+)", line):
            counts[outcome] += int(number)
    total = ", ".join(f"{number} {outcome}" for outcome, number in counts.items()) + f" in {seconds}s"
    return f"{total}; not tested (TRICKPROOF_WITHOUT): {without}" if without else total


if __name__ == "__main__":
    print(closing_line(sys.stdin.read(), int(sys.argv[1]), os.environ.get("TRICKPROOF_WITHOUT", "")))
