"""The bank of faulty rulesets: tests/bank/<check>/<fault>.yaml, each with one fault and the check that must catch it.

A file begins with comments: `fault:` tells it in words, `check:` the check it is meant for; `verdict:` what that check
must answer, where it is not the usual; `told:` words of the answer, where others would be given without the fault;
`run: slow` that the default run leaves it out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from checker.rulesets_for_tests import ROOT
from trickproof.checking.verdict import Verdict
from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.library import Library, Ruleset

BANK = ROOT / "tests/bank"
INVARIANTS = "invariants"
"""The folder of faults against invariants that the ruleset itself states."""

KEYS = {"fault", "check", "verdict", "told", "run"}
LIBRARY = Library([ROOT / "rulesets"])


@dataclass(frozen=True)
class Seeded:
    """One file of the bank; `name` is its folder and id."""

    path: Path
    fault: str
    check: str
    verdict: Verdict
    told: str
    slow: bool

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"


def seeded(path: Path) -> Seeded:
    """A file of the bank by its comments."""
    words = read_comments(path.read_text(encoding="utf-8"))
    assert words.keys() <= KEYS, f"{path}: {sorted(words.keys() - KEYS)}; the keys are {sorted(KEYS)}"
    assert {"fault", "check"} <= {key for key, value in words.items() if value}, (
        f"{path} must begin with `# fault: …` and `# check: …`"
    )
    usual = Verdict.UNSPECIFIED if words["check"] == "rules-complete" else Verdict.REFUTED
    return Seeded(
        path,
        words["fault"],
        words["check"],
        Verdict(words["verdict"]) if "verdict" in words else usual,
        words.get("told", ""),
        words.get("run") == "slow",
    )


def read_comments(text: str) -> dict[str, str]:
    """The `key: words` of the comments that a file begins with; lines indented further go on."""
    found: dict[str, str] = {}
    key = ""
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        begun = re.fullmatch(r"# ([a-z]+): (.*)", line)
        if begun:
            key = begun[1]
            found[key] = begun[2]
        else:
            found[key] += " " + line.removeprefix("#").strip()
    return found


SEEDED: list[Seeded] = [seeded(path) for path in sorted(BANK.glob("*/*.yaml"))]


@cache
def loaded(path: Path) -> Ruleset:
    """The ruleset of a file; its name in messages does not depend on where the tests are run."""
    ruleset, wrong = LIBRARY.load(str(path))
    assert ruleset is not None, render(wrong)
    return ruleset
