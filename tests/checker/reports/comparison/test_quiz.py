"""The answers of a quiz, as a group reads them."""

from __future__ import annotations

import io
import sys

import pytest

from trickproof.cli.commands.quiz import _asked
from trickproof.diff.questions import Question, Tree
from trickproof.reports.comparison.quiz import answers_in_words, question_lines
from trickproof.reports.text import PLAIN


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("end: winners 0 2; the match is over", "the match is won by Dealer and Right; the match is over"),
        ("end: winners ; the match is over", "the match is won by nobody; the match is over"),
        ("end: winners ", "the match is won by nobody"),
        (
            "score: scores 1 0 2; end: winners 2",
            "the match is won by Right",
        ),
        ("player 0 chooses trump C; player 0 must play", "Dealer chooses trump ♣; Dealer must play"),
    ],
)
def test_winners_players_and_suits_are_named(answer: str, words: str) -> None:
    question = Question("end", (), {"a": (answer,), "b": ("",)}, {"dealer": 0}, "", "Who wins?")
    tree = Tree(("a", "b"), question, ((answer, Tree(("a",))), ("another deal follows", Tree(("b",)))))
    assert answers_in_words(tree) == [words, "another deal follows"]


def test_answers_about_the_end_answer_a_question_about_the_end() -> None:
    words = "Suppose that x. What does each player score?"
    question = Question("scoring", (), {"a": (), "b": ()}, None, words=words)
    over, other = "end: won by 2; the match is over", "end: won by 1; the match is over"
    for answers, asked in (
        ((over, "another deal follows"), "Suppose that x. Does the match end?"),
        ((over, other), "Suppose that x. Who wins the match?"),
        ((over, "score: over 1 0 -1; another deal follows"), question.words),
    ):
        tree = Tree(("a", "b"), question, tuple((answer, Tree((answer,))) for answer in answers))
        assert tree.words == asked


def test_rulesets_that_diverge_earlier_are_asked_what_happens_next() -> None:
    outcomes = {
        "a": ("player 0 picks up 2C", "score: scores 1 0 0"),
        "b": ("player 0 picks up 2C", "score: scores 0 0 0"),
        "c": ("player 0 discards 2C",),
    }
    scenario = {"dealer": 0, "hands": [[], [], []]}
    question = Question("scoring", (), outcomes, scenario, words="What does each player score?", apart=1)
    for names, asked in (
        (("a", "b"), "What does each player score?"),
        (("a", "c"), "What happens next? (After the cards are dealt.)"),
    ):
        tree = Tree(names, question, tuple((x, Tree(some)) for x, some in question.parts(names)))
        assert next(question_lines(tree, PLAIN)) == asked


def test_answers_about_the_end_say_yes_or_no_or_who_and_the_question_what_was_scored() -> None:
    scored = "score: scores 20 12 7 1"
    outcomes = {"a": (scored, "end: winners 0", "the match is over"), "b": (scored, "another deal follows")}
    question = Question(
        "end", (), outcomes, {"dealer": 0, "hands": [[], [], [], []]}, words="Does the match end?"
    )
    groups = question.parts(("a", "b"))
    assert groups == [("another deal follows", ("b",)), ("end: winners 0", ("a",))]
    tree = Tree(("a", "b"), question, tuple((answer, Tree(names)) for answer, names in groups))
    assert answers_in_words(tree) == ["no: another deal follows", "yes: won by Dealer"]
    first, *_ = question_lines(tree, PLAIN)
    assert (
        first == "Does the match end? (After a deal with scores Dealer +20, Left +12, Opposite +7, Right +1.)"
    )


def test_an_answer_has_as_few_events_as_tell_it_from_the_others() -> None:
    question = Question("kitty", (), {"a": ("x", "y", "z"), "b": ("x", "v"), "c": ("u", "y")}, None)
    assert [answer for answer, _ in question.parts(("a", "c"))] == ["u", "x"]
    assert [answer for answer, _ in question.parts(("a", "b", "c"))] == ["u; y", "x; v", "x; y"]


@pytest.mark.parametrize("typed", ["2", "No", "no: another", "x\nhelp\n2"])
def test_a_question_is_answered_by_number_or_in_words(
    typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    question = Question("end", (), {"a": ("",), "b": ("",)}, None, words="Does the match end?")
    answers = ("end: winners 0", Tree(("a",))), ("another deal follows", Tree(("b",)))
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}\n"))
    _asked(Tree(("a", "b"), question, answers), {})
    shown = capsys.readouterr().out
    assert "Answer 1–2, or in words (`q` leaves):" in shown
    assert "→ b\n" in shown
    assert ("`x` is not one of the answers (1–2)" in shown) == typed.startswith("x")


def test_words_that_begin_several_answers_are_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    question = Question("lead", (), {"a": ("",), "b": ("",)}, None, words="Who leads?")
    monkeypatch.setattr(sys, "stdin", io.StringIO("the\n"))
    _asked(Tree(("a", "b"), question, (("the dealer", Tree(("a",))), ("the other", Tree(("b",))))), {})
    assert "`the` begins several of the answers (1–2)" in capsys.readouterr().out
