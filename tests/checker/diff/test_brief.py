"""A brief comparison, which looks for one deal for each difference, gives the statuses of the whole one."""

from __future__ import annotations

import pytest

from budget import RUN, slow_but
from checker.adapters.peer_rulesets import ROOT, loaded
from checker.diff.test_joint_changes import AT_ONCE, DOUBLED
from checker.rulesets_for_tests import documented, house
from trickproof.diff.ruleset_diff import compare
from trickproof_dsl.library import Ruleset

OTHERS = {"at once": AT_ONCE, "doubled": DOUBLED}

PAIRS = (
    ("pagat-kitty-first", "pagat-all-sixteen"),
    ("pagat", "at once"),
    ("pagat", "doubled"),
    ("pagat-kitty-first", "six-over"),
    ("nine-five-two", "tallyn"),
    ("weaver-four", "gamerules"),
    ("no-swapping", "pagat"),
)


def _named(name: str) -> Ruleset:
    if name in OTHERS:
        return house(OTHERS[name])
    return loaded(ROOT / "rulesets/house/no-swapping.yaml") if name == "no-swapping" else documented(name)


@RUN
@pytest.mark.parametrize("pair", slow_but((PAIRS[0], PAIRS[-1]), PAIRS))
def test_the_statuses_are_those_of_the_whole_comparison(pair: tuple[str, str]) -> None:
    rulesets = _named(pair[0]), _named(pair[1])
    whole, brief = (
        {x.aspect: (x.status, x.jointly) for x in compare(*rulesets, brief=brief).every}
        for brief in (False, True)
    )
    assert brief == whole


@RUN
def test_a_difference_comes_with_one_deal() -> None:
    brief = compare(*map(documented, PAIRS[0]), brief=True)
    assert {one.status for one in brief.different} == {"different"}
    assert all(len([way for way in one.ways if way.parting]) == 1 for one in brief.different)
