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


@RUN
def test_a_fault_between_deals_names_the_rule_and_its_place() -> None:
    """One that random play does not find."""
    seldom = "if some player has tricks = 11 and some player has tricks = 0 then only player in players else right of dealer"
    finding = found(house(rule("next-dealer", seldom)), "no-fault")
    assert finding.verdict is Verdict.REFUTED
    assert finding.message == "`next-dealer` can fail between two deals: expected one player, found 3"
    assert finding.where is not None
    assert finding.where.text.strip() == "only player in players"


EVERY_DEAL_FAILS = rule("targets", "target of dealer becomes 8 div tricks of dealer")

SOME_DEALS_FAIL = "parameters: {k: 1 | 0}\n" + rule("targets", "target of dealer becomes 8 div k")

THE_TRICK_FAILS = rule("after-trick", "announce prize: player only player in players with tricks > 16")


@RUN
@pytest.mark.parametrize("rules", [EVERY_DEAL_FAILS, SOME_DEALS_FAIL, THE_TRICK_FAILS])
def test_deals_that_always_fail_are_no_error_of_ours(rules: str) -> None:
    names = ["no-fault", "zero-sum", "end-reachable", "terminates", "unique-winner"]
    findings = {finding.check: finding for finding in findings_of(house(rules), names)}
    assert findings["no-fault"].verdict is Verdict.REFUTED
    assert findings["no-fault"].witness is not None
    assert not findings["terminates"].verdict.proved
    assert not findings["end-reachable"].verdict.proved
    assert all(finding.internal_error is None for finding in findings.values())


NOTHING_LEFT_TO_BID = """\
    state:
      bid: {type: integer, of: player}
      deals: {type: integer, carried: true}
    rules:
      targets:
        rule: |
          dealer chooses bid of dealer from deals to 2
          target of dealer becomes 8
          target of left of dealer becomes 5
          target of right of dealer becomes 3
        assumes: a test
      scoring:
        rule: |
          deals becomes deals + 1
        assumes: a test
      end: {rule: deals = 4, assumes: a test}
    """


@RUN
def test_a_match_that_stops_at_a_bid_does_not_end() -> None:
    names = ["no-fault", "target-total", "end-reachable", "terminates"]
    findings = {finding.check: finding.verdict for finding in findings_of(house(NOTHING_LEFT_TO_BID), names)}
    assert findings["no-fault"] is Verdict.REFUTED
    assert findings["target-total"] is Verdict.PROVED
    assert not findings["end-reachable"].proved
    assert not findings["terminates"].proved


OVER_AT_THE_START = """\
    parameters: {{short: 0 | 1}}
    rules:
      match-start:
        rule: |
          if short = 1:
              the match ends, won by {winners}
        assumes: a test
    """


@RUN
@pytest.mark.parametrize(("winners", "verdict"), [("dealer", "proved"), ("players", "refuted")])
def test_a_match_that_is_over_at_its_start_has_a_winner_too(winners: str, verdict: str) -> None:
    names = ["zero-sum", "end-reachable", "end-always-reachable", "terminates", "unique-winner"]
    ruleset = house(OVER_AT_THE_START.format(winners=winners))
    verdicts = {finding.check: finding.verdict.value for finding in findings_of(ruleset, names)}
    assert verdicts == dict.fromkeys(names, "proved") | {"unique-winner": verdict}
