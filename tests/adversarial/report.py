"""A report on the law for some seeds: wrong verdicts by cause, and verdicts by feature and check.

PYTHONPATH=dsl:checker:tests python -m adversarial.report 0 200
"""

from __future__ import annotations

import sys
from collections import defaultdict

from adversarial.generator import drawn
from adversarial.known_causes import causes
from adversarial.law import Compared, gone_through, judged
from adversarial.tally import Tally
from trickproof_dsl.library import Library

STATES, STEPS = 20_000, 400_000


def reported(first: int, number: int) -> None:
    """Judge `number` rulesets and print the results."""
    tally, wrong = Tally(), defaultdict[str, list[str]](list)
    for seed in range(first, first + number):
        one = drawn(seed)
        ruleset, _ = Library().load_text(one.small, f"random-{seed}.yaml")
        assert ruleset is not None, one.small
        tally.rulesets += 1
        truth = gone_through(ruleset, STATES, STEPS)
        if truth is None:
            tally.dropped += 1
            continue
        compared = judged(ruleset, truth)
        tally.add(one.features, compared)
        for answer in compared:
            if answer.wrong:
                wrong[_cause(answer, one.features)].append(f"{seed} {answer.check}: {answer.wrong}")
    for cause, lines in sorted(wrong.items()):
        print(f"{cause}: {len(lines)}", *lines, sep="\n    ")
    print(*tally.lines(), sep="\n")


def _cause(answer: Compared, features: tuple[str, ...]) -> str:
    return next((name for name, one in causes().items() if one.explains(answer, features)), "no known cause")


if __name__ == "__main__":
    reported(int(sys.argv[1]), int(sys.argv[2]))
