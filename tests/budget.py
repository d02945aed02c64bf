"""How much the current run tests: counts, seeds and suites of slow tests, from tests/budget.toml.

A run has one of three sizes: `default` (pytest without options), `share` (what `.ci/run` tests of every slow
suite) and `full` (`.ci/full`). Size and seed are environment variables, so that the worker processes of a run
agree on them.
"""

from __future__ import annotations

import os
import sys
import time
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import pytest

FILE = Path(__file__).with_name("budget.toml")

Size = Literal["default", "share", "full"]
SIZES: tuple[Size, ...] = get_args(Size)

SIZE_VARIABLE = "TRICKPROOF_TESTS"
SEED_VARIABLE = "TRICKPROOF_SEED"
SEED_STEP = 1_000_000
"""Seeds of two runs with different run seeds do not overlap, unless a count is larger than this."""


@dataclass(frozen=True)
class Suite:
    """The slow tests of some files, and their budget in processor minutes."""

    name: str
    paths: tuple[str, ...]
    share: float
    full: float
    shards: int
    one_in: int = 1

    def reach(self, path: str) -> int:
        """The length of the suite's longest path that contains a test file; 0 if none does."""
        return max((len(own) for own in self.paths if f"{path}/".startswith(f"{own}/")), default=0)


@dataclass(frozen=True)
class Budget:
    """The contents of tests/budget.toml.

    Minutes are processor time on its reference machine, except for those of the whole run.
    """

    run_minutes: float
    most_minutes: float
    rest_minutes: float
    slower: float
    one_in_run: int
    million_additions: float
    quick_leaves_out: tuple[str, ...]
    quick_seconds: float
    suites: tuple[Suite, ...]
    counts: Mapping[str, Mapping[str, int]]

    def suites_of(self, path: str) -> list[Suite]:
        """The suites with the longest matching path: one, unless the file is forgotten or claimed twice."""
        furthest = max(suite.reach(path) for suite in self.suites)
        return [suite for suite in self.suites if suite.reach(path) == furthest > 0]


@cache
def budget() -> Budget:
    """The contents of tests/budget.toml."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    suites = (Suite(name, tuple(s.pop("paths")), **s) for name, s in data["suite"].items())
    run, quick = data["run"], data["quick"]
    return Budget(
        run["minutes"],
        run["most_minutes"],
        run["rest"],
        run["slower"],
        run["one_in_run"],
        run["million_additions"],
        tuple(quick["leaves_out"]),
        quick["most_seconds"],
        tuple(suites),
        data.get("count", {}),
    )


def slowness() -> float:
    """How many times slower this machine is at present than the reference machine."""
    began, total = time.process_time(), 0
    for number in range(1_000_000):
        total += number
    return (time.process_time() - began) / budget().million_additions


def clock_minutes(elapsed: float) -> float:
    """How long `.ci/run` may take here, after the `elapsed` seconds that all but the shares took: longer on a slower machine."""
    plan = budget()
    fast = elapsed <= plan.rest_minutes * plan.slower * 60 and slowness() <= plan.slower
    return plan.run_minutes if fast else plan.most_minutes


def size() -> Size:
    """The size of this run."""
    named = os.environ.get(SIZE_VARIABLE, "default")
    return next(known for known in SIZES if known == named)


def seed() -> int:
    """The seed of this run: 0 except in full runs, which choose one and print it."""
    return int(os.environ.get(SEED_VARIABLE, "0"))


def count(name: str) -> int:
    """The number of examples on which a law is tested in this run."""
    return budget().counts[name][size()]


RUN = pytest.mark.slow(often=True)
"""Slow, but more often in the share of `.ci/run` than others.

These tests were in the default run until a cheaper equivalent existed.
"""


def slow_but(
    fast: Collection[Any], values: Iterable[Any], mark: pytest.MarkDecorator = pytest.mark.slow
) -> list[Any]:
    """The parameters of a test, slow except for some of them."""
    parameters = list(values)
    assert set(fast) <= set(parameters), f"no parameters: {set(fast) - set(parameters)}"
    return [x if x in fast else pytest.param(x, marks=mark) for x in parameters]


def seeds(name: str) -> range:
    """`count` seeds, different for every seed of the run."""
    first = seed() * SEED_STEP
    return range(first, first + count(name))


def blocks(name: str, length: int) -> list[range]:
    """The seeds in blocks of at most `length`, as test parameters for workers and shards to divide."""
    return [seeds(name)[i : i + length] for i in range(0, count(name), length)]


if __name__ == "__main__":
    print(round(clock_minutes(float(sys.argv[1]))))
