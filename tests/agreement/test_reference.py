"""The reference and the compiled form agree on all rulesets and on odd deals.

For random rulesets, see test_random_rulesets.py.
"""

from __future__ import annotations

from collections import Counter
from typing import Any
from unittest.mock import patch

import pytest

from agreement.reference_law import compare
from checker.rulesets_for_tests import FOREIGN, LIBRARY, documented, foreign
from dsl.small_games import game
from trickproof.support.bundled import ruleset_folder
from trickproof_dsl import core as c
from trickproof_dsl.semantics import expressions

NAMES = (*LIBRARY.documented(), *FOREIGN.documented())
GAMES = sorted(path.stem for path in (ruleset_folder() / "games").glob("*.yaml"))


@pytest.mark.parametrize("name", [*NAMES, *GAMES])
def test_rulesets(name: str) -> None:
    program = (foreign(name) if name in FOREIGN.documented() else documented(name)).program
    seen: Counter[str] = Counter()
    for seed in range(2):
        compare(program, seed, seen)
    assert seen["decisions"] > 20


DEAL = "shuffle\nfor p in players:\n    deal 4 cards to hand of p\n"
ODD = {
    "a target by what is in the source": DEAL
    + "dealer lays 2 cards of hand\n"
    + "put table into tricks-taken of (if some card in table has suit = clubs then dealer else left of dealer)",
    "a target by how many are in the source": DEAL
    + "dealer gives 1 card of hand to (if number of hand of dealer = 4 then left of dealer else right of dealer)",
    "a source by how many are in it": DEAL
    + "dealer lays 1 card of hand\n"
    + "left of dealer gives hand of (if table is empty then dealer else right of dealer) to dealer",
    "both a value and its owner missing": "m of who becomes m of left of who",
    "the first of two faults": "n becomes (3 div n) + height of one",
    "a fault for every element": DEAL + "yes becomes some card in hand of dealer has height div n = 1",
    "a fault for one card after another that decides": DEAL
    + "yes becomes some card in hand of dealer has (height mod 2 = 1 or 6 div (height - n) = 0)",
    "choices in loops in loops": "for a in players:\n    for b in players:\n        b chooses yes",
    "all but nobody": "for p in players other than who, clockwise from dealer:\n    n becomes n * 10 + 1\n    m of p becomes n",
    "the match ends inside loops": "for p in players:\n    repeat 3 times:\n        the match ends, won by players",
    "nothing to choose": DEAL + "for p in players:\n    p lays up to m of p cards of hand",
    "none, or a player": "dealer chooses who from players or none\nleader becomes left of who",
}


@pytest.mark.parametrize("hand", ODD.values(), ids=ODD)
def test_odd_hands(hand: str) -> None:
    for seed in range(6):
        compare(game(hand).program, seed, Counter())


def test_a_wrong_reading_is_found() -> None:
    """A law that cannot fail would be worthless."""
    program = documented("pagat").program

    def lowest(e: c.Compare, left: Any, right: Any) -> bool:
        return bool(left != right)

    with patch.object(expressions, "compare", lowest), pytest.raises(AssertionError):
        compare(program, 1, Counter())
    compare(program, 1, Counter())
