"""The questions and answers of a quiz, as a group reads and types them."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from checker.rulesets_for_tests import documented, house, rule
from trickproof.cli.commands.quiz import _asked
from trickproof.diff.decision_tree import quiz
from trickproof.diff.kept_quiz import keep_tree, kept_tree
from trickproof.diff.question_words import ASPECT_QUESTIONS, NEXT_QUESTION
from trickproof.diff.questions import Question, Tree, outcomes, said_of
from trickproof.diff.ruleset_diff import Diff, one_aspect
from trickproof.reports.comparison.quiz import answers_in_words, deal_lines, question_lines, quiz_text
from trickproof.reports.text import PLAIN
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_scenario

CHOSEN = {"trump": "suit", "play": "card"}
SIXTEEN = house(rule("end", "some player has tricks = 16"), named="sixteen.yaml")
UP = house(rule("end", "some player has over >= 9"), named="up.yaml")
NO_PAYOUT = rule("payout", "for p in players:\n    payout of p becomes 0")
UNPAID = house(
    NO_PAYOUT + rule("end", "some player has tricks = 16").removeprefix("rules:\n"), named="unpaid.yaml"
)


def cards(ranks: str, suits: str = "CDHS") -> list[str]:
    return [rank + suit for suit in suits for rank in ranks]


@cache
def a_deal(most: int = 100) -> dict[str, Any]:
    """A deal in which Left takes 12 tricks and the dealer 4, up to `most` moves."""
    left, dealer = cards("AKQJ", "CDH") + cards("6543", "S"), cards("6543", "CDH") + cards("AKQJ", "S")
    scenario = {"dealer": 0, "first_hand": True, "hands": [dealer, left, cards("T987")], "kitty": cards("2")}
    moves: list[dict[str, Any]] = []
    while (
        decision := replay_scenario(documented("pagat"), {**scenario, "ruleset": "pagat", "moves": moves})[
            "next"
        ]
    ) is not None and len(moves) < most:
        key = CHOSEN.get(decision["move"], "cards")
        chosen = decision["legal"][: decision.get("min", 1)]
        moves.append(
            {
                "player": decision["player"],
                "move": decision["move"],
                key: chosen if key == "cards" else chosen[0],
            }
        )
    return {**scenario, "moves": moves}


def asked(aspect: str, rulesets: Sequence[Ruleset], most: int = 100, words: str = "") -> Tree:
    """The question about an aspect in that deal."""
    scenario, names = a_deal(most), [one.named for one in rulesets]
    question = Question(
        aspect,
        (),
        outcomes(rulesets, scenario),
        scenario,
        words=words or ASPECT_QUESTIONS[aspect],
        rules=said_of(aspect, rulesets),
    )
    question = Question(**{**vars(question), "apart": len(question.before(names))})
    after = tuple((answer, Tree(some)) for answer, some in question.parts(names))
    return Tree(tuple(names), question, after)


def by_name(rulesets: Sequence[Ruleset]) -> dict[str, Ruleset]:
    return {one.named: one for one in rulesets}


def read(tree: Tree, rulesets: Sequence[Ruleset]) -> list[str]:
    return [" ".join(line.split()) for line in question_lines(tree, by_name(rulesets), PLAIN)]


@pytest.mark.parametrize(
    ("other", "stated"),
    [
        (SIXTEEN, "Tricks in the deal: Dealer 4, Left 12, Right 0"),
        (
            UP,
            "Tricks in the deal: Dealer 4, Left 12, Right 0; up or down: Dealer -4, Left +7, Right -3",
        ),
    ],
)
def test_a_question_about_the_end_states_what_the_rules_of_the_end_read(other: Ruleset, stated: str) -> None:
    both = documented("pagat"), other
    asks = " ".join(read(asked("end", both), both))
    assert asks == (
        f"Does the match end? ({stated}.) 1 no: another deal follows 2 yes: won by Left 3 none of these 4 I don't know"
    )


def test_of_everybodys_numbers_those_are_answers_that_differ() -> None:
    rulesets = (
        documented("pagat"),
        UNPAID,
        house(NO_PAYOUT),
    )
    tree = asked("scoring", rulesets, words=NEXT_QUESTION)
    assert tree.words == "What does each player score, and does the match end?"
    assert "(Tricks in the deal: Dealer 4, Left 12, Right 0.)" in " ".join(read(tree, rulesets))
    assert sorted(answers_in_words(tree, by_name(rulesets))) == [
        "payouts: Dealer -4, Left +7, Right -3; the match is won by Left",
        "payouts: none; another deal follows",
        "payouts: none; the match is won by Left",
    ]


def test_a_question_about_a_rule_is_answered_by_the_rules_and_states_no_deal() -> None:
    rulesets = (
        documented("pagat"),
        house(rule("payout", "for p in players:\n    payout of p becomes 2 * over of p")),
    )
    tree = asked("payout", rulesets)
    assert read(tree, rulesets)[:3] == [
        "How much is paid, and to whom?",
        "1 Each player's payout is their result.",
        "2 Each player's payout is twice their result.",
    ]


def test_which_cards_may_be_led_is_asked_by_the_rules_not_by_how_many_they_are() -> None:
    led = "if hearts-broken then hand else cards in hand with suit != hearts"
    broken = "some player has (some card in tricks-taken has suit = hearts)"
    two = f"rules:\n  may-lead: {{rule: {led}, assumes: so}}\n  hearts-broken: {{rule: {broken}, assumes: so}}\n"
    pair = documented("pagat"), house(two)
    diff = Diff(*pair, (one_aspect(*pair, "may-lead"),), ())
    tree = quiz(pair, lambda _: {(pair[0].named, pair[1].named): diff})
    assert tree.words == "Which cards may a player lead?"
    other, usual = answers_in_words(tree, by_name(pair))
    assert usual == "The leader may lead any card in hand."
    assert other.endswith("otherwise any card in hand that is not a heart.")


def test_a_question_in_a_deal_states_the_trick_that_its_answers_are_about() -> None:
    rulesets = documented("pagat"), house(rule("follow", "hand"))
    tree = asked("lead", rulesets, 3, NEXT_QUESTION)
    assert read(tree, rulesets)[0] == "What happens next? (Trick 1: Left J♣.)"


def test_what_happens_next_is_asked_after_what_is_common() -> None:
    rulesets = documented("pagat"), documented("pagat-kitty-first")
    tree = asked("kitty", rulesets, 0, NEXT_QUESTION)
    assert read(tree, rulesets)[0] == "What happens next? (After the cards are dealt.)"


def test_the_deal_has_trump_tricks_and_marks_where_lines_are_left_out() -> None:
    both = documented("pagat"), SIXTEEN
    lines = [line.strip() for line in deal_lines(asked("end", both), by_name(both), PLAIN)]
    assert lines[4] == "Dealer chooses trump ♣"
    assert lines[7:9] == ["…", "trick 12: Left A♥, Right 10♥, Dealer 2♠; Left wins"]
    assert lines[-1] == "tricks: Dealer 4, Left 12, Right 0"
    assert "Does the match end? (Tricks in the deal: Dealer 4," in quiz_text(
        asked("end", both), both, deals=True
    )


def typed(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tree: Tree | None = None
) -> str:
    both = documented("pagat"), SIXTEEN
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    _asked(tree or asked("end", both), by_name(both))
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("text", ["2", "Yes", "yes: won", "x\nhelp\n2", "\n2", "d\n2"])
def test_a_question_is_answered_by_number_or_in_words(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(f"{text}\n", monkeypatch, capsys)
    assert "Answer 1–4, or in words (`d` shows the deal, `q` leaves):" in shown
    assert "→ pagat fits your answers; your game may still differ elsewhere. Next," in shown
    assert "If your game differs, write its rules to FILE; then: trickproof nearest FILE" in shown
    assert ("`x` is not one of the answers (1–4)" in shown) == text.startswith("x")
    assert ("asks about each of them" in shown) == ("help" in text)
    assert ("enter one of 1–4, or `help`" in shown) == text.startswith("\n")
    assert ("trick 16: " in shown) == text.startswith("d")


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (
            "3",
            "→ none of these rulesets fits your answers. `trickproof new FILE` begins a file; write",
        ),
        (
            "none",
            "→ none of these rulesets fits your answers. `trickproof new FILE` begins a file; write",
        ),
        ("no", "→ sixteen.yaml fits your answers"),
        ("I don't know", "→ sixteen.yaml and pagat remain possible; your game may"),
    ],
)
def test_a_table_may_play_otherwise_or_not_know(
    text: str, ends: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends in typed(f"{text}\n", monkeypatch, capsys)


def test_who_does_not_know_is_asked_the_questions_behind_every_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inner = asked("end", (documented("pagat"), SIXTEEN))
    facts = Question(
        "players",
        (),
        {"x": ("4 players.",), **dict.fromkeys(inner.candidates, ("3 players.",))},
        None,
        words="How many players are there?",
    )
    tree = Tree(("x", *inner.candidates), facts, (("4 players.", Tree(("x",))), ("3 players.", inner)))
    shown = typed("d\ne\nyes\n", monkeypatch, capsys, tree)
    assert "a 4 players. b 3 players. c none of these e I don't know Answer a–e, or in words" in shown
    assert "this question has no deal" in shown
    assert "→ x and pagat remain possible" in shown
    assert "→ pagat fits your answers" in typed("3\nyes\n", monkeypatch, capsys, tree)  # not the third answer


@pytest.mark.parametrize("text", ["q\n", ""])
def test_the_quiz_is_left(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed(text, monkeypatch, capsys).endswith("`q` leaves):")


def test_words_that_begin_several_answers_are_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    question = Question("lead", (), {"a": ("",), "b": ("",)}, None, words="Who leads?")
    tree = Tree(("a", "b"), question, (("the dealer", Tree(("a",))), ("the other", Tree(("b",)))))
    assert "`the` begins several of the answers (1–4)" in typed("the\n", monkeypatch, capsys, tree)


def test_answers_about_the_end_answer_a_question_about_the_end() -> None:
    words = "Suppose that x. What does each player score?"
    question = Question("scoring", (), {"a": (), "b": ()}, None, words=words)
    over, other = "end: won by 2; the match is over", "end: won by 1; the match is over"
    for answers, told in (
        ((over, "another deal follows"), "Suppose that x. Does the match end?"),
        ((over, other), "Suppose that x. Who wins the match?"),
        ((over, "score: over 1 0 -1"), question.words),
    ):
        tree = Tree(("a", "b"), question, tuple((answer, Tree((answer,))) for answer in answers))
        assert tree.words == told


def test_rulesets_that_diverge_earlier_are_asked_what_happens_next() -> None:
    found = {"a": ("picks up", "scores 1"), "b": ("picks up", "scores 0"), "c": ("discards",)}
    question = Question("scoring", (), found, None, words="What does each player score?", apart=1)
    for names, told in ((("a", "b"), question.words), (("a", "c"), NEXT_QUESTION)):
        assert (
            Tree(names, question, tuple((x, Tree(some)) for x, some in question.parts(names))).words == told
        )


def test_an_answer_has_as_few_events_as_tell_it_from_the_others() -> None:
    question = Question("kitty", (), {"a": ("x", "y", "z"), "b": ("x", "v"), "c": ("u", "y")}, None)
    assert [answer for answer, _ in question.parts(("a", "c"))] == ["u", "x"]
    assert [answer for answer, _ in question.parts(("a", "b", "c"))] == ["u; y", "x; v", "x; y"]


def test_who_deals_next_is_asked_where_nothing_else_differs() -> None:
    """What happens between two deals is no event of either."""
    pair = documented("pagat"), house(rule("next-dealer", "right of dealer\n"))
    diff = Diff(*pair, (one_aspect(*pair, "next-dealer"),), ())
    tree = quiz(pair, lambda _: {(pair[0].named, pair[1].named): diff})
    assert answers_in_words(tree, by_name(pair)) == ["Left deals next", "Right deals next"]
    assert tree.words.endswith("Who deals next?")
    keep_tree(pair, tree)
    kept = kept_tree(pair)
    assert kept is not None
    assert read(kept, pair) == read(tree, pair)
