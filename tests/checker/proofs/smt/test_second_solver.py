"""A second solver reads what z3 was asked, and its contradiction is noticed."""

from __future__ import annotations

import json

import pytest
import z3
from click.testing import CliRunner

from budget import RUN
from checker.rulesets_for_tests import documented, found
from trickproof.certificates import second_solver as recheck
from trickproof.certificates.second_solver import Second
from trickproof.check_runner.runner import check_ruleset
from trickproof.checking.proof_session import ProofSession
from trickproof.cli.main import group
from trickproof.proofs.smt.second_solver import opinion
from trickproof.proofs.smt.solver import Answer, SolverSession, recorded_once, recording, smtlib, writing
from trickproof.testing.subject import Subject


def asked(*facts: z3.BoolRef) -> str:
    solver = z3.Solver()
    solver.add(*facts)
    return smtlib(solver)


X, Y = z3.Ints("hand.x hand.y")
P, Q = z3.Bools("p q")
A, B = z3.BitVecs("a b", 52)


@pytest.mark.parametrize(
    ("facts", "solver", "possible"),
    [
        ([X > Y, Y > X], "cvc5", False),
        ([X > Y, Y > 3], "cvc5", True),
        ([X > Y, z3.Implies(P, z3.And([])), z3.Or(P, z3.Or([]), Q)], "cvc5", True),
        ([z3.Bool("p and q"), z3.Or(z3.Not(z3.Bool("p and q")), z3.Or([]))], "bitwuzla", False),
        ([X > Y, Y > X - 1, z3.PbEq([(P, 1), (Q, 1)], 1)], "cvc5", False),
        ([z3.PbEq([(P, 1), (Q, 1)], 1), P == Q], "bitwuzla", False),
        ([z3.AtMost(P, Q, 1), P, Q], "bitwuzla", False),
        ([z3.AtLeast(P, Q, 1), z3.Not(P)], "bitwuzla", True),
        ([A & B == 0, A | B == -1, A == B], "bitwuzla", False),
        ([A & B == 0, A | B == -1], "bitwuzla", True),
    ],
)
def test_second_solvers_read_what_z3_was_asked(facts: list[z3.BoolRef], solver: str, possible: bool) -> None:
    assert opinion(ProofSession(), asked(*facts)) == Second(solver, possible)


def test_what_they_cannot_read_they_give_up() -> None:
    assert opinion(ProofSession(), "(assert (strange Int))(check-sat)") == Second("cvc5", None)
    assert opinion(ProofSession(), "(assert strange)(check-sat)") == Second("bitwuzla", None)


def test_effort_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck, "RESOURCES", 1)
    monkeypatch.setattr(recheck, "CALLS", 1)
    pigeons = [[z3.Bool(f"{i} in {j}") for j in range(9)] for i in range(10)]
    housed = [z3.Or(row) for row in pigeons] + [z3.AtMost(*[row[j] for row in pigeons], 1) for j in range(9)]
    assert opinion(ProofSession(), asked(*housed)) == Second("bitwuzla", None)
    squares = [X * X * X + Y * Y * Y == 42, X > 0, Y > 0]
    assert opinion(ProofSession(), asked(*squares)) == Second("cvc5", None)


def test_questions_answered_no_are_recorded_with_all_that_holds() -> None:
    session = ProofSession()
    questions = SolverSession(session)
    with writing(session), recording(session) as leaves:
        questions.add(X > 3)
        assert questions.possible(X < 3) is Answer.NO
        assert questions.possible(X < 9) is Answer.YES
    assert questions.possible(X < 2) is Answer.NO
    assert len(leaves) == 1
    question = leaves[0].formula
    assert question is not None
    assert opinion(session, question).possible is False
    assert opinion(session, question.replace("(> hand.x 3)", "(> hand.x 0)")).possible is True


def test_what_proofs_share_is_recorded_for_each() -> None:
    begun: list[int] = []

    subject = Subject(documented("pagat"), ())
    session = subject.session

    def impossible(least: int) -> Answer:
        begun.append(least)
        return SolverSession(session).possible(X > Y, X + least < Y)

    assert recorded_once(subject, impossible, 1) is Answer.NO
    with recording(session) as outer:
        with recording(session) as first:
            assert recorded_once(subject, impossible, 1) is Answer.NO
        with recording(session) as second:
            assert recorded_once(subject, impossible, 1) is Answer.NO
    assert len(first) == 1
    assert second == first
    assert outer == [*first, *second]
    assert begun == [1]


@pytest.mark.parametrize(
    "only",
    [
        ["zero-sum", "rules-complete"],
        pytest.param(["target-total"], marks=RUN),
        pytest.param(None, marks=pytest.mark.slow, id="everything"),
    ],
)
@RUN
def test_a_documented_ruleset_is_agreed_on(only: list[str] | None) -> None:
    findings, disagreements = check_ruleset(documented("pagat"), only, 20, recheck=True)
    assert disagreements == []
    told = {f.check: f.recheck for f in findings}
    for check in ("zero-sum", "target-total", "unique-winner") if only is None else only:
        if check == "rules-complete":
            assert told[check] is None
            continue
        second = told[check]
        assert second is not None
        assert (second.solver, second.gave_up) == ("cvc5", 0)
        assert second.agreed == second.questions > 0
    plain = found(documented("pagat"), only, 20)
    assert [f.message for f in plain] == [f.message for f in findings]


@pytest.mark.slow
def test_told_on_the_command_line() -> None:
    words = ["check", "pagat", "--recheck", "--hands", "5"]
    words += ["--only", "zero-sum", "--only", "target-total", "--only", "rules-complete"]
    text = CliRunner().invoke(group, words)
    assert text.exit_code == 0
    assert text.stdout.count("rechecked: cvc5 agrees on ") == 2
    told = json.loads(CliRunner().invoke(group, [*words, "--json"]).stdout)["rulesets"][0]["findings"]
    seconds = {finding["check"]: finding.get("recheck") for finding in told}
    for check in ("zero-sum", "target-total"):
        assert seconds[check]["solver"] == "cvc5"
        assert seconds[check]["agreed"] == seconds[check]["questions"] > 0
    assert seconds["rules-complete"] is None


@RUN
def test_a_contradiction_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "trickproof.proofs.smt.second_solver.opinion", lambda session, question: Second("cvc5", True)
    )
    words = ["check", "pagat", "--recheck", "--hands", "5", "--only", "zero-sum"]
    told = CliRunner().invoke(group, words)
    assert told.exit_code == 70
    assert "pagat: internal error in check `zero-sum`: cvc5 finds a case that z3 excluded" in told.stderr


@RUN
def test_one_that_gives_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([None] + [False] * 1000)
    monkeypatch.setattr(
        "trickproof.proofs.smt.second_solver.opinion", lambda session, question: Second("cvc5", next(answers))
    )
    words = ["check", "pagat", "--recheck", "--hands", "5", "--only", "zero-sum"]
    told = CliRunner().invoke(group, words)
    assert told.exit_code == 0
    assert "(1 gave up)" in told.stdout


def test_a_missing_solver_is_told_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck, "SOLVERS", ("cvc5", "no_such_solver"))
    monkeypatch.setattr("trickproof.check_runner.runner.check_all", None)
    told = CliRunner().invoke(group, ["check", "pagat", "--recheck"])
    assert told.exit_code == 2
    assert "--recheck needs `no_such_solver`: pip install 'trickproof[recheck]'" in told.stderr
