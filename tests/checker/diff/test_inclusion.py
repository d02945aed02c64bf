"""Which of two rules allows everything that the other allows, and that parameters count."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import house, rule
from trickproof.diff.rule_diff import RARELY
from trickproof.diff.ruleset_diff import one_aspect


def kitty(number: str) -> str:
    return rule("kitty", f"dealer discards {number} cards of hand\ndealer picks-up kitty")


@RUN
@pytest.mark.parametrize(
    ("one", "other", "direction"),
    [
        ("up to 4", "up to 5", "wider"),
        ("up to 5", "up to 4", "narrower"),
        ("between 1 and 3", "between 2 and 4", "neither"),
        ("up to 4", "up to (if over of dealer > 0 then 3 else 5)", "neither"),
        ("up to 4", "up to (if over of dealer > 0 then 6 else 5)", "wider"),
        ("up to 4", "up to (number of cards in hand of left of dealer with suit = hearts)", None),
    ],
)
def test_every_state_counts(one: str, other: str, direction: str | None) -> None:
    compared = one_aspect(house(kitty(one)), house(kitty(other)), "kitty")
    assert compared.status == "different"
    assert compared.direction == direction


@RUN
def test_numbers_that_are_agreed_count() -> None:
    """The first number is another than that of the base, the second the same."""
    agreed = house("parameters:\n  extra: 5 | 4\n" + kitty("up to extra"))
    compared = one_aspect(house(kitty("up to 4")), agreed, "kitty")
    assert [way.when for way in compared.ways] == ["in some deals, depending on the agreed numbers"]
    assert compared.direction is None
    both_more = house("parameters:\n  extra: 5 | 6\n" + kitty("up to extra"))
    compared = one_aspect(house(kitty("up to 4")), both_more, "kitty")
    assert [way.when for way in compared.ways] == [RARELY]  # nothing proves that five are held
