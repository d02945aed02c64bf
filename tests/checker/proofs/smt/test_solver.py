"""Questions that are given up, and cases that answer more than one question."""

from __future__ import annotations

import z3

from trickproof.checking.proof_session import ProofSession
from trickproof.proofs.smt.solver import Answer, SolverSession

X, Y = z3.Ints("x y")


def hard() -> z3.BoolRef:
    """What z3 cannot tell with few resources: whether a large number is a product."""
    return z3.And(X * Y == 1_000_003 * 1_000_033, X > 1, Y > X)


def test_no_more_is_asked_once_patience_is_at_its_end() -> None:
    questions = SolverSession(ProofSession(), patience=2)
    questions.solver.set("rlimit", 1000)
    assert [questions.possible(hard()), questions.exhausted] == [Answer.GAVE_UP, False]
    assert [questions.possible(hard()), questions.exhausted] == [Answer.GAVE_UP, True]
    assert questions.possible(X == 1) is Answer.GAVE_UP


def test_without_limit_of_patience_everything_is_asked() -> None:
    questions = SolverSession(ProofSession())
    questions.solver.set("rlimit", 1000)
    assert {questions.possible(hard()) for _ in range(3)} == {Answer.GAVE_UP}
    assert questions.possible(X == 1) is Answer.YES


def test_a_case_answers_other_questions() -> None:
    questions = SolverSession(ProofSession())
    questions.add(X >= 0, X <= 5)
    assert questions.may(X == 3)
    asked = questions._asked
    assert questions.may(X > 2)
    assert questions._asked == asked
    assert not questions.may(X > 5)
