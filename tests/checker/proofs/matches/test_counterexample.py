"""Matches made of cards for what the solver says, also where cards decide what it may take as it likes."""

from __future__ import annotations

from budget import RUN
from checker.rulesets_for_tests import found, house, rule
from trickproof.checking.verdict import Verdict


@RUN
def test_a_target_that_cards_decide() -> None:
    raised = rule(
        "exchange-timing",
        "if KH in hand of dealer and KS in hand of dealer:\n    target of dealer becomes 2\n",
    )
    (finding,) = found(house(raised, "tests/adversarial/cases/plain-two.yaml"), ["zero-sum"])
    assert finding.verdict is Verdict.REFUTED
