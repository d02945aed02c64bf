"""A difference that only play shows is told by what differs first: the choices, the player, the trick, the score."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import SESSION, documented, house, rule
from trickproof.diff.ruleset_diff import one_aspect

DIFFERENCES = {
    "follow": ("pagat", "follow", "hand", ["what may be chosen"]),
    "may-lead": (
        "pagat",
        "may-lead",
        "if some card in hand has suit != trump then cards in hand with suit != trump else hand",
        ["what may be chosen"],
    ),
    "trick-winner": (
        "pagat",
        "trick-winner",
        "players with the highest rank of played among players with suit of played = led",
        ["who wins a trick"],
    ),
}


@pytest.mark.parametrize(("base", "aspect", "text", "how"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_what_differs_first(base: str, aspect: str, text: str, how: list[str]) -> None:
    found = one_aspect(documented(base), house(rule(aspect, text), base), aspect, SESSION)
    assert (found.status, [way.how for way in found.ways]) == ("different", how)
