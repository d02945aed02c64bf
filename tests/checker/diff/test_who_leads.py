"""Who leads depends on the deal before: worked out from everything that a deal can begin with, not from first deals at random."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import SESSION, documented, house
from trickproof.diff.ruleset_diff import one_aspect

LEAD = """\
    rules:
      lead:
        rule: {}
        assumes: a test
    """


@RUN
def test_the_dealer_leads_after_eleven_tricks_as_left() -> None:
    house_rule = house(LEAD.format("if over of dealer = 6 then dealer else left of dealer"))
    lead = one_aspect(house_rule, documented("pagat"), "lead", SESSION)
    assert (lead.status, lead.complete, [way.how for way in lead.ways]) == (
        "different",
        True,
        ["leader differs"],
    )
    assert lead.parting is not None
    assert not lead.parting.masked
    asked = lead.parting.answers.a["next"], lead.parting.answers.b["next"]
    assert [(one["move"], one["player"]) for one in asked] == [("play", 1), ("play", 2)]


@RUN
@pytest.mark.parametrize(
    "never",
    [
        "over of dealer = 7",  # twelve tricks, after which nobody deals
        "first-hand and over of dealer > 0",
    ],
)
def test_what_no_deal_begins_with_makes_no_difference(never: str) -> None:
    house_rule = house(LEAD.format(f"if {never} then dealer else left of dealer"))
    assert one_aspect(house_rule, documented("pagat"), "lead", SESSION).status == "same"
