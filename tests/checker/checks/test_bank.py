"""A check that has never caught a seeded fault is not a check: every fault of the bank is caught by the one it is for.

That the sound originals are quiet is asked in test_check.py.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from budget import RUN
from checker.bank import INVARIANTS, SEEDED, Seeded, loaded
from checker.rulesets_for_tests import found
from checker.violations import shows
from trickproof import checks
from trickproof.check_runner.runner import check_ruleset
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Verdict
from trickproof.cli.commands.check import exit_code
from trickproof.support.locations import at
from trickproof_dsl.scenarios.replay import replay_scenario

NO_WITNESS = {"end-reachable", "examples-agree"}
"""What these say is said of all plays, or of an example that is a witness itself."""

NAMES = [*checks.NAMES, INVARIANTS]

IN_WORDS = (
    "revoke allowed",
    "lowest card wins",
    "trump ignored",
    "exchange skipped",
    "exchange reversed",
    "the same card is returned",
    "wrong leader",
    "a card dealt twice",
    "targets that do not sum",
    "a payout that leaks",
    "an end nobody can reach",
    "an order left to chance",
)
"""Faults that the bank must have, whatever else."""


DAILY = 1
"""Faults of each check that the default run goes through; the slow run has them all."""


def _daily(fault: Seeded) -> bool:
    ready = [f for f in SEEDED if f.path.parent == fault.path.parent and not f.slow]
    return fault in ready[:DAILY]


CHEAP = ("allocation-determined", "cards-conserved", "end-reachable", "invariants", "zero-sum")
"""Checks whose fault the default run finds; those of the others are in every share of .ci/run."""


def _parameter(fault: Seeded) -> object:
    marks = () if _daily(fault) and fault.check in CHEAP else RUN if _daily(fault) else pytest.mark.slow
    return pytest.param(fault, id=fault.name, marks=marks)


FAULTS = [_parameter(fault) for fault in SEEDED]


@cache
def caught(fault: Seeded) -> Finding:
    (finding,) = found(loaded(fault.path), [fault.check])
    return finding


def _told(finding: Finding) -> str:
    return "\n".join([finding.message, *finding.details])


@pytest.mark.parametrize("fault", FAULTS)
@RUN
def test_caught_by_the_check_it_is_meant_for(fault: Seeded) -> None:
    ruleset, finding = loaded(fault.path), caught(fault)
    assert finding.verdict is fault.verdict, _told(finding)
    assert not finding.known
    assert fault.told in finding.message, "the gap is another than the seeded one"
    assert finding.where is not None
    assert finding.where.source.name != "prelude.yaml"
    if fault.verdict is not Verdict.REFUTED or fault.check in NO_WITNESS:
        return
    assert finding.witness is not None, "a refutation without a witness"
    assert shows(ruleset, finding), f"the witness does not show it ({at(finding.where)})"
    for hand in finding.match:
        assert replay_scenario(ruleset, dict(hand))["ok"] or hand is finding.match[-1]


@pytest.mark.parametrize("check", NAMES)
def test_every_check_has_faults_that_it_catches(check: str) -> None:
    caught_ones = [f for f in SEEDED if f.path.parent.name == check]
    assert len(caught_ones) >= 3, f"tests/bank/{check}/ needs three faults that the check catches"
    assert len([f for f in caught_ones if not f.slow]) >= 2, "the default run must know the check too"


@RUN
def test_the_bank_is_in_order() -> None:
    for fault in SEEDED:
        folder = fault.path.parent.name
        assert folder in NAMES, f"tests/bank/{folder}/ is not named after a check"
        own = fault.check in loaded(fault.path).program.invariants
        assert fault.check == folder or (own and folder == INVARIANTS), (
            f"{fault.name}: `check:` is the folder"
        )
        assert loaded(fault.path).id == fault.path.stem, f"{fault.name}: `ruleset:` is the name of the file"
    twice = [name for name, n in Counter(f.fault for f in SEEDED).items() if n > 1]
    assert twice == [], "faults in the same words: each is a different one"


@pytest.mark.parametrize("words", IN_WORDS)
def test_the_classic_faults_are_there(words: str) -> None:
    assert any(words in fault.fault for fault in SEEDED)


# ---------------------------------------------------------------------------------------- everything, slowly


@pytest.mark.slow
@pytest.mark.parametrize("fault", SEEDED, ids=lambda fault: fault.name)
def test_all_checks_on_a_faulty_ruleset(fault: Seeded) -> None:
    """Whatever else a fault brings about: no check fails itself, every witness shows what it says."""
    ruleset = loaded(fault.path)
    findings, disagreements = check_ruleset(ruleset)
    assert disagreements == []
    assert exit_code(findings) == 1
    for finding in findings:
        if finding.verdict is Verdict.REFUTED and finding.check not in NO_WITNESS:
            assert finding.witness is None or shows(ruleset, finding), finding.check
