"""Games that score the cards in the tricks: where each card lies after the play is unknown, but it lies in one place."""

from __future__ import annotations

import pytest

from adversarial.known_causes import loaded
from budget import RUN
from checker.rulesets_for_tests import found, subject_of
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
