"""What a certificate says of whole matches is put together by the verifier from steps, among which played deals are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from budget import RUN
from checker.certified import Rows, nodes, shortened, verified, written
from trickproof.certificates.certificate import MalformedError


@RUN
def test_steps_hold_of_deals_that_are_played() -> None:
    one = verified(written())
    assert one.failed == []
    assert {"zero-sum", "no-fault", "unique-winner"} <= set(one.roots)


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
    rows[0]["roots"][-1]["check"] = nodes(rows, "match")[-1]["claim"] = "end-reachable"
    rows[0]["roots"] = [
        {**root, "check": row["claim"]} for root, row in zip(rows[0]["roots"], _goals(rows), strict=True)
    ]
    return rows


def _goals(rows: Rows) -> Rows:
    return [*nodes(rows, "conjunct"), *nodes(rows, "match")]


def without_the_deals(rows: Rows) -> Rows:
    nodes(rows, "match")[0]["premises"] = [nodes(rows, "step")[0]["node"]]
    return rows


MALFORMED: dict[Callable[[Rows], Rows], str] = {
    leave_out_a_dealer: "is left out|nothing rests on it",
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
