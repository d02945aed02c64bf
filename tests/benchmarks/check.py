"""The cost of `trickproof check`: everything, cold and warm; one ruleset; start-up; each relative to a baseline of its own.

    python tests/benchmarks/check.py [ROUNDS]

Every round runs each command once, one after another, each in its own process, so that other load on the machine affects
all alike; the shortest time of each is reported.  Ratios within one run are comparable between machines, seconds are
not.  Memory is the maximum over the processes of a command.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parents[2]
PROGRAM = ("-m", "trickproof")

COMMANDS: dict[str, tuple[str, ...]] = {
    "python -c pass": ("-c", "pass"),
    "import click": ("-c", "import click"),
    "trickproof --help": (*PROGRAM, "--help"),
    "list": (*PROGRAM, "list"),
    "check, warm": (*PROGRAM, "check"),
    "check pagat, cold": (*PROGRAM, "check", "pagat", "--no-cache"),
    "check, cold": (*PROGRAM, "check", "--no-cache"),
}

RATIOS = (
    ("trickproof --help", "import click"),
    ("check, warm", "list"),
    ("check pagat, cold", "list"),
    ("check, cold", "check, warm"),
)
"""Reported as a ratio: `--help` to the minimum that the command line needs, a check to loading alone."""


def main(rounds: int) -> None:
    times: dict[str, float] = {}
    memory: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as cache:
        path = os.pathsep.join(str(ROOT / folder) for folder in ("dsl", "checker"))
        env = {**os.environ, "PYTHONPATH": path, "TRICKPROOF_CACHE": cache}
        subprocess.run([sys.executable, *PROGRAM, "check"], env=env, stdout=subprocess.DEVNULL, check=False)
        for _ in range(rounds):
            for name, words in COMMANDS.items():
                seconds, kilobytes = measured([sys.executable, *words], env)
                times[name] = min(seconds, times.get(name, seconds))
                memory[name] = max(kilobytes, memory.get(name, 0))
    print(f"{'command':22} {'seconds':>8} {'MB':>6}")
    for name in COMMANDS:
        print(f"{name:22} {times[name]:8.3f} {memory[name] / 1024:6.0f}")
    for name, other in RATIOS:
        print(f"{name} / {other}: {times[name] / times[other]:.2f}")


def measured(words: list[str], env: dict[str, str]) -> tuple[float, int]:
    """Seconds and peak kilobytes of a command, measured by a process that has no other children."""
    inside = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import check; check.child()"
    told = subprocess.run(
        [sys.executable, "-c", inside, *words], env=env, capture_output=True, text=True, check=True
    )
    seconds, kilobytes = told.stdout.split()
    return float(seconds), int(kilobytes)


def child() -> None:
    """Run the command given by the arguments and print its time and memory."""
    begun = perf_counter()
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    print(perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
