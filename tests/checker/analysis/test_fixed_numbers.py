"""Which rules only set numbers that no card, choice or earlier deal determines."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import documented, house, rule
from trickproof.analysis.fixed_numbers import sets_fixed_numbers
from trickproof_dsl.library import Ruleset


def fixed(ruleset: Ruleset, name: str) -> bool:
    return sets_fixed_numbers(ruleset, ruleset.whole.rules[name].name.span)


def test_targets_that_are_written_down_are_fixed_and_results_are_not() -> None:
    pagat = documented("pagat")
    assert [name for name in pagat.whole.rules if fixed(pagat, name)] == ["targets"]
    assert not sets_fixed_numbers(pagat, None)


@pytest.mark.parametrize(
    "value",
    [
        "number of hand of p",
        "5 + over of p",
    ],
)
def test_targets_that_depend_on_more_are_not_fixed(value: str) -> None:
    assert fixed(house(rule("targets", "for p in players:\n    target of p becomes 6")), "targets")
    assert not fixed(house(rule("targets", f"for p in players:\n    target of p becomes {value}")), "targets")


@pytest.mark.parametrize(
    ("tested", "needed"), [("number of hand of dealer = 16", True), ("first-hand", False)]
)
def test_targets_need_a_deal_where_cards_decide_how_many_are_left(tested: str, needed: bool) -> None:
    """A deal has as many tricks as the hands have cards."""
    discard = f"if {tested}:\n    for p in players:\n        p discards 1 card of hand"
    assert fixed(house(rule("kitty", discard)), "targets") != needed
