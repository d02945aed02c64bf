"""Conditions that never hold: reported only if proved, however rarely play meets the others."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented, house, rule
from trickproof.checking.proof_session import ProofSession
from trickproof.validate.dead_rules import never_met

GONE = "if some card in trick has rank = ace:\n    payout of leader becomes 1"
"""The cards of a trick have been put away when `after-trick` is carried out."""

RARE = "if tricks of leader = 4 and every card in tricks-taken of leader has rank >= jack:\n    payout of leader becomes 2"
"""Possible, but not met in matches played at random."""

OFTEN = "if some card in tricks-taken of leader has rank = ace:\n    payout of leader becomes 3"

CASES = {
    "the trick is put away": ("after-trick", GONE, ["some card in trick has rank = ace"]),
    "the trick is taken": ("after-trick", OFTEN, []),
    "twelve court cards in four tricks": ("after-trick", RARE, []),
    "one of three": ("after-trick", f"{RARE}\n{GONE}\n{OFTEN}", ["some card in trick has rank = ace"]),
    "more tricks than there are": (
        "payout",
        "if sum of tricks for players != 16:\n    payout of dealer becomes 1",
        ["sum of tricks for players != 16"],
    ),
}


QUICK = ("the trick is put away", "the trick is taken")


@RUN
@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=() if x in QUICK else pytest.mark.slow) for x in CASES]
)
def test_conditions_that_no_deal_meets(name: str) -> None:
    changed, text, never = CASES[name]
    other = house(rule(changed, text))
    assert [span.text for span in never_met(documented("pagat"), other, ProofSession())] == never


@pytest.mark.slow
def test_conditions_where_faults_are_not_excluded() -> None:
    """In hearts it is not proved that somebody holds the two of clubs, which does not matter here."""
    other = house(
        rule("after-trick", "if QS in trick:\n    score of leader becomes score of leader + 5"), "hearts"
    )
    assert [span.text for span in never_met(documented("hearts"), other, ProofSession())] == ["QS in trick"]


@RUN
@pytest.mark.slow
@pytest.mark.parametrize(("zone", "never"), [("hand", True), ("tricks-taken", False)])
def test_the_rule_that_a_branch_of_the_base_asks(zone: str, never: bool) -> None:
    """Hands are empty when hearts are scored, so nobody has them all there."""
    condition = f"some player has number of (cards in {zone} with suit = hearts) = 13"
    other = house(rule("moon", condition), "hearts")
    found = never_met(documented("hearts"), other, ProofSession())
    assert [span.text for span in found] == [condition] * never
