"""That every match ends is composed by the verifier from the steps of single deals; a corrupted proof of it is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache

import pytest

from budget import RUN, slow_but
from checker.certified import Rows, answered, nodes
from checker.checks.test_terminates import ALMOST, SURELY, small
from checker.rulesets_for_tests import found
from trickproof.certificates.certificate import MalformedError
from trickproof.certificates.second_solver import Second
from trickproof.certificates.verifier import Verified, verify
from trickproof.check_runner.certificates import certificate

CHECKS = ["end-always-reachable", "terminates"]

TO_RANK, TO_UNROLL, TO_LIST = "exactly twenty deals", "three deals", "down and up again"


ONE_DEAL, NO_DEAL = "between deals", "before the first deal"
"""Matches in which no deal follows another, and matches without any."""


@cache
def _lines(name: str) -> tuple[str, ...]:
    ruleset = small(ALMOST.get(name) or SURELY[name][0])
    findings = found(ruleset, CHECKS)
    return tuple(certificate(ruleset, [finding for finding in findings if finding.verdict.proved], 20))


def written(name: str) -> Rows:
    return copy.deepcopy([json.loads(line) for line in _lines(name)])


def verified(rows: Rows, name: str, ask: Callable[[str], Second] = answered) -> Verified:
    ruleset = small(ALMOST.get(name) or SURELY[name][0])
    (one,) = verify(map(json.dumps, rows), lambda *_: ruleset, CHECKS, ask=ask)
    return one


def rules(rows: Rows) -> set[str]:
    return {row["rule"] for row in rows if "node" in row} & {"rank", "unroll", "states"}


@RUN
@pytest.mark.parametrize("name", slow_but((TO_RANK, TO_UNROLL, ONE_DEAL, NO_DEAL), SURELY))
def test_that_every_match_ends_is_certified(name: str) -> None:
    rows = written(name)
    one = verified(rows, name)
    assert (one.failed, one.unknown, one.not_certified) == ([], [], {})
    assert one.roots == tuple(CHECKS)
    by = {TO_RANK: "rank", TO_UNROLL: "unroll", TO_LIST: "states", NO_DEAL: "unroll"}
    assert rules(rows) == {by[name]} if name in by else rules(rows)


@RUN
def test_plans_are_not_certified() -> None:
    one = verified(written("both tricks"), "both tricks")
    assert one.roots == ()
    assert (
        list(one.not_certified.values())
        == ["certificates do not yet cover plans by which a match can be ended"] * 2
    )


# --------------------------------------------------------------------------------------------------------- corruptions


def grow_by_more(rows: Rows) -> Rows:
    nodes(rows, "rank")[0]["parts"]["grows"] += 1
    return rows


def a_lower_bound(rows: Rows) -> Rows:
    """So low that the number can pass it."""
    nodes(rows, "rank")[0]["parts"]["bound"] -= 1
    return rows


def a_bound_that_is_passed_at_once(rows: Rows) -> Rows:
    nodes(rows, "rank")[0]["parts"]["bound"] = -1
    return rows


def a_bound_for_all_values(rows: Rows) -> Rows:
    """A bound that deals only preserve is said to hold from any values."""
    nodes(rows, "rank")[0]["parts"]["kept"] = False
    return rows


def the_other_way(rows: Rows) -> Rows:
    nodes(rows, "rank")[0]["parts"]["falls"] = True
    return rows


def something_else_grows(rows: Rows) -> Rows:
    nodes(rows, "rank")[0]["parts"]["sum"] = ["over.0"]
    return rows


def another_count_follows(rows: Rows) -> Rows:
    """The next deal begins with a number that the deal does not leave."""
    for step in nodes(rows, "step"):
        step["parts"]["following"]["deals"] = 3
    return rows


def the_end_comes_at_once(rows: Rows) -> Rows:
    for step in nodes(rows, "step"):
        step["parts"]["ended"] = "true"
    return rows


def fail_between_deals(rows: Rows) -> Rows:
    for step in nodes(rows, "step"):
        step["parts"]["interrupted"] = "true"
    return rows


def one_deal_less(rows: Rows) -> Rows:
    nodes(rows, "unroll")[0]["parts"]["deals"] -= 1
    return rows


def one_deal_more(rows: Rows) -> Rows:
    """No match has so many deals, so that anything can be said of the last one."""
    nodes(rows, "unroll")[0]["parts"]["deals"] += 1
    return rows


def leave_out_what_follows(rows: Rows) -> Rows:
    nodes(rows, "states")[0]["parts"]["following"][0] = []
    return rows


def leave_out_what_matters(rows: Rows) -> Rows:
    """Some states are told apart only by a value that is left out."""
    states = nodes(rows, "states")[0]["parts"]
    place = states["keys"].index("rising")
    for state in (states["keys"], *states["states"]):
        del state[place]
    return rows


def no_deal(rows: Rows) -> Rows:
    """Matches are said to be over before their first deal."""
    nodes(rows, "unroll")[0]["parts"]["deals"] = 0
    return rows


def another_deal_follows(rows: Rows) -> Rows:
    for step in nodes(rows, "step"):
        step["parts"] |= {"ended": "false", "interrupted": "false"}
    return rows


def of_another_game(rows: Rows) -> Rows:
    """That no deal follows another is said of a game in which one does."""
    rows[0]["core"] = written(TO_UNROLL)[0]["core"]
    return rows


FAILING: dict[Callable[[Rows], Rows], str] = {
    grow_by_more: TO_RANK,
    a_lower_bound: TO_RANK,
    a_bound_that_is_passed_at_once: TO_RANK,
    a_bound_for_all_values: TO_RANK,
    the_other_way: TO_RANK,
    something_else_grows: TO_RANK,
    another_count_follows: TO_RANK,
    the_end_comes_at_once: TO_RANK,
    fail_between_deals: TO_RANK,
    one_deal_less: TO_UNROLL,
    one_deal_more: TO_UNROLL,
    no_deal: TO_UNROLL,
    another_deal_follows: ONE_DEAL,
    leave_out_what_follows: TO_LIST,
    leave_out_what_matters: TO_LIST,
}


@pytest.mark.parametrize("corrupt", FAILING, ids=lambda corrupt: corrupt.__name__)
def test_a_match_that_may_go_on_fails(corrupt: Callable[[Rows], Rows]) -> None:
    name = FAILING[corrupt]
    assert verified(corrupt(written(name)), name).failed


def test_that_no_deal_follows_is_held_against_those_of_the_reference() -> None:
    failed = verified(of_another_game(written(ONE_DEAL)), TO_UNROLL).failed
    assert any("a deal that the reference plays is not among the steps" in line for line in failed)


def leave_out_that_it_is_the_last(rows: Rows) -> Rows:
    nodes(rows, "deals")[0]["premises"].remove(nodes(rows, "last")[0]["node"])
    return rows


def leave_out_later_deals(rows: Rows) -> Rows:
    (later,) = (row["node"] for row in nodes(rows, "segment") if row["claim"] == "later")
    nodes(rows, "deals")[0]["premises"].remove(later)
    return rows


def leave_out_a_dealer(rows: Rows) -> Rows:
    nodes(rows, "rank")[0]["premises"].pop()
    return rows


def count_cards(rows: Rows) -> Rows:
    nodes(rows, "rank")[0]["parts"]["sum"] = ["tricks.0"]
    return rows


def grow_by_nothing(rows: Rows) -> Rows:
    nodes(rows, "rank")[0]["parts"]["grows"] = 0
    return rows


def too_many_rounds(rows: Rows) -> Rows:
    nodes(rows, "rank")[0]["parts"]["rounds"] = 10**6
    return rows


def too_many_deals(rows: Rows) -> Rows:
    nodes(rows, "unroll")[0]["parts"]["deals"] = 10**6
    return rows


def go_back(rows: Rows) -> Rows:
    """A state is followed by one that is listed before it."""
    nodes(rows, "states")[0]["parts"]["following"][-1] = [0]
    return rows


def start_elsewhere(rows: Rows) -> Rows:
    states = nodes(rows, "states")[0]["parts"]
    states["states"][0] = list(states["states"][1])
    return rows


def claim_something_else(rows: Rows) -> Rows:
    rows[0]["roots"][-1]["check"] = nodes(rows, "ends")[-1]["claim"] = "no-fault"
    return rows


def say_so_of_a_deal(rows: Rows) -> Rows:
    """That matches end is said to be shown of each deal."""
    goal = nodes(rows, "ends")[-1]
    goal.update(rule="match", premises=[goal["premises"][0], *nodes(rows, "rank")[0]["premises"]])
    return rows


def say_so_of_deals_that_are_not_played(rows: Rows) -> Rows:
    steps = [row["node"] for row in nodes(rows, "step")]
    for goal in nodes(rows, "ends"):
        goal.update(rule="match", premises=[goal["premises"][0], *steps])
    return rows


def leave_a_fault_open(rows: Rows) -> Rows:
    for row in nodes(rows, "path"):
        for obligation in row["parts"]["obligations"]:
            if obligation["halts"]:
                obligation["by"] = "open"
    return rows


def without_a_proof(rows: Rows) -> Rows:
    for goal in nodes(rows, "ends"):
        goal["premises"] = goal["premises"][:1]
    return rows


MALFORMED: dict[Callable[[Rows], Rows], tuple[str, str]] = {
    leave_out_that_it_is_the_last: (ONE_DEAL, "a part of a deal is left out"),
    leave_out_later_deals: (TO_UNROLL, "a part of a deal is left out"),
    leave_out_a_dealer: (TO_RANK, "is left out|steps of one choice"),
    count_cards: (TO_RANK, "not a sum of carried values"),
    grow_by_nothing: (TO_RANK, "by how much the number grows"),
    too_many_rounds: (TO_RANK, "by how much the number grows"),
    too_many_deals: (TO_UNROLL, "from 0 to 12 deals"),
    go_back: (TO_LIST, "not listed after it"),
    start_elsewhere: (TO_LIST, "not that in which a match starts"),
    claim_something_else: (TO_RANK, "not a claim about the end of a match"),
    say_so_of_a_deal: (TO_RANK, "not a claim about the end of a deal"),
    say_so_of_deals_that_are_not_played: (NO_DEAL, "can be over before its first deal"),
    leave_a_fault_open: (TO_RANK, "whether the rules fail is left open"),
    without_a_proof: (TO_RANK, "it has no step"),
}


@pytest.mark.parametrize("corrupt", MALFORMED, ids=lambda corrupt: corrupt.__name__)
def test_what_does_not_show_that_matches_end_is_malformed(corrupt: Callable[[Rows], Rows]) -> None:
    name, message = MALFORMED[corrupt]
    with pytest.raises(MalformedError, match=message):
        verified(corrupt(written(name)), name)


def clash(rows: Rows) -> Rows:
    """The certificate declares constants that are named like those of later deals."""
    for number in range(3):
        for mark in ("@", "@@"):
            rows.insert(1, {"declare": f"|deals before deal {number}{mark}|", "sort": "Int"})
    rows[0]["lines"] = len(rows) - 1
    return rows


def test_constants_of_later_deals_are_new() -> None:
    questions = list[str]()

    def ask(question: str) -> Second:
        questions.append(question)
        return answered(question)

    assert verified(clash(written(TO_RANK)), TO_RANK, ask).failed == []
    assert any("deals before deal 1@@@|" in question for question in questions)
