"""Expressions about cards: what fails at run time is never excluded."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import SESSION, house, rule
from trickproof.diff.side import unchecked
from trickproof.proofs.hands.verdicts import may_fail


@RUN
@pytest.mark.parametrize(("condition", "fails"), [("best < rank of AS", True), ("best = rank of AS", False)])
def test_no_rank_is_not_compared_by_order(condition: str, fails: bool) -> None:
    text = f"dealer chooses trump\nif {condition}:\n    trump becomes hearts"
    ruleset = house("state:\n  best: {type: rank}\n" + rule("trump", text))
    assert may_fail(unchecked(ruleset, SESSION)) is fails
