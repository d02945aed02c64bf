"""The answers of a quiz, as a group reads them."""

from __future__ import annotations

import pytest

from trickproof.diff.questions import Question, Tree
from trickproof.reports.comparison.quiz import answers_in_words


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("end: winners 0 2; the match is over", "end: won by Dealer and Right; the match is over"),
        ("end: winners ; the match is over", "end: won by nobody; the match is over"),
        ("end: winners ", "end: won by nobody"),
        ("player 0 chooses trump C; player 0 must play", "Dealer chooses trump ♣; Dealer must play"),
    ],
)
def test_winners_players_and_suits_are_named(answer: str, words: str) -> None:
    question = Question("end", (), {"a": (answer,), "b": ("",)}, {"dealer": 0}, "", "Who wins?")
    tree = Tree(("a", "b"), question, ((answer, Tree(("a",))), ("another deal follows", Tree(("b",)))))
    assert answers_in_words(tree) == [words, "another deal follows"]


def test_answers_about_the_end_answer_a_question_about_the_end() -> None:
    question = Question("scoring", (), {}, None, words="Suppose that x. What does each player score?")
    over, other = "end: won by 2; the match is over", "end: won by 1; the match is over"
    for answers, asked in (
        ((over, "another deal follows"), "Suppose that x. Does the match end?"),
        ((over, other), "Suppose that x. Who wins the match?"),
        ((over, "score: over 1 0 -1; another deal follows"), question.words),
    ):
        tree = Tree(("a", "b"), question, tuple((answer, Tree((answer,))) for answer in answers))
        assert tree.words == asked
