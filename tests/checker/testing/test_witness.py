"""Which cards a deal may be given, so that it is told by its cards and not by its seed."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import house, rule
from trickproof.testing.witness import cards_may_be_given

PLAIN = "put kitty into deck", "deal 16 cards to kitty"

CASES = {
    "as in the base": ([], True),
    "cards that came back are dealt": ([*PLAIN], False),
    "they are shuffled before": ([PLAIN[0], "shuffle", PLAIN[1]], True),
    "they are shuffled in some deals only": (
        [PLAIN[0], "if first-hand:", "    shuffle", PLAIN[1]],
        False,
    ),
    "they are shuffled in a loop that may have no turn": (
        [PLAIN[0], "for p in players with over > 0, clockwise from dealer:", "    shuffle", PLAIN[1]],
        False,
    ),
    "they come back in a loop before its deal": (
        ["repeat 2 times:", "    deal 1 card to kitty", "    put kitty into deck"],
        False,
    ),
}


@pytest.mark.parametrize(("lines", "may"), CASES.values(), ids=list(CASES))
def test_cards_that_came_back_may_not_be_given_again(lines: list[str], may: bool) -> None:
    dealing = ["for p in players:", "    deal 16 cards to hand of p", "deal 4 cards to kitty"]
    text = "\n".join([*dealing, *lines])
    assert cards_may_be_given(house(rule("deal", text)).program) is may
