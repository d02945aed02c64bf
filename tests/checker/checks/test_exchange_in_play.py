"""Cards that are given or returned once the play has begun, of which no claim about its start knows."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import found, house, rule


@RUN
@pytest.mark.parametrize(
    ("check", "move"),
    [
        (
            "allocation-determined",
            "gives up to 2 cards of hand to left of leader as gift(leader, left of leader)",
        ),
        ("exchange-balanced", "gives 1 card of hand to left of leader as gift(leader, left of leader)"),
        (
            "exchange-returns-highest",
            "returns 1 card of hand to left of leader as returned(leader, left of leader)",
        ),
    ],
)
def test_it_is_not_proved_from_what_happens_before(check: str, move: str) -> None:
    (finding,) = found(house(rule("after-trick", f"if tricks of leader = 2:\n    leader {move}")), [check])
    assert not finding.verdict.proved
