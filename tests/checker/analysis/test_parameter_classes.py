"""Of many values of a parameter only those are told apart that some rule tells apart."""

from __future__ import annotations

from budget import RUN
from checker.rulesets_for_tests import documented, found, house
from trickproof.analysis.parameter_classes import telling_values
from trickproof.checking.verdict import Verdict

COMPARED = """\
    parameters: {stake: 1 .. 90}
    rules:
      targets:
        rule: |
          target of dealer becomes 8
          target of left of dealer becomes (if stake = 80 or stake > 88 then 5 else 4)
          target of right of dealer becomes 3
        assumes: a test
    """

COUNTED = COMPARED.replace("(if stake = 80 or stake > 88 then 5 else 4)", "stake")

TOGETHER = COMPARED.replace("stake: 1 .. 90", "stake: 1 .. 9, stakes: 1 | 2").replace(
    "stake = 80 or stake > 88", "stake = stakes"
)

CONDITIONS = TOGETHER.replace("stake = stakes", "stake = 7 and stakes = 2")

INVARIANT = COMPARED + "invariants: {small: {rule: stake < 50, when: hand-ends, assumes: a test}}\n"


def test_values_on_one_side_of_every_comparison_are_alike() -> None:
    assert telling_values(house(COMPARED).program) == {"stake": (1, 80)}


def test_a_number_that_is_reckoned_with_is_not_like_any_other() -> None:
    assert telling_values(house(COUNTED).program) == {"stake": tuple(range(1, 91))}


def test_parameters_compared_with_each_other_are_told_apart() -> None:
    assert telling_values(house(TOGETHER).program) == {"stake": tuple(range(1, 10)), "stakes": (1, 2)}


def test_each_parameter_of_a_condition_on_several_is_told_apart_by_its_own_part() -> None:
    assert telling_values(house(CONDITIONS).program) == {"stake": (1, 7), "stakes": (1, 2)}


def test_what_an_invariant_tells_apart_counts() -> None:
    assert telling_values(house(INVARIANT).program) == {"stake": (1, 50, 80)}


OWED = """\
    parameters: {stake: 1 .. 90}
    rules:
      to-give: {rule: "if stake = 80 then 0 else larger(over of p, 0)", assumes: a test}
    """


@RUN
def test_what_only_a_claim_about_gifts_tells_apart_counts() -> None:
    ruleset = house(OWED)
    assert telling_values(ruleset.program) == {"stake": (1, 80)}
    (finding,) = found(ruleset, ["exchange-balanced"], 20)
    assert finding.verdict is Verdict.REFUTED


def test_every_value_of_a_goal_that_scores_are_held_against() -> None:
    program = documented("nine-five-two").program
    assert telling_values(program) == dict(program.parameters)
