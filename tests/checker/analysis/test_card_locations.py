"""Where cards are when a deal begins: what gathers them, and which matches start alike."""

from __future__ import annotations

import pytest

from dsl.small_games import game
from trickproof.analysis.card_locations import differs_at_start, gathering, shuffled
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk


def steps(rule: str) -> tuple[c.Stmt, ...]:
    return game(rule).program.hand


@pytest.mark.parametrize(
    ("rule", "gathers"),
    [
        ("nothing happens", True),
        ("shuffle", True),
        ("for p in players:\n    put hand of p into deck", True),
        ("put kitty into deck\nput discards into deck", True),
        ("put kitty into discards", False),
        ("put highest of hand of dealer matching kitty from hand of dealer into deck", False),
        ("if first-hand:\n    put kitty into deck", False),
        ("deal 1 card to kitty", False),
        ("for p in players:\n    put hand of left of p into deck", False),
        ("for p in players with tricks > 1:\n    put hand of p into deck", False),
    ],
)
def test_what_gathers_cards(rule: str, gathers: bool) -> None:
    gathered = gathering(steps(rule))
    assert (gathered is not None) == gathers
    if gathered:
        assert not any(isinstance(node, c.Variable) for node in walk(*gathered))
        assert shuffled(gathered) == (rule == "shuffle")


START = """
  match-start:
    rule: |
{}
    assumes: a test
"""


@pytest.mark.parametrize(
    ("rule", "alike"),
    [
        ("shuffle", True),
        ("shuffle\ndeal 1 card to kitty\nscore of dealer becomes 1", True),
        ("shuffle\ndeal 1 card to kitty\nput kitty into deck", True),
        ("put 2C from deck into discards", True),
        ("shuffle\nput 2C from deck into discards", False),
        ("shuffle\ndeal 1 card to kitty\nscore of dealer becomes number of kitty", False),
    ],
)
def test_which_matches_start_alike(rule: str, alike: bool) -> None:
    """Chance makes no difference as long as no card is looked at or looked for."""
    text = START.format("\n".join(f"      {line}" for line in rule.splitlines()))
    assert (differs_at_start(game("shuffle", text).program) is None) == alike
