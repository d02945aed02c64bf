"""A certificate is verified without the prover, and a corrupted one is refused."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from budget import RUN
from checker.certified import Rows, answered, nodes, ruleset, shortened, verified, written
from checker.rulesets_for_tests import LIBRARY, documented
from trickproof.certificates import certificate, verifier
from trickproof.certificates.certificate import NO_CLAIM, REASONS, MalformedError, core_digest, read
from trickproof.certificates.second_solver import Second
from trickproof.certificates.verifier import verify
from trickproof.checks import NAMES

pytestmark = RUN


def test_a_certificate_holds() -> None:
    one = verified(written(), checks=NAMES)
    assert (one.failed, one.unknown) == ([], [])
    assert one.leaves > 100
    assert {"hand-size", "legal-play-exists", "trick-total", "target-total"} <= set(one.roots)
    assert {"zero-sum", "no-fault", "unique-winner", "end-reachable"} <= set(one.roots)
    assert one.not_certified["exchange-order-determined"] in REASONS
    assert {*one.roots, *one.refuted, *one.not_certified} == {*NAMES, "deal-with-pauses"}


def test_what_is_not_certified_is_not_left_to_the_certificate() -> None:
    rows = written()
    rows[0]["not_certified"] = []
    silent = verified(rows, checks=NAMES).not_certified
    assert silent["exchange-order-determined"] == NO_CLAIM
    rows[0]["not_certified"] = [
        {"check": name, "reason": "all is well"} for name in (*NAMES, "hand-size", "nothing of the kind")
    ]
    assert verified(rows, checks=NAMES).not_certified == silent


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARY.documented())
def test_documented_rulesets_are_certified(name: str) -> None:
    one = verified(written(name), name)
    assert (one.failed, one.unknown) == ([], [])
    assert {"cards-conserved", "hand-size", "legal-play-exists", "no-fault"} <= set(one.roots)


def test_readings_are_those_of_the_program() -> None:
    rows = written("readings")
    assert any(row["parts"].get("declared") == ["reading", "lead"] for row in nodes(rows, "split"))
    assert verified(rows, "readings").failed == []


def test_values_that_no_rule_tells_apart_are_shown_together() -> None:
    rows = written("eightieth-value")
    (split, *_) = nodes(rows, "split")
    assert len(split["premises"]) == 90
    assert len(set(split["premises"])) == 2
    assert {row["parts"]["parameters"]["stake"] for row in nodes(rows, "step")} == set(range(1, 91))
    one = verified(rows, "eightieth-value")
    assert (one.failed, one.unknown) == ([], [])
    assert {"hand-size", "no-fault"} <= set(one.roots)


def test_every_ruleset_of_a_file_is_verified() -> None:
    rows = [*written(), *written()]
    assert [
        one.ruleset for one in verify(map(json.dumps, rows), lambda *_: ruleset("six-over"), ask=answered)
    ] == [
        "six-over",
        "six-over",
    ]


def test_a_solver_that_gives_up_shows_nothing() -> None:
    lines = map(json.dumps, written())
    (one,) = verify(lines, lambda *_: ruleset("six-over"), ask=lambda _: Second("cvc5", None))
    assert one.unknown
    assert one.failed == []


# --------------------------------------------------------------------------------------------------------- corruptions


def drop_a_case(rows: Rows) -> Rows:
    nodes(rows, "split")[0]["premises"].pop()
    return rows


def drop_a_condition(rows: Rows) -> Rows:
    """A case of several is dropped with its premise, so that their numbers fit."""
    split = next(row for row in nodes(rows, "split") if len(row["parts"].get("cases", ())) > 1)
    split["parts"]["cases"].pop()
    split["premises"].pop()
    return rows


def swap_cases(rows: Rows) -> Rows:
    pruned = {row["node"] for row in nodes(rows, "unsat")}
    split = next(row for row in nodes(rows, "split") if pruned & set(row["premises"]))
    split["premises"].reverse()
    return rows


def weaken_a_step(rows: Rows) -> Rows:
    """What is known of the cards on every way is left out."""
    for row in nodes(rows, "path"):
        row["parts"]["counts"] = ["true"] * len(row["parts"]["counts"])
    return rows


def weaken_a_part(rows: Rows) -> Rows:
    """What is known of the cards is defined so that it says nothing."""
    known = {name for row in nodes(rows, "path") for name in row["parts"]["counts"]}
    for row in rows:
        if row.get("part") in known:
            row["term"] = f"(or true {row['term']})"
    return rows


def another_program(rows: Rows) -> Rows:
    rows[0]["core"] = core_digest(documented("pagat").program)
    return rows


def parts_of_another(rows: Rows) -> Rows:
    """All parts are those of another ruleset."""
    others = [row for row in written("readings") if "declare" in row or "part" in row]
    return shortened([rows[0], *others, *(row for row in rows if "node" in row)])


def false_on_a_way(rows: Rows) -> Rows:
    nodes(rows, "path")[-1]["parts"]["facts"].append("false")
    return rows


def false_as_a_part(rows: Rows) -> Rows:
    rows.insert(1, {"part": "t999999", "sort": "Bool", "term": "(and true false)"})
    for row in nodes(rows, "path"):
        row["parts"]["counts"].append("t999999")
    return shortened(rows)


def false_instead_of_a_way(rows: Rows) -> Rows:
    """A way that can be gone is said to be none, because of a fact that cannot hold."""
    rows.insert(1, {"part": "t999999", "sort": "Bool", "term": "(not true)"})
    row = nodes(rows, "path")[0]
    row |= {"rule": "unsat", "parts": {"facts": ["t999999"]}}
    return shortened(rows)


def impossible_in_bits_alone(rows: Rows) -> Rows:
    """A way that can be gone is said to be none, which cards alone contradict, and numbers do not."""
    rows.insert(1, {"part": "t999999", "sort": "Bool", "term": "(not true)"})
    row = nodes(rows, "path")[0]
    kept = {half: row["parts"][half] for half in ("facts", "counts")}
    row |= {"rule": "unsat", "parts": {**kept, "bits": ["t999999"]}}
    return shortened(rows)


def judge_before_anything_is_known(rows: Rows) -> Rows:
    for row in nodes(rows, "path"):
        for obligation in row["parts"]["obligations"]:
            obligation["known"] = [0, 0, 0]
    return rows


def know_what_is_not_there(rows: Rows) -> Rows:
    way = next(row for row in nodes(rows, "path") if row["parts"]["obligations"])
    way["parts"]["obligations"][0]["known"][1] += 10**6
    return rows


def assume(rows: Rows) -> Rows:
    nodes(rows, "path")[0] |= {"rule": "assumption", "parts": {}}
    return rows


def swap_parts(rows: Rows) -> Rows:
    """What is claimed and what is known change places."""
    row = next(row for row in nodes(rows, "path") if row["parts"]["obligations"] and row["parts"]["facts"])
    first = row["parts"]["obligations"][0]
    row["parts"]["facts"][0], first["counts"], first["bits"] = (
        first["counts"],
        row["parts"]["facts"][0],
        "true",
    )
    first["by"] = "counts"
    return rows


def a_range_one_short(rows: Rows) -> Rows:
    for row in nodes(rows, "split"):
        if "declared" in row["parts"]:
            row["parts"]["values"].pop()
            row["premises"].pop()
    return rows


def cut_off(rows: Rows) -> Rows:
    return rows[:-1]


def leave_out_a_goal(rows: Rows) -> Rows:
    """One is shown twice instead."""
    first, *_, last = nodes(rows, "conjunct")
    last["claim"] = first["claim"]
    return rows


def claim_more(rows: Rows) -> Rows:
    root = {"check": "terminates", "verdict": "proved", "parameters": {}, "readings": []}
    rows[0]["roots"].append(root)
    return rows


def claim_what_no_deal_shows(rows: Rows) -> Rows:
    """A claim about matches is said to be shown by the induction over deals."""
    claim_more(rows)
    last = rows[-1]["node"] + 1
    joint = nodes(rows, "deals")[0]["node"]
    rows.append({"node": last, "rule": "conjunct", "claim": "terminates", "premises": [joint], "parts": {}})
    return shortened(rows)


def claim_what_is_never_stated(rows: Rows) -> Rows:
    """The obligations of a claim are said to be those of another."""
    for row in nodes(rows, "path"):
        for obligation in row["parts"]["obligations"]:
            if obligation["goal"] == "target-total":
                obligation["goal"] = "cards-conserved"
    return rows


def claim_a_refutation(rows: Rows) -> Rows:
    rows[0]["roots"][0]["verdict"] = "refuted"
    return rows


def leave_open(rows: Rows) -> Rows:
    way = next(row for row in nodes(rows, "path") if row["parts"]["obligations"])
    way["parts"]["obligations"][0] |= {"by": "open", "goal": rows[0]["roots"][0]["check"]}
    return rows


def go_round_in_circles(rows: Rows) -> Rows:
    split = nodes(rows, "split")[0]
    split["premises"][0] = split["node"]
    return rows


def rest_on_nothing_there(rows: Rows) -> Rows:
    nodes(rows, "split")[0]["premises"][0] = 10**6
    return rows


def name_a_term(rows: Rows) -> Rows:
    nodes(rows, "path")[0]["parts"]["facts"].append("(> 1 2)")
    return rows


def smuggle_a_command(rows: Rows) -> Rows:
    next(row for row in rows if "part" in row)["term"] = "true) (assert false"
    return rows


def leave_out_an_entry(rows: Rows) -> Rows:
    way = next(row for row in nodes(rows, "path") if row["parts"]["entry"])
    way["parts"]["entry"].pop()
    return rows


def leave_out_the_rounds(rows: Rows) -> Rows:
    rounds = next(row for row in nodes(rows, "segment") if row["claim"] == "round")
    nodes(rows, "deals")[0]["premises"].remove(rounds["node"])
    return rows


def another_version(rows: Rows) -> Rows:
    rows[0]["certificate"] = 1
    return rows


MALFORMED: dict[Callable[[Rows], Rows], str] = {
    drop_a_case: "cases have . proofs",
    drop_a_condition: "no proof uses it",
    another_program: "other rules than those that were checked",
    parts_of_another: "is neither true nor false|no part is called",
    assume: "no rule `assumption`",
    cut_off: "ends 1 line too soon",
    leave_out_a_goal: "the checks that it claims are not those that it proves",
    claim_more: "the checks that it claims are not those that it proves",
    claim_what_no_deal_shows: "is not a claim about single deals",
    claim_what_is_never_stated: "`target-total` is stated in no deal",
    claim_a_refutation: "the checks that it claims are not those that it proves",
    leave_open: "is claimed, and a part of its proof",
    go_round_in_circles: "a premise is not a node before it",
    rest_on_nothing_there: "a premise is not a node before it",
    name_a_term: "no part is called",
    smuggle_a_command: "it is not one term|its brackets|not defined",
    leave_out_an_entry: "is not all proved where the loop is reached",
    leave_out_the_rounds: "is left out",
    another_version: "not a certificate of version 4",
    know_what_is_not_there: "more facts than there are",
}


@pytest.mark.parametrize("corrupt", MALFORMED, ids=lambda corrupt: corrupt.__name__)
def test_what_is_no_proof_is_malformed(corrupt: Callable[[Rows], Rows]) -> None:
    with pytest.raises(MalformedError, match=MALFORMED[corrupt]) as wrong:
        verified(corrupt(written()))
    assert str(wrong.value).startswith("line ")


def test_a_range_that_is_one_short_is_malformed() -> None:
    with pytest.raises(MalformedError, match="not those that the program declares"):
        verified(a_range_one_short(written("readings")), "readings")


FAILING = (
    swap_cases,
    weaken_a_step,
    weaken_a_part,
    false_on_a_way,
    false_as_a_part,
    false_instead_of_a_way,
    impossible_in_bits_alone,
    judge_before_anything_is_known,
    swap_parts,
)


@pytest.mark.parametrize("corrupt", FAILING, ids=lambda corrupt: corrupt.__name__)
def test_a_proof_that_does_not_hold_fails(corrupt: Callable[[Rows], Rows]) -> None:
    assert verified(corrupt(written())).failed


def test_nothing_claimed_is_nothing_shown() -> None:
    (header, *_) = written()
    one = verified([{**header, "roots": [], "lines": 0}])
    assert (one.roots, one.leaves) == ((), 0)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"part": "t0"}', "\n"])
def test_what_is_no_certificate_is_malformed(text: str) -> None:
    with pytest.raises(MalformedError):
        list(read(text.splitlines(keepends=True)))


def test_what_takes_too_much_memory_or_depth_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    header, *rest = written()
    for row in (
        {"declare": "|huge|", "sort": "(_ BitVec 4000000000)"},
        {"part": "t99999", "sort": "Int", "term": "1" * 200},
        {"part": "t99999", "sort": "Bool", "term": "((_ zero_extend 4000000000) true)"},
    ):
        with pytest.raises(MalformedError, match=r"cannot be declared|is not read|are not read"):
            verified([{**header, "lines": len(rest) + 1}, row, *rest])
    with pytest.raises(MalformedError, match="has `roots`"):
        verified([{**header, "lines": -5}, *rest])
    with monkeypatch.context() as patch:
        patch.setattr(certificate, "MOST_CONSTANTS", 10)
        with pytest.raises(MalformedError, match="too many constants"):
            verified([header, *rest])
    monkeypatch.setattr(verifier, "DEEPEST", 0)
    with pytest.raises(MalformedError, match="within one another"):
        verified([header, *rest])
