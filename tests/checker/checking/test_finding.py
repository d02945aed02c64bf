"""When a finding about a house rule is the one that its base records as known."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import documented
from trickproof.checking.finding import Finding, is_same
from trickproof.checking.verdict import Method, Verdict

RULES = documented("pagat").program.rules


def refuted(message: str, rule: str = "winner") -> Finding:
    return Finding("unique-winner", Verdict.REFUTED, Method.SIMULATION, message, RULES[rule].span)


@pytest.mark.parametrize(
    ("message", "rule", "same"),
    [
        ("players 0 and 1 win together", "winner", True),
        ("players 0, 1 and 2 win together", "winner", True),  # who ties is chance
        ("players 1 and 2 win together", "end", False),  # another line lets it happen
        ("player 1 wins twice", "winner", False),
        ("players 1 and 2 lose together", "winner", False),
    ],
)
def test_players_who_tie_are_the_same_finding_whoever_they_are(message: str, rule: str, same: bool) -> None:
    assert is_same(refuted(message, rule), refuted("players 0 and 1 win together")) == same


def test_a_single_player_is_not_any_player() -> None:
    assert not is_same(refuted("player 1 has 17 cards"), refuted("player 2 has 17 cards"))
