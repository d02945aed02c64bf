"""For which readings and parameters an answer holds, in words."""

from __future__ import annotations

from itertools import product

import pytest

from checker.rulesets_for_tests import house
from trickproof.checking.verdict import Method, Verdict
from trickproof.checks import all_checks
from trickproof.proofs.model_checking.case_split import Case, Conditions, Labelled, conditions
from trickproof.testing.subject import Subject

BODY = """\
    rules:
      end:
        assumes: a test
        readings:
          - {name: shared, rule: some player has tricks >= 12}
          - {name: played-on, rule: some player has tricks >= 13}
      lead:
        assumes: a test
        readings:
          - {name: left, rule: left of dealer}
          - {name: dealer, rule: dealer}
          - {name: right, rule: right of dealer}
    """
SUBJECT = Subject(house(BODY), all_checks())


def told(wrong: set[tuple[int, int, int]], goals: tuple[int, ...] = (10,)) -> Conditions:
    """The conditions of a claim that fails for some (goal, end, lead)."""
    cases = []
    for goal, end, lead in product(goals, range(2), range(3)):
        verdict = Verdict.REFUTED if (goal, end, lead) in wrong else Verdict.PROVED
        case = Case(verdict, Method.SMT, verdict.value)
        cases.append(Labelled({"goal": goal}, {"end": end, "lead": lead}, case))
    worst = next((x for x in cases if x.case.answer is Verdict.REFUTED), cases[0])
    return conditions(SUBJECT, cases, worst)


@pytest.mark.parametrize(
    ("wrong", "goals", "text", "readings"),
    [
        (set(), (10,), " (under every reading)", ()),
        (set(), (10, 20), " (under every reading, whatever `goal` is)", ()),
        ({(10, 0, 0), (10, 0, 1), (10, 0, 2)}, (10,), " (under `end: shared`)", ("end: shared",)),
        (
            {(10, 1, 0), (10, 1, 2)},
            (10,),
            " (under `end: played-on` and `lead: left` or `end: played-on` and `lead: right`)",
            ("end: played-on", "lead: left", "lead: right"),
        ),
        (
            {(20, e, x) for e in range(2) for x in range(3)},
            (10, 20),
            " (with `goal: 20`)",
            (),
        ),
    ],
)
def test_only_what_matters_is_named(
    wrong: set[tuple[int, int, int]], goals: tuple[int, ...], text: str, readings: tuple[str, ...]
) -> None:
    assert told(wrong, goals) == Conditions(text, readings)


def test_nothing_to_say_without_readings() -> None:
    case = Case(Verdict.PROVED, Method.SMT, "yes")
    assert conditions(SUBJECT, [Labelled({}, {}, case)], Labelled({}, {}, case)) == Conditions("")


def test_several_messages() -> None:
    after = {10: "after one hand", 20: "after two hands"}
    cases = [Labelled({"goal": g}, {}, Case(Verdict.PROVED, Method.SMT, after[g])) for g in after]
    text = " (with `goal: 10`); with `goal: 20` after two hands"
    assert conditions(SUBJECT, cases, cases[0]) == Conditions(text)
