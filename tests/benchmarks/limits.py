"""The cost of large rules before anything is proved or simulated: time and memory of loading and of lowering, by size.

    python tests/benchmarks/limits.py [CHAIN…]

Each row is measured in its own process; compare rows of the same run.  A ratio is relative to the previous row, whose
program is half as large.  Rules that are rejected are rejected at once.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

RULESETS = Path(__file__).parents[2] / "rulesets"
HEAD = "ruleset: growing\nextends: pagat\nstate:\n  n: {type: integer, initial: 1, carried: true}\nrules:\n"

CHAINS = {
    "additions": ("{next} + {next}", "sum of score for players", "score of dealer becomes r0", range(6, 14)),
    "products": ("{next} * {next}", "n", "score of dealer becomes r0", range(6, 14)),
    "statements": (
        "do {next}\ndo {next}",
        "n becomes n + 1",
        "do r0\nscore of dealer becomes n",
        range(6, 14),
    ),
    "choices": ("do {next}\ndo {next}", "dealer chooses n from 0 to 5", "do r0", range(4, 12)),
    "exchanges": (
        "do {next}\ndo {next}",
        "for p in players:\n    p gives 1 card of hand to left of p",
        "do r0",
        range(2, 10),
    ),
    "loops": ("for p in players:\n    do {next}", "n becomes n + 1", "do r0", range(1, 10)),
}
"""How each rule of a chain uses the next, the last rule, what `scoring` then does, and the lengths of chains."""


def ruleset(chain: str, length: int) -> str:
    step, last, scoring, _ = CHAINS[chain]
    texts = [step.format(next=f"r{n + 1}") for n in range(length)]
    rules = {"scoring": scoring, **{f"r{n}": text for n, text in enumerate([*texts, last])}}
    return HEAD + "".join(_rule(name, text) for name, text in rules.items())


def _rule(name: str, text: str) -> str:
    lines = "".join(f"      {line}\n" for line in text.split("\n"))
    return f"  {name}:\n    rule: |\n{lines}    assumes: test\n"


def measure(chain: str, length: int) -> None:
    """Print seconds and megabytes of one ruleset, or why it is rejected."""
    from trickproof.simulate.backends.jit import machine_code
    from trickproof.simulate.ir.calling_convention import BeyondError
    from trickproof.simulate.program.compile import compile_program
    from trickproof_dsl.library import Library

    begun = time.process_time()
    loaded, wrong = Library([RULESETS]).load_text(ruleset(chain, length), "growing.yaml")
    seconds, what = [time.process_time() - begun], ""
    if loaded is None:
        what = wrong[0].message
    else:
        try:
            compiled = compile_program(loaded.program)
            seconds.append(time.process_time() - begun - sum(seconds))
            machine_code(compiled.routine)
            seconds.append(time.process_time() - begun - sum(seconds))
            what = f"{compiled.facts.statements} statements"
        except BeyondError as beyond:
            what = beyond.message
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{sum(seconds):.2f}\t{memory:.0f}\t{' + '.join(f'{x:.2f}' for x in seconds)}\t{what}")


def main(chains: list[str]) -> None:
    for chain in chains or CHAINS:
        print(f"\n{chain}\nlength  seconds  ratio  MB    load + lower + compile")
        before = 0.0
        for length in CHAINS[chain][3]:
            command = [sys.executable, __file__, "--measure", chain, str(length)]
            row = (
                subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().split("\t")
            )
            ratio = f"{float(row[0]) / before:.1f}" if before else ""
            print(f"{length:6}  {row[0]:>7}  {ratio:>5}  {row[1]:>4}  {row[2]}  {row[3]}", flush=True)
            before = float(row[0])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2], int(sys.argv[3]))
    else:
        main(sys.argv[1:])
