"""A hand that shows a difference comes with the deals that lead to it from the start of a match."""

from __future__ import annotations

from budget import RUN
from checker.rulesets_for_tests import documented, house
from trickproof.diff.ruleset_diff import compare
from trickproof.testing.witness import replayed_match

LOWEST = """\
    rules:
      exchange-returns:
        rule: |
          taker returns lowest of hand matching gift(giver, taker) to giver as returned(taker, giver)
        assumes: a test
    """


@RUN
def test_a_difference_in_the_exchange_comes_after_a_whole_deal() -> None:
    one, other = documented("pagat"), house(LOWEST)
    (differs,) = (x for x in compare(one, other).every if x.status != "same")
    assert (differs.aspect, differs.status) == ("exchange-returns", "different")
    assert differs.parting is not None
    scenario, deals = differs.parting.answers.scenario, differs.parting.deals_before
    assert deals
    assert deals[0]["first_hand"]
    for ruleset in (one, other):
        last = replayed_match(ruleset, deals)
        begun = last.then().begin
        assert last.state.hand_over
        assert [begun.variables[("over", p)] for p in range(3)] == scenario["over"]
        assert begun.variables[("dealer",)] == scenario["dealer"]
