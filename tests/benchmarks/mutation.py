"""How many small changes to the documented rulesets are detected, by checks or by deals that take another course.

    python tests/benchmarks/mutation.py [--mutants N] [--seed S] [RULESET …]

For each ruleset N mutants are drawn (0: all), each with one change to its core program.  The possible outcomes:
refuted by a check that passes for the original; different in a deal replayed with the same cards and choices;
the same, worded differently; not distinguished.  The score is (refuted + different) as a share of those that are not
the same.  Survivors and internal errors are listed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("dsl", "checker", "tests")]

from checker.mutant_verdicts import Told, fate, original  # noqa: E402
from checker.mutants import mutants  # noqa: E402
from checker.rulesets_for_tests import documented  # noqa: E402

FATES = ("refuted", "different", "same", "not told apart", "tool failed")
NAMES = sorted(path.stem for path in (ROOT / "rulesets").glob("*.yaml"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("rulesets", nargs="*", default=NAMES, metavar="RULESET")
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    begun = perf_counter()
    jobs = [(name, options.mutants or None, options.seed) for name in options.rulesets]
    told: dict[str, list[Told]] = {}
    print(f"{'ruleset':20}" + "".join(f"{name:>16}" for name in FATES) + f"{'score':>8}")
    with Pool(min(options.workers, len(jobs))) as pool:
        for name, found in pool.imap(_one, jobs):
            told[name] = found
            print(_line(name, found), flush=True)
    everything = [t for found in told.values() for t in found]
    print(_line("all", everything))
    print("\nby check: " + ", ".join(_counted(t.by for t in everything if t.fate == "refuted")))
    print("\nby kind of change (told apart of all that are not the same):")
    for kind in sorted({t.mutant.kind for t in everything}):
        of_kind = [t for t in everything if t.mutant.kind == kind]
        print(f"  {kind:24}{_score(of_kind)}")
    for fate_, title in (("not told apart", "survivors"), ("tool failed", "failures of the tool")):
        print(f"\n{title}:")
        for name, found in told.items():
            for t in (t for t in found if t.fate == fate_):
                print(f"  {name}: {t.mutant.name}: {t.by}")
    print(f"\n{perf_counter() - begun:.0f} seconds")


def _one(job: tuple[str, int | None, int]) -> tuple[str, list[Told]]:
    name, most, seed = job
    of = original(documented(name))
    return name, [_slim(fate(of, mutant)) for mutant in mutants(of.ruleset, most, seed)]


def _slim(told: Told) -> Told:
    """Drop the program, which need not be sent between processes."""
    return replace(told, mutant=replace(told.mutant, ruleset=None))  # type: ignore[arg-type]


def _line(name: str, told: list[Told]) -> str:
    counts = Counter[str](t.fate for t in told)
    return f"{name:20}" + "".join(f"{counts[fate]:16}" for fate in FATES) + f"{_score(told):>8}"


def _score(told: list[Told]) -> str:
    counts = Counter[str](t.fate for t in told)
    counted = len(told) - counts["same"]
    return f"{(counts['refuted'] + counts['different']) / counted:.0%}" if counted else "-"


def _counted(words: Iterable[str]) -> list[str]:
    return [f"{word} {n}" for word, n in Counter(words).most_common()]


if __name__ == "__main__":
    main()
