"""Gaps in the rules, and breakdowns nobody answers for; the seeded faults are in tests/bank (test_bank.py)."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import found as findings_of, house, rule
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Verdict
from trickproof_dsl.library import Ruleset

UNSPECIFIED: dict[str, str] = {
    "silent": "rules:\n  scoring: {silent: nobody says}\n",
    "assumed": rule("winner", "players with tricks >= 12"),
    "two readings": """\
        rules:
          lead:
            assumes: it is not said
            readings:
              - {name: left, rule: left of dealer}
              - {name: dealer, rule: dealer}
        """,
}


def found(ruleset: Ruleset, check: str) -> Finding:
    (finding,) = findings_of(ruleset, [check])
    return finding


@pytest.mark.parametrize("fault", UNSPECIFIED)
def test_gap(fault: str) -> None:
    finding = found(house(UNSPECIFIED[fault]), "rules-complete")
    assert finding.verdict is Verdict.UNSPECIFIED
    assert finding.details
    assert finding.known == (fault != "silent"), (
        "what a house rule assumes is agreed; its base's gaps are known"
    )


@RUN
def test_a_gap_stops_what_needs_it() -> None:
    """With no word on scoring, sums and winners cannot be told; the play still can."""
    only = ["legal-play-exists", "trick-total", "unique-winner"]
    findings = {f.check: f for f in findings_of(house(UNSPECIFIED["silent"]), only)}
    assert findings["legal-play-exists"].verdict is Verdict.TESTED
    assert findings["unique-winner"].verdict is Verdict.UNSPECIFIED
    assert findings["trick-total"].verdict in (Verdict.UNSPECIFIED, Verdict.TESTED)
    assert "scoring" in findings["unique-winner"].message


def test_a_fault_nobody_answers_for_is_told() -> None:
    body = rule("reveal", "dealer shows only card in picked-up to everyone")
    finding = found(house(body), "no-fault")
    assert finding.verdict is Verdict.REFUTED
    assert finding.witness is not None
