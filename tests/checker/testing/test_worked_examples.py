"""Worked examples: the forms they can take, and how a disagreement reads."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import documented, foreign, house
from trickproof.testing.worked_examples import run_examples, whole_hand


def example(given: str, run: str | None, then: str, when: str = "[]") -> tuple[str, ...]:
    lines = ["assumes: a test", f"given: {given}", f"when: {when}", f"then: {then}"]
    if run:
        lines.insert(2, f"run: {run}")
    body = "examples:\n  one:\n" + "".join(f"    {line}\n" for line in lines)
    (outcome,) = run_examples(house(body))
    return outcome.wrong


@pytest.mark.parametrize(
    ("given", "run", "then", "when"),
    [
        ("{dealer: 0, tricks: [10, 2, 4]}", "scoring", "{over: [2, -3, 1]}", "[]"),
        ("{dealer: 2, tricks: [10, 2, 4]}", "scoring", "{over: [5, -1, -4]}", "[]"),
        ("{target: [1, 1, 14], tricks: [0, 2, 14]}", "scoring", "{over: [-1, 1, 0]}", "[]"),
        ("{dealer: 1}", "targets", "{target: [3, 8, 5]}", "[]"),
        ("{dealer: 1}", "next-dealer", "{value: 2}", "[]"),
        ("{tricks: [12, 2, 2]}", "end", "{value: true}", "[]"),
        ("{tricks: [12, 2, 2]}", "winner", "{value: [0]}", "[]"),
        ("{tricks: [12, 2, 12]}", "winner", "{value: [2, 0]}", "[]"),
        ("{dealer: 0, first_hand: true}", None, "{trump: S}", "[{player: 0, move: trump, suit: S}]"),
        ("{dealer: 0}", "trump", "{trump: H}", "[{player: 0, move: trump, suit: H}]"),
        (
            "{led: H, p: 1, hands: [[], [2H, 3S, 4H], []]}",
            "follow",
            "{value: [4H, 2H]}",
            "[]",
        ),
        ("{led: H, p: 1, hands: [[], [2H, 3S, 4H], []]}", "follow", "{value: [4H, any]}", "[]"),
        ("{played: [4H, 2H, 3H]}", "scoring", "{played: [4H, any, 3H]}", "[]"),
        (
            "{giver: 0, taker: 1, hands: [[2H], [3H, AH], []], gift: [[[], [2H], []], [[], [], []], [[], [], []]]}",
            "exchange-returns",
            "{hands: [[2H, AH], [3H], []], events: [{event: return, player: 1, to: 0, cards: [AH]}]}",
            "[]",
        ),
    ],
)
def test_agrees(given: str, run: str | None, then: str, when: str) -> None:
    assert example(given, run, then, when) == ()


@pytest.mark.parametrize(
    ("given", "run", "then", "text"),
    [
        (
            "{dealer: 0, tricks: [10, 2, 4]}",
            "scoring",
            "{over: [2, -2, 1]}",
            "expects `over` = [2, -2, 1], but the rules yield [2, -3, 1]",
        ),
        ("{dealer: 0}", "targets", "{goal: 3}", "nothing is called `goal`"),
        ("{dealer: 0}", "nonsense", "{over: 3}", "there is no rule `nonsense` to run"),
        ("{dealer: 7}", "targets", "{over: 3}", "expected player"),
        (
            "{led: H, hands: [[], [2H, 3S], []]}",
            "follow",
            "{value: [3S]}",
            "is run: expected `p` under `given`",
        ),
        ("{dealer: 0, first_hand: true}", None, "{events: [{event: end}]}", "the rules yield none"),
        ("{led: H, p: 1, hands: [[], [2H, 3S], []]}", "follow", "{value: [3S]}", "expects `value` = [3S]"),
        ("{led: H, p: 1, hands: [[], [2H, 4H], []]}", "follow", "{value: [3S, any]}", "expects `value`"),
        ("{played: [4H, 2H, 3H]}", "scoring", "{played: [2H, 3H, 4H]}", "rules yield [4H, 2H, 3H]"),
        ("{tricks: [12, 2, 2]}", "end", "{value: 1}", "expects `value` = 1, but the rules yield true"),
        ("{dealer: 1}", "targets", "{dealer: true}", "expects `dealer` = true, but the rules yield 1"),
        ("{dealer: 1}", "targets", "{events: {event: end}}", "`events` in `then` is a list, found end"),
    ],
)
def test_disagrees(given: str, run: str | None, then: str, text: str) -> None:
    (wrong,) = example(given, run, then)
    assert text in wrong


def test_an_example_in_no_possible_situation_is_told_as_such() -> None:
    """Also where it tells of tricks, so that a hand with cards is looked for."""
    given = "{tricks: [10, 2, 4], tricks-taken: [[], [], []]}"
    text = f"examples:\n  one:\n    {{assumes: a test, given: {given}, run: scoring, then: {{over: [2, -3, 1]}}}}\n"
    ruleset = house(text)
    (outcome,) = run_examples(ruleset)
    assert outcome.wrong == ("unknown variable `tricks-taken`",)
    assert whole_hand(ruleset, outcome.example) is None


def test_bids_are_not_asked_before_one_rule_is_run() -> None:
    """`targets` settles the targets where nobody has to choose anything; a bid is a choice."""
    text = (
        "    rule: |\n      target of dealer becomes 8\n      dealer chooses target of dealer from 0 to 16\n"
    )
    rules = f"rules:\n  targets:\n{text}    assumes: a test\n"
    given = "{dealer: 0, tricks: [10, 2, 4]}"
    shown = (
        f"examples:\n  one: {{assumes: a test, given: {given}, run: scoring, then: {{over: [10, 2, 4]}}}}\n"
    )
    (outcome,) = run_examples(house(rules + shown))
    assert outcome.wrong == ()


@pytest.mark.parametrize("name", ["gamerules", "gamerules-mirror", "weaver-four"])
def test_examples_of_the_documents(name: str) -> None:
    assert [outcome.wrong for outcome in run_examples(documented(name)) if outcome.wrong] == []


@pytest.mark.parametrize("name", ["forty-in-pairs", "lowest-takes"])
def test_examples_of_other_games(name: str) -> None:
    assert [outcome.wrong for outcome in run_examples(foreign(name)) if outcome.wrong] == []
