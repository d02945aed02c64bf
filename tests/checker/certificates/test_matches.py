"""What a certificate says of whole matches is put together by the verifier from steps, among which played deals are."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest

from adversarial.known_causes import CASES, LIBRARY
from budget import RUN
from checker.certified import Rows, nodes, shortened, verified, written
from trickproof.certificates import matches
from trickproof.certificates.certificate import MalformedError
from trickproof.certificates.matches import counted


@RUN
def test_steps_hold_of_deals_that_are_played() -> None:
    one = verified(written())
    assert one.failed == []
    assert {"zero-sum", "no-fault", "unique-winner"} <= set(one.roots)


def test_tricks_may_be_counted_again_after_the_play() -> None:
    one = verified(written("counted-by-twos"), "counted-by-twos")
    assert (one.failed, one.unknown) == ([], [])


def test_ranks_may_be_compared_as_numbers() -> None:
    one = verified(written("height-wins"), "height-wins")
    assert (one.failed, one.unknown) == ([], [])
    assert "one-trick-winner" in one.roots


def test_what_rests_on_more_than_one_deal_is_not_certified() -> None:
    one = verified(written("counted-to-two"), "counted-to-two")
    assert (one.failed, one.unknown) == ([], [])
    assert "no-seven" in one.not_certified
    assert "unique-winner" in one.roots


def leave_out_a_dealer(rows: Rows) -> Rows:
    step = nodes(rows, "step")[-1]
    for row in nodes(rows, "match"):
        row["premises"].remove(step["node"])
    return rows


def leave_out_a_step_of_one_goal(rows: Rows) -> Rows:
    nodes(rows, "match")[0]["premises"].pop()
    return rows


def the_same_dealer_twice(rows: Rows) -> Rows:
    first, second, *_ = nodes(rows, "step")
    second["parts"]["dealer"] = first["parts"]["dealer"]
    return rows


def assume_more(rows: Rows) -> Rows:
    nodes(rows, "match")[0]["parts"]["sums"].append("tricks")
    return rows


def another_goal(rows: Rows) -> Rows:
    goal = nodes(rows, "match")[-1]
    root = next(root for root in rows[0]["roots"] if root["check"] == goal["claim"])
    root["check"] = goal["claim"] = "terminates"
    return rows


def without_the_deals(rows: Rows) -> Rows:
    nodes(rows, "match")[0]["premises"] = [nodes(rows, "step")[0]["node"]]
    return rows


def leave_out_what_somebody_is_up(rows: Rows) -> Rows:
    del nodes(rows, "step")[-1]["parts"]["after"]["over.0"]
    return rows


MALFORMED: dict[Callable[[Rows], Rows], str] = {
    leave_out_what_somebody_is_up: "a value that counts is left out",
    leave_out_a_dealer: "is left out|no proof uses it",
    leave_out_a_step_of_one_goal: "a step is left out",
    the_same_dealer_twice: "a dealer, or a value of what varies, is left out",
    assume_more: "something else is assumed",
    another_goal: "is not a claim about the end of a deal",
    without_the_deals: "a goal is a part of one induction",
}


@RUN
@pytest.mark.parametrize("corrupt", MALFORMED, ids=lambda corrupt: corrupt.__name__)
def test_what_is_no_proof_is_malformed(corrupt: Callable[[Rows], Rows]) -> None:
    with pytest.raises(MalformedError, match=MALFORMED[corrupt]):
        verified(corrupt(written()))


def weaken_what_is_known(rows: Rows) -> Rows:
    """The tricks of a deal may be any numbers."""
    for step in nodes(rows, "step"):
        step["parts"]["facts"] = []
    return rows


def another_score(rows: Rows) -> Rows:
    """After every deal all are level, whatever they took."""
    for step in nodes(rows, "step"):
        after = step["parts"]["after"]
        after |= {key: 0 for key in after if key.startswith("over.")}
    return rows


def swap_before_and_after(rows: Rows) -> Rows:
    for step in nodes(rows, "step"):
        step["parts"]["begin"], step["parts"]["after"] = step["parts"]["after"], step["parts"]["begin"]
    return rows


def contradictory(rows: Rows) -> Rows:
    rows.insert(1, {"part": "t999999", "sort": "Bool", "term": "(not true)"})
    for step in nodes(rows, "step"):
        step["parts"]["facts"].append("t999999")
    return shortened(rows)


def nobody_wins(rows: Rows) -> Rows:
    for step in nodes(rows, "step"):
        step["parts"]["winners"] = {}
    return rows


FAILING = (weaken_what_is_known, another_score, swap_before_and_after, contradictory, nobody_wins)


@RUN
@pytest.mark.parametrize("corrupt", FAILING, ids=lambda corrupt: corrupt.__name__)
def test_steps_that_are_not_those_of_the_game_fail(corrupt: Callable[[Rows], Rows]) -> None:
    assert verified(corrupt(written())).failed


@pytest.mark.parametrize("player", ["0", "1", "x"])
def test_winners_are_those_of_matches_that_are_played(player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is said to win is alone, so that it is true of these steps that exactly one player does."""
    monkeypatch.setattr(matches, "MATCHES", 10)
    rows = written("counted-to-two", "unique-winner", "no-fault")
    assert verified(rows, "counted-to-two").failed == []
    for step in nodes(rows, "step"):
        step["parts"]["winners"] = {player: step["parts"]["ended"]}
    assert verified(rows, "counted-to-two").failed


