"""The rules of a deal's steps: what limits a move and what is carried out; nothing else of the deal changes."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import documented, foreign, house, rule
from trickproof.reports.site.deal_steps import deal_of
from trickproof.reports.site.governing_rules import CARRIED_OUT, announcing
from trickproof.vectors.generate import by_chance
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_scenario


@pytest.mark.parametrize(
    "ruleset", [documented("pagat"), documented("tallyn"), foreign("draw-two")], ids=lambda one: one.id
)
def test_nothing_else_changes(ruleset: Ruleset) -> None:
    for vector in by_chance(ruleset, 8):
        answer = replay_scenario(announcing(ruleset), vector["scenario"])
        if answer["ok"]:
            answer["events"] = [x for x in answer["events"] if not x["event"].startswith(CARRIED_OUT)]
        assert answer == vector["expected"]


def steps_of(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    """The rules of a step, by the last thing that is said of it."""
    vectors = [x for x in by_chance(ruleset, 40) if x["expected"]["ok"] and x["expected"]["next"] is None]
    deal = deal_of("deal", "", ruleset, vectors[0]["scenario"])
    assert deal is not None
    return {(step.says or ("",))[-1]: step.rules for step in deal.lanes[0].steps}


def test_a_move_has_the_rule_that_limits_it_and_what_follows_from_it() -> None:
    steps = steps_of(documented("pagat"))
    (trump,) = (rules for says, rules in steps.items() if "chooses trump" in says)
    (discard,) = (rules for says, rules in steps.items() if "picks up" in says)
    (end,) = (rules for says, rules in steps.items() if says.startswith("up or down: "))
    won = next(rules for says, rules in steps.items() if "wins the trick" in says)
    assert (trump, discard) == (("trump",), ("kitty", "reveal", "lead"))
    assert won == ("follow", "trick-winner")
    assert end == ("follow", "trick-winner", "scoring", "payout", "end")


def test_a_condition_has_the_rules_whose_values_it_takes() -> None:
    """A step without any effect of `end` is governed by it all the same."""
    steps = steps_of(house(rule("scoring", "if not end:\n    over of dealer becomes 1\n")))
    (end,) = (rules for says, rules in steps.items() if says.startswith("up or down: "))
    assert end[2:4] == ("end", "scoring")
