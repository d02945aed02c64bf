"""Replay throughput of the reference interpreter, relative to the tests' oracle in the same run.

    python tests/benchmarks/replay.py [SCENARIOS PER RULESET]

The oracle (tests/independent) plays the same scenarios with plain sets and no language; the ratio is the cost of the
language. Unlike scenarios per second, it is comparable between machines.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from time import process_time

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "dsl"), str(ROOT / "tests")]

from independent.oracle import RULESETS, play, random_scenario  # noqa: E402
from trickproof_dsl import Library, render, replay_scenario  # noqa: E402


def main(number: int) -> None:
    library = Library([ROOT / "rulesets"])
    print(f"{'ruleset':20} {'oracle/s':>10} {'replay/s':>10} {'ratio':>8}")
    total = [0.0, 0.0]
    for name in RULESETS:
        ruleset, problems = library.load(name)
        assert ruleset is not None, render(problems)
        scenarios = [random_scenario(name, Random(f"{name} {seed}")) for seed in range(number)]
        replay_scenario(ruleset, scenarios[0])
        times = [process_time()]
        for scenario in scenarios:
            play(scenario)
        times.append(process_time())
        for scenario in scenarios:
            replay_scenario(ruleset, scenario)
        times.append(process_time())
        oracle, replay = times[1] - times[0], times[2] - times[1]
        total = [total[0] + oracle, total[1] + replay]
        print(f"{name:20} {number / oracle:10.0f} {number / replay:10.0f} {oracle / replay:8.3f}")
    done = number * len(RULESETS)
    print(f"{'all':20} {done / total[0]:10.0f} {done / total[1]:10.0f} {total[0] / total[1]:8.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
