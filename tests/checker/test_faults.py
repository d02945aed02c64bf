"""Every check catches the faults that were seeded for it, with a witness that replays."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from checker.rulesets_for_tests import found as findings_of
from checker.rulesets_for_tests import house, rule
from trickproof.finding import Finding
from trickproof.verdict import Verdict
from trickproof_dsl.load import Ruleset
from trickproof_dsl.scenario import replay_scenario

TRICK = """\
leader plays 1 card of may-lead of leader as played of leader
led becomes followed-suit of played of leader
for p in players other than leader, clockwise from leader:
    p plays 1 card of follow of p as played of p
{count_leader}
leader becomes only player in trick-winner
{count_winner}
put trick into tricks-taken of leader
for p in players:
    played of p becomes none
"""

REFUTED: dict[str, tuple[str, str]] = {
    "deals too many": (
        "cards-conserved",
        rule("deal", "for p in players, clockwise from left of dealer:\n    deal 18 cards to hand of p"),
    ),
    "moves cards that are gone": (
        "cards-conserved",
        rule(
            "kitty",
            """\
            dealer picks-up kitty as picked-up
            put picked-up from kitty into discards
            """,
        ),
    ),
    "forgets the discard": ("hand-size", rule("kitty", "dealer picks-up kitty as picked-up")),
    "discards three": (
        "hand-size",
        rule("kitty", "dealer picks-up kitty as picked-up\ndealer discards 3 cards of hand"),
    ),
    "targets of 8, 5 and 4": (
        "target-total",
        rule(
            "targets",
            """\
            target of dealer becomes 8
            target of left of dealer becomes 5
            target of right of dealer becomes 4
            """,
        ),
    ),
    "no target for the third": (
        "target-total",
        rule("targets", "target of dealer becomes 8\ntarget of left of dealer becomes 5"),
    ),
    "follows suit even when it cannot": (
        "legal-play-exists",
        rule("follow", "cards in hand with followed-suit = led"),
    ),
    "leads trumps only": ("legal-play-exists", rule("may-lead", "cards in hand with suit = trump")),
    "the highest rank of any suit": (
        "one-trick-winner",
        rule("trick-winner", "players with the highest rank of played"),
    ),
    "the highest trump, if any": (
        "one-trick-winner",
        rule(
            "trick-winner",
            "players with the highest rank of played among players with suit of played = trump",
        ),
    ),
    "a trick counts for its leader too": (
        "trick-total",
        rule(
            "trick",
            TRICK.format(
                count_leader="tricks of leader becomes tricks of leader + 1",
                count_winner="tricks of leader becomes tricks of leader + 1",
            ),
        ),
    ),
    "a trick of the dealer is not counted": (
        "trick-total",
        rule(
            "trick",
            TRICK.format(
                count_leader="nothing happens",
                count_winner="if leader != dealer:\n    tricks of leader becomes tricks of leader + 1",
            ),
        ),
    ),
    "a payout that leaks": (
        "zero-sum",
        rule("payout", "for p in players:\n    payout of p becomes over of p + 1"),
    ),
    "only gains are paid": (
        "zero-sum",
        rule("payout", "for p in players:\n    payout of p becomes larger(over of p, 0)"),
    ),
    "the dealer is one up for free": (
        "zero-sum",
        rule(
            "scoring",
            "for p in players:\n    over of p becomes tricks of p - target of p + (if p = dealer then 1 else 0)",
        ),
    ),
    "asks for trumps nobody may have": (
        "exchange-feasible",
        rule(
            "exchange-returns",
            "taker returns 3 cards of (cards in hand with suit = spades) to giver as returned(taker, giver)",
        ),
    ),
    "an order with ties": (
        "exchange-feasible",
        rule(
            "exchange-order",
            """\
            for giver in players with over > 0, highest over first, ties impossible:
                do exchange-amounts of giver
                for taker in players with over < 0, clockwise from giver:
                    do exchange-returns(giver, taker)
            """,
        ),
    ),
    "seventeen of sixteen tricks": ("end-reachable", rule("end", "some player has tricks >= 17")),
    "everybody is up": ("end-reachable", rule("end", "every player has over > 0")),
    "six tricks win": (
        "unique-winner",
        """\
        rules:
          end: {rule: some player has tricks >= 6, assumes: a fault}
          winner: {rule: players with tricks >= 6, assumes: a fault}
        """,
    ),
    "nobody has won": ("unique-winner", rule("winner", "players with tricks >= 14")),
    "a single winner is demanded where two can be": (
        "unique-winner",
        """\
        rules:
          end: {rule: some player has tricks >= 6, assumes: a fault}
          winner: {rule: players p with p = only player in players with tricks >= 6, assumes: a fault}
        """,
    ),
    "an example that does not add up": (
        "examples-agree",
        """\
        examples:
          wrong:
            assumes: a fault
            given: {dealer: 0, tricks: [10, 2, 4]}
            run: scoring
            then: {over: [2, -2, 1]}
        """,
    ),
    "an example of a move that is not legal": (
        "examples-agree",
        """\
        examples:
          wrong:
            assumes: a fault
            given: {dealer: 0, first_hand: true}
            when: [{player: 1, move: trump, suit: S}]
            then: {trump: S}
        """,
    ),
    "an invariant of the play": (
        "no-sweep",
        "invariants:\n  no-sweep: {rule: no player has tricks >= 9, when: always, assumes: a fault}\n",
    ),
    "an invariant of the hand's end": (
        "dealer-is-up",
        "invariants:\n  dealer-is-up: {rule: over of dealer > 0, when: hand-ends, assumes: a fault}\n",
    ),
    "an invariant of the play's start": (
        "spades-only",
        "invariants:\n  spades-only: {rule: trump = spades, when: play-starts, assumes: a fault}\n",
    ),
}

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

WITNESSED = [name for name, (check, _) in REFUTED.items() if check not in ("end-reachable", "examples-agree")]


def found(ruleset: Ruleset, check: str) -> Finding:
    (finding,) = findings_of(ruleset, [check])
    return finding


@cache
def caught(fault: str) -> tuple[Ruleset, Finding]:
    check, body = REFUTED[fault]
    ruleset = house(body)
    return ruleset, found(ruleset, check)


@pytest.mark.parametrize("fault", REFUTED)
def test_caught(fault: str) -> None:
    _, finding = caught(fault)
    assert finding.verdict is Verdict.REFUTED, finding.message
    assert not finding.known
    assert finding.where is not None
    assert finding.where.source.name != "prelude.yaml"


@pytest.mark.parametrize("fault", WITNESSED)
def test_witness_replays(fault: str) -> None:
    check = REFUTED[fault][0]
    ruleset, finding = caught(fault)
    assert finding.witness is not None
    answer: dict[str, Any] = replay_scenario(ruleset, finding.witness)
    if not answer["ok"]:
        assert answer["error"]["message"] in finding.message
    elif check == "unique-winner":
        assert answer["state"]["match_over"]
        assert len(answer["state"]["winners"]) != 1
    elif check == "trick-total":
        assert sum(answer["state"]["tricks"]) != 16


@pytest.mark.parametrize("fault", UNSPECIFIED)
def test_gap(fault: str) -> None:
    finding = found(house(UNSPECIFIED[fault]), "rules-complete")
    assert finding.verdict is Verdict.UNSPECIFIED
    assert finding.details
    assert finding.known == (fault != "silent"), (
        "what a house rule assumes is agreed; its base's gaps are known"
    )


def test_a_gap_stops_what_needs_it() -> None:
    """With no word on scoring, sums and winners cannot be told; the play still can."""
    findings = {f.check: f for f in findings_of(house(UNSPECIFIED["silent"]))}
    assert findings["legal-play-exists"].verdict is Verdict.TESTED
    assert findings["unique-winner"].verdict is Verdict.UNSPECIFIED
    assert findings["trick-total"].verdict in (Verdict.UNSPECIFIED, Verdict.TESTED)
    assert "scoring" in findings["unique-winner"].message


def test_a_fault_nobody_answers_for_is_told() -> None:
    body = rule("reveal", "dealer shows only card in picked-up to everyone")
    finding = found(house(body), "rules-complete")
    assert finding.verdict is Verdict.REFUTED
    assert finding.witness is not None
