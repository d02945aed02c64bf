"""Whole games of four players as people score them: whether they end, and whether somebody wins alone."""

from __future__ import annotations

from textwrap import indent

import pytest

from budget import slow_but
from checker.rulesets_for_tests import beside_bundled, found
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Verdict

RULES = {
    "deal": """\
for p in players, clockwise from left of dealer:
    deal 13 cards to hand of p""",
    "lead": "left of dealer",
    "follow": "if some card in hand has suit = led then cards in hand with suit = led else hand",
    "trick-winner": "players with the highest rank of played among players with suit of played = led",
    "scoring": """\
for p in players:
    score of p becomes score of p + tricks of p""",
    "end": "some player has score >= 50",
    "winner": "players with the highest score",
    "next-dealer": "left of dealer",
}

TURNED_UP = {
    "deal": """\
for p in players, clockwise from left of dealer:
    deal 12 cards to hand of p
deal 1 card to upcard
deal the rest to stock
trump becomes suit of only card in upcard""",
    "trick-winner": """\
if some player has suit of played = trump
then players with the highest rank of played among players with suit of played = trump
else players with the highest rank of played among players with suit of played = led""",
}

PARTNERS = ", teams: [[0, 2], [1, 3]]"


def findings(rules: dict[str, str], checks: list[str], teams: str = "", more: str = "") -> list[Finding]:
    """What the checks find in the game with these rules."""
    text = f"ruleset: t\ntitle: t\nplayers: {{number: 4{teams}, assumes: a test}}\n{more}\nstate:\n"
    text += "  dealer: {type: player, carried: true, initial: 0, assumes: a test}\n"
    for name in ("score", "games"):
        text += f"  {name}: {{type: integer, of: player, carried: true}}\n"
    text += "rules:\n"
    for name, rule in (RULES | rules).items():
        text += f"  {name}:\n    rule: |\n{indent(rule, '      ')}\n    assumes: a test\n"
    return found(beside_bundled(text), checks)


ENDS: dict[str, tuple[dict[str, str], str]] = {
    "two reach the goal": ({"end": "number of (players with score >= 20) >= 2"}, "within 6 deals"),
    "partners win two games": (
        {
            "scoring": """\
for p in players:
    if tricks of p >= 7:
        games of p becomes games of p + 1""",
            "end": "some player has games = 2",
        },
        "within 2 deals",
    ),
    "points are lost and won": (
        {
            "scoring": """\
for p in players:
    score of p becomes score of p + (if tricks of p = 0 then 10 else -tricks of p)""",
            "end": "some player has score <= -50",
        },
        "by taking every trick",
    ),
}
"""Matches that some play ends from everywhere, and how."""


@pytest.mark.parametrize("name", slow_but(("partners win two games",), ENDS))
def test_usual_matches_can_always_end(name: str) -> None:
    rules, how = ENDS[name]
    always, ends = findings(rules, ["end-always-reachable", "terminates"])
    assert always.verdict is Verdict.PROVED, always.message
    assert how in always.message
    surely = "almost-surely" if "within" in how else None
    assert ends.termination == surely, ends.message


TIES: dict[str, tuple[dict[str, str], str, str]] = {
    "after sixteen deals": (
        {
            "scoring": """\
for p in players:
    score of p becomes score of p + tricks of p + tricks of partner of p""",
            "end": "some player has score >= 100",
        },
        PARTNERS,
        "",
    ),
    "odd tricks, and points that dwindle": (
        {
            "scoring": """\
for p in players:
    if tricks of p = 13:
        score of p becomes score of p + 50
    else if tricks of p >= 4:
        score of p becomes score of p + tricks of p - 3
    else:
        score of p becomes larger(0, score of p - 1)""",
            "end": "some player has score >= 21",
        },
        "",
        "",
    ),
    "a card turned up": (
        TURNED_UP
        | {
            "scoring": """\
for p in players:
    score of p becomes score of p + larger(0, tricks of p - 2)"""
        },
        "",
        "zones:\n  stock: {seen-by: nobody}\n  upcard: {seen-by: everyone}",
    ),
}
"""Matches that can end in a tie, which takes many deals."""


@pytest.mark.parametrize("name", slow_but(("a card turned up",), TIES))
def test_a_tie_after_many_deals_is_found(name: str) -> None:
    rules, teams, more = TIES[name]
    (finding,) = findings(rules, ["unique-winner"], teams, more)
    assert finding.verdict is Verdict.REFUTED, finding.message
    assert "win together" in finding.message