def test_sums_of_teams_count() -> None:
    text = """\
        ruleset: paid
        extends: plain-two.yaml
        players: {number: 2, teams: [[0], [1]], assumes: a test}
        state:
          payout: {type: integer, of: team}
          score: {type: boolean, of: player, carried: true}
        rules:
          hand: {rule: do payout, assumes: a test}
          payout: {rule: payout of team of dealer becomes 2, assumes: a test}
        """
    paid, _ = LIBRARY.load_text(dedent(text), str(CASES / "paid.yaml"))
    assert paid is not None
    assert counted(paid.program) == ["payout"]


# ---------------------------------------------------------------------------------------------------------- invariants


def stated() -> Rows:
    return written("stated", "level", "level-always", "deviations", "aims")


def _goal(rows: Rows, claim: str) -> dict[str, Any]:
    return next(row for row in rows if row.get("claim") == claim)


@RUN
def test_invariants_are_stated_by_the_verifier() -> None:
    rows = stated()
    one = verified(rows, "stated")
    assert (one.failed, one.unknown, one.not_certified) == ([], [], {})
    assert set(one.roots) == {"aims", "deviations", "level", "level-always"}
    rules = {row["claim"]: row["rule"] for row in rows if row.get("claim") in one.roots}
    assert rules == dict.fromkeys(("level", "level-always", "deviations"), "match") | {"aims": "conjunct"}


def always_without_the_beginning(rows: Rows) -> Rows:
    _goal(rows, "level-always")["parts"]["held"] = False
    return rows


def without_a_value(rows: Rows) -> Rows:
    """The values after a deal do not include one that the invariant is about."""
    for step in nodes(rows, "step"):
        del step["parts"]["after"]["over.0"]
    return rows


def at_another_moment(rows: Rows) -> Rows:
    """What holds when play starts is said to hold after the deal."""
    play, end = _goal(rows, "aims"), _goal(rows, "level")
    play["claim"], end["claim"] = end["claim"], play["claim"]
    return rows


def within_a_deal(rows: Rows) -> Rows:
    """What holds after a deal is said to be shown in it, where it is not stated."""
    goal = _goal(rows, "level")
    goal.update(rule="conjunct", premises=goal["premises"][:1], parts={})
    return rows


NOT_STATED: dict[Callable[[Rows], Rows], str] = {
    always_without_the_beginning: "is not a claim about the end of a deal",
    without_a_value: "a value that counts is left out",
    at_another_moment: "is not a claim about the end of a deal",
    within_a_deal: "is stated in no deal",
}


@RUN
@pytest.mark.parametrize("corrupt", NOT_STATED, ids=lambda corrupt: corrupt.__name__)
def test_an_invariant_that_is_not_stated_is_malformed(corrupt: Callable[[Rows], Rows]) -> None:
    with pytest.raises(MalformedError, match=NOT_STATED[corrupt]):
        verified(corrupt(stated()), "stated")


def another_score_later(rows: Rows) -> Rows:
    """The next deal begins with scores that the deal does not leave."""
    for step in nodes(rows, "step"):
        step["parts"]["following"]["over.0"] = 7
    return rows


def more_tricks(rows: Rows) -> Rows:
    for step in nodes(rows, "step"):
        step["parts"]["after"]["tricks.0"] = 20
    return rows


@RUN
@pytest.mark.parametrize(
    "corrupt",
    [another_score_later, more_tricks, weaken_what_is_known, contradictory],
    ids=lambda x: x.__name__,
)
def test_an_invariant_that_does_not_hold_fails(corrupt: Callable[[Rows], Rows]) -> None:
    assert verified(corrupt(stated()), "stated").failed
