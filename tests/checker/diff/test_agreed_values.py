"""Parameters with other values: rules are compared for those that both allow, and the others are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.rulesets_for_tests import LIBRARY, SESSION
from trickproof.diff.kept_pairs import compare_kept
from trickproof.diff.ruleset_diff import Diff, compare, one_aspect, play_the_same
from trickproof.english.differences import difference_sentence
from trickproof_dsl.library import Ruleset

SAME = "end: {rule: some player has score >= goal, assumes: a test}"
TEN = "end: {rule: some player has score >= 10, assumes: a test}"
MORE = "end: {rule: some player has score > goal, assumes: a test}"
AT_LEAST = "end: {rule: number of players with score >= goal > 0, assumes: a test}"


def variant(folder: Path, name: str, values: str, rules: str = SAME) -> Ruleset:
    """`nine-five-two`, whose goal is 10 or 20, with other values and rules."""
    file = folder / f"{name}.yaml"
    file.write_text(
        f"ruleset: {name}\nextends: nine-five-two\nparameters: {{goal: {values}}}\nrules:\n  {rules}\n"
    )
    loaded, wrong = LIBRARY.load(str(file))
    assert loaded is not None, wrong
    return loaded


def differing(diff: Diff) -> list[str]:
    return [one.aspect for one in diff.different]


def said(diff: Diff, aspect: str) -> list[str]:
    (one,) = (x for x in diff.aspects if x.aspect == aspect)
    return [difference_sentence(way.how, way.when, diff.a.id, diff.b.id) for way in one.ways]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ("10 | 20 | 30", "“goal” may be 30 under other but not under base."),
        ("10", "“goal” may be 20 under base but not under other."),
        ("20 | 10", "“goal” is 10 under base but 20 under other if nothing is agreed."),
    ],
)
def test_values_that_only_one_of_the_two_allows(values: str, sentence: str, tmp_path: Path) -> None:
    """They are a difference of the rules that ask for them, and none of others; however the rule is put."""
    base, other = variant(tmp_path, "base", "10 | 20"), variant(tmp_path, "other", values, AT_LEAST)
    diff = compare(base, other, session=SESSION)
    assert differing(diff) == ["end", "winner"]
    assert said(diff, "end") == said(diff, "winner") == [sentence]
    assert one_aspect(base, other, "end", SESSION).status == "different"
    assert not play_the_same(base, other, SESSION)


def test_values_of_which_both_allow_none_are_a_difference(tmp_path: Path) -> None:
    """Whether anything else differs is left open."""
    base, other = variant(tmp_path, "base", "10 | 20"), variant(tmp_path, "other", "5 | 7")
    (end,) = (x for x in compare(base, other, session=SESSION).aspects if x.aspect == "end")
    assert (end.status, end.complete) == ("different", False)
    assert [difference_sentence(way.how, way.when, "base", "other") for way in end.ways] == [
        "“goal” is 10 or 20, as agreed, under base but 5 or 7, as agreed, under other.",
    ]


def test_rules_that_differ_for_a_value_that_both_allow_come_with_a_deal(tmp_path: Path) -> None:
    """Each of the two is told which value its match is played with."""
    base, other = variant(tmp_path, "base", "10 | 20"), variant(tmp_path, "other", "20 | 10 | 15", MORE)
    diff = compare(base, other, session=SESSION)
    (end,) = (x for x in diff.aspects if x.aspect == "end")
    assert len(said(diff, "end")) == 3
    assert end.parting is not None
    assert end.parting.answers.scenario["params"] == {f"{other.named}/goal": 10}
    for kept in compare_kept(base, other), compare_kept(base, other):
        assert differing(kept) == ["end", "winner"]
        assert said(kept, "end") == said(diff, "end")


def test_rules_that_ask_for_no_parameter_are_the_same(tmp_path: Path) -> None:
    rules = f"{TEN}\n  winner: {{rule: players with score >= 10, assumes: a test}}"
    base, other = variant(tmp_path, "base", "10 | 20", rules), variant(tmp_path, "other", "20 | 30", rules)
    assert differing(compare(base, other, session=SESSION)) == []
