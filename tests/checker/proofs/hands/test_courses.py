"""Plays that what is carried decides: the divisions of their tricks are read off plays, and hold only once they are shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from budget import RUN
from checker.rulesets_for_tests import house
from trickproof.check_runner.runner import check_ruleset
from trickproof.checking.verdict import Verdict
from trickproof.checks import all_checks
from trickproof.proofs.hands import grounds
from trickproof.proofs.hands.verdicts import hand_proof
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.testing import play_courses
from trickproof.testing.play_courses import Course, Courses, courses_of
from trickproof.testing.subject import Subject
from trickproof_dsl.library import Ruleset

BASE = "tests/adversarial/cases/plain-two.yaml"


def _frozen(condition: str, winner: str, state: str = "{type: boolean, carried: true}") -> Ruleset:
    """Two cards each: after a level deal the game is frozen, and then tricks go to a certain player."""
    return house(
        f"""\
        state: {{frozen: {state}}}
        rules:
          scoring:
            rule: |
              for p in players:
                  over of p becomes tricks of p - target of p
              if every player has over = 0:
                  {"frozen becomes true" if "boolean" in state else "frozen becomes frozen + 1"}
            assumes: a test
          trick-winner:
            rule: |
              if {condition} then {winner}
              else players with the highest rank of played among players with suit of played = led
            assumes: a test
        """,
        BASE,
    )


def _subject(ruleset: Ruleset) -> Subject:
    return Subject(ruleset, all_checks())


def test_what_a_frozen_play_goes_through() -> None:
    courses = courses_of(_subject(_frozen("frozen", "left of leader")))
    assert courses is not None
    assert courses.followed == (("tricks", 0), ("tricks", 1), ("leader",))
    frozen = [course for course in courses.each if course.conditions[0][1]]
    assert [(course.dealer, course.ends) for course in frozen] == [(0, {(1, 1)}), (1, {(1, 1)})]
    assert frozen[0].rounds == {(0, (0, 0, 1)), (1, (1, 0, 0)), (2, (1, 1, 1))}


def test_there_are_no_courses_where_nothing_carried_decides() -> None:
    assert courses_of(_subject(house("state: {}", BASE))) is None
    assert courses_of(_subject(_frozen("tricks of leader > 0", "left of leader"))) is None


@RUN
@pytest.mark.parametrize(
    ("condition", "winner", "state", "ends"),
    [
        ("frozen", "left of leader", "{type: boolean, carried: true}", False),
        ("frozen >= 2", "left of leader", "{type: integer, carried: true}", False),
        ("frozen", "leader", "{type: boolean, carried: true}", True),
    ],
)
def test_whether_a_frozen_match_can_end(condition: str, winner: str, state: str, ends: bool) -> None:
    names = ["end-always-reachable", "terminates"]
    findings, disagreements = check_ruleset(_frozen(condition, winner, state), names, 100)
    assert disagreements == []
    assert {finding.verdict for finding in findings} == {Verdict.PROVED if ends else Verdict.REFUTED}


@RUN
def test_what_a_play_excludes_need_not_be_dealt_there() -> None:
    """A frozen deal is followed by a free one, in which one player can take both tricks."""
    ruleset = house(
        """\
        state: {frozen: {type: boolean, carried: true}}
        rules:
          scoring:
            rule: |
              for p in players:
                  over of p becomes tricks of p - target of p
              frozen becomes (not frozen) and every player has over = 0
            assumes: a test
          trick-winner:
            rule: |
              if frozen then left of leader
              else players with the highest rank of played among players with suit of played = led
            assumes: a test
        """,
        BASE,
    )
    findings, disagreements = check_ruleset(ruleset, ["end-always-reachable"], 100)
    assert disagreements == []
    assert [finding.verdict for finding in findings] == [Verdict.PROVED]


@RUN
def test_a_proposal_that_is_wrong_is_not_taken_for_granted(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = _frozen("frozen", "left of leader")
    assert hand_proof(_subject(ruleset)).outcome is PlayOutcome.LISTED

    def other(course: Course) -> Course:
        ends = frozenset({(2, 0)})
        return replace(course, ends=ends, rounds=frozenset({*course.rounds, (2, (2, 0, 0))}))

    def proposed(subject: Subject) -> Courses | None:
        courses = play_courses.courses_of(subject)
        return None if courses is None else replace(courses, each=tuple(map(other, courses.each)))

    monkeypatch.setattr(grounds, "courses_of", proposed)
    assert hand_proof(_subject(ruleset)).outcome is PlayOutcome.KNOWN_SIZE
