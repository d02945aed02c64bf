"""Games that score the cards in the tricks: where each card lies after the play is unknown, but it lies in one place."""

from __future__ import annotations

import pytest

from adversarial.known_causes import loaded
from budget import RUN
from checker.rulesets_for_tests import found, house, rule, subject_of
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Verdict
from trickproof.proofs.hands.verdicts import hand_proof

PROVED = Verdict.PROVED


def answers(name: str, checks: list[str]) -> dict[str, Finding]:
    return {finding.check: finding for finding in found(loaded(name), checks, 20)}


def test_points_that_are_all_taken_add_up() -> None:
    by_check = answers("hearts-all-taken", ["both-hearts", "even-sum", "no-fault", "terminates"])
    assert {check: one.verdict for check, one in by_check.items()} == dict.fromkeys(by_check, PROVED)
    assert by_check["terminates"].within_deals == 3


@RUN
def test_points_in_the_kitty_are_missing() -> None:
    by_check = answers("hearts-in-the-kitty", ["three-hearts", "few-hearts", "terminates"])
    assert {check: one.verdict for check, one in by_check.items()} == {
        "three-hearts": Verdict.REFUTED,
        "few-hearts": PROVED,
        "terminates": PROVED,
    }


def test_cards_gathered_after_scoring_do_not_lie_where_they_were() -> None:
    by_check = answers("gathered-once-scored", ["both-hearts", "empty-deck", "even-sum"])
    assert {check: one.verdict for check, one in by_check.items()} == {
        "both-hearts": Verdict.REFUTED,
        "empty-deck": Verdict.REFUTED,
        "even-sum": PROVED,
    }


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("hearts-in-the-kitty", {"deck", "discards", "hand", "trick"}),
        ("both-hearts-put-aside", {"deck", "hand", "kitty", "trick"}),
    ],
)
def test_zones_are_empty_after_the_play_only_if_that_is_shown(name: str, bare: set[str]) -> None:
    """Whatever the deals played at random suggest."""
    subject = subject_of(loaded(name), 20)
    subject.played.occupied.intersection_update({"tricks-taken"})
    proof = hand_proof(subject)
    assert proof.limits == []
    assert proof.bare == bare


ACE_DEALS = rule("next-dealer", "only player in players with AS in tricks-taken")


def test_whoever_took_a_card_deals_next() -> None:
    """The steps between two deals see the cards where the last one left them, and all of them are taken."""
    (finding,) = found(house(ACE_DEALS, "whist"), ["no-fault"], 20)
    assert finding.verdict is PROVED


def test_nobody_took_a_card_put_aside() -> None:
    (finding,) = found(house(ACE_DEALS), ["no-fault"], 60)
    assert finding.verdict is not PROVED


@RUN
def test_a_card_put_aside_ends_a_match_for_good() -> None:
    """What the next deal begins with is as the cards are in the match that shows it."""
    frozen = house(
        """
        state: {frozen: {type: boolean, carried: true}}
        rules:
          end: {rule: not frozen and some player has tricks >= 12, assumes: a fault}
          between-hands:
            rule: |
              frozen becomes frozen or AS in discards
              dealer becomes next-dealer
              first-hand becomes false
            assumes: a fault
        """
    )
    (finding,) = found(frozen, ["terminates"], 5)
    assert finding.verdict is Verdict.REFUTED
    assert finding.match is not None
    moves = finding.match[-1]["moves"]
    assert any("AS" in move["cards"] for move in moves if move["move"] == "discard")
