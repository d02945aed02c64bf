"""What a match in a certificate shows: the reference replays it, and the verifier recognises what happens in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from budget import RUN
from checker.certified import Rows, nodes, ruleset, shortened, verified, written
from trickproof.certificates import runs
from trickproof.certificates.certificate import MalformedError

pytestmark = RUN

REFUTED = ("nobody-wins", "unique-winner", "nobody-takes-six")


def reached() -> Rows:
    return written("six-over", "end-reachable")


def refuted() -> Rows:
    return written(*REFUTED)


def test_a_match_that_ends_shows_that_the_end_can_be_reached() -> None:
    rows = reached()
    one = verified(rows)
    assert (one.roots, one.failed, one.asked) == (("end-reachable",), [], 0)
    readings = [row["parts"]["match"][0].get("readings") for row in nodes(rows, "run")]
    assert len(readings) == len(ruleset("six-over").program.readings["exchange-order"]) == 2
    assert readings[0] != readings[1]


def test_a_match_refutes_what_it_violates() -> None:
    one = verified(refuted(), "nobody-wins")
    assert (one.refuted, one.roots, one.failed) == (REFUTED[1:], (), [])
    assert set(one.not_certified) == {"somebody-takes-five"}


# --------------------------------------------------------------------------------------------------------- corruptions


def leave_out_a_choice(rows: Rows) -> Rows:
    nodes(rows, "reached")[0]["premises"].pop()
    return rows


def the_same_choice_twice(rows: Rows) -> Rows:
    premises = nodes(rows, "reached")[0]["premises"]
    premises[1] = premises[0]
    return rows


def an_illegal_move(rows: Rows) -> Rows:
    moves = nodes(rows, "run")[0]["parts"]["match"][-1]["moves"]
    moves[-1], moves[-2] = moves[-2], moves[-1]
    return rows


def other_cards(rows: Rows) -> Rows:
    hands = nodes(rows, "run")[0]["parts"]["match"][-1]["hands"]
    hands[0], hands[1] = hands[1], hands[0]
    return rows


def from_the_middle(rows: Rows) -> Rows:
    """The match begins with a score that no match begins with."""
    nodes(rows, "run")[0]["parts"]["match"][0]["over"] = [5, -2, -3]
    return rows


def too_long(rows: Rows) -> Rows:
    match = nodes(rows, "run")[0]["parts"]["match"]
    match += match * runs.LONGEST_MATCH
    return rows


def no_match(rows: Rows) -> Rows:
    nodes(rows, "run")[0]["parts"]["match"] = ["a deal"]
    return rows


def show_something_else(rows: Rows) -> Rows:
    rows[0]["roots"][0]["check"] = nodes(rows, "reached")[0]["claim"] = "terminates"
    return rows


def refute_by_two_matches(rows: Rows) -> Rows:
    first, second = nodes(rows, "refuted")
    second["premises"] += first["premises"]
    return rows


def refute_under_another_reading(rows: Rows) -> Rows:
    rule, readings = next(iter(ruleset("nobody-wins").program.readings.items()))
    rows[0]["roots"][0]["readings"] = [f"{rule}: {readings[-1]}"]
    return rows


def prove_by_a_match(rows: Rows) -> Rows:
    """What the match refutes is said to be proved."""
    rows[0]["roots"][0]["verdict"] = "proved"
    return rows


def rest_on_a_goal(rows: Rows) -> Rows:
    first, second = nodes(rows, "refuted")
    second["premises"] = [first["node"]]
    return rows


def an_unused_match(rows: Rows) -> Rows:
    match = {**nodes(rows, "run")[0], "node": rows[-1]["node"] + 1}
    return shortened([*rows, match])


MALFORMED: dict[Callable[[Rows], Rows], tuple[Callable[[], Rows], str]] = {
    leave_out_a_choice: (reached, "1 matches for 2 choices"),
    the_same_choice_twice: (reached, "a choice of parameters and readings has no match"),
    an_illegal_move: (reached, "cannot be replayed"),
    other_cards: (reached, "cannot be replayed"),
    from_the_middle: (reached, "cannot be replayed"),
    too_long: (reached, "at most 40 deals"),
    no_match: (reached, "cannot be replayed"),
    show_something_else: (reached, "is not a claim that a match shows"),
    refute_by_two_matches: (refuted, "one match refutes a check"),
    refute_under_another_reading: (refuted, "under other readings than the root names"),
    prove_by_a_match: (refuted, "the checks that it claims are not those that it proves"),
    rest_on_a_goal: (refuted, "only a match shows what can happen"),
    an_unused_match: (refuted, "no proof uses it"),
}


@pytest.mark.parametrize("corrupt", MALFORMED, ids=lambda corrupt: corrupt.__name__)
def test_what_shows_nothing_is_malformed(corrupt: Callable[[Rows], Rows]) -> None:
    rows, message = MALFORMED[corrupt]
    with pytest.raises(MalformedError, match=message):
        verified(corrupt(rows()), "nobody-wins" if rows is refuted else "six-over")


def stop_before_the_end(rows: Rows) -> Rows:
    nodes(rows, "run")[0]["parts"]["match"][-1]["moves"].pop()
    return rows


def test_a_match_that_does_not_end_fails() -> None:
    assert "the match does not end" in verified(stop_before_the_end(reached())).failed[0]


@pytest.mark.parametrize("check", [*runs.SHOWN, "somebody-takes-five", "end-reachable"])
def test_what_does_not_happen_in_a_match_is_not_refuted(check: str) -> None:
    """The match shows a winner that is none, and nothing else."""
    rows = shortened([row for row in refuted() if row.get("claim") != "nobody-takes-six"])
    rows[0]["roots"] = [{**rows[0]["roots"][0], "check": check}]
    run, goal = nodes(rows, "run")[0], nodes(rows, "refuted")[0]
    rows = shortened([rows[0], run, {**goal, "node": 1, "claim": check}])
    assert bool(verified(rows, "nobody-wins").failed) == (check != "unique-winner")
