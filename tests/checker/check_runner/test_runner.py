"""Findings as a whole: the documented rulesets are clean but for what is known, output is stable, exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest

from budget import RUN
from checker.rulesets_for_tests import LIBRARY, ROOT, SESSION, documented, foreign, found, house, rule
from trickproof.check_runner.findings_cache import user_cache
from trickproof.check_runner.known_issues import check_names, stale_known
from trickproof.check_runner.runner import check_all
from trickproof.checking.finding import Finding, Recheck
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Method, Verdict
from trickproof.checks import NAMES, all_checks, manuals
from trickproof.cli.commands.check import exit_code
from trickproof.reports.findings import Detail, report, summary
from trickproof.support.serialise import serialised
from trickproof.testing.random_play import ENOUGH
from trickproof_dsl.library import Ruleset

IDS = sorted(path.stem for path in (ROOT / "rulesets").glob("*.yaml"))


EACH = [
    pytest.param(
        name, marks=() if name == "pagat" else RUN if name in ("six-over", "shawn-51") else pytest.mark.slow
    )
    for name in IDS
]
"""Slow are those whose proofs take long, or of which another has all that they have."""


pytestmark = pytest.mark.usefixtures("shared_cache")


@cache
def findings_of(name: str) -> list[Finding]:
    """All findings about a documented ruleset, worked out once in a run."""
    with patch("trickproof.check_runner.runner.ProofSession", lambda: SESSION):
        ((_, findings),) = check_all([documented(name)], workers=1, cache=user_cache(ENOUGH)).findings
    return findings


def finding(name: str, check: str) -> Finding:
    return next(finding for finding in findings_of(name) if finding.check == check)


@pytest.mark.parametrize("name", EACH)
def test_documented_rulesets_hold_but_for_what_is_known(name: str) -> None:
    findings = findings_of(name)
    assert tuple(f.check for f in findings)[: len(NAMES)] == NAMES
    assert [f"{f.check}: {f.message}" for f in findings if f.verdict.negative and not f.known] == []
    assert not any(f.verdict is Verdict.UNDECIDED for f in findings)
    assert stale_known(documented(name), findings) == []
    assert exit_code(findings) == 0


@pytest.mark.parametrize(
    ("name", "verdict", "method", "text"),
    [
        ("pagat", Verdict.PROVED, Method.SMT, "exactly one player has won"),
        pytest.param(
            *("trumpet-major", Verdict.PROVED, Method.SMT, "exactly one player has won"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *("pagat-all-sixteen", Verdict.PROVED, Method.SMT, "exactly one player has won"),
            marks=pytest.mark.slow,
        ),
        pytest.param(*("six-over", Verdict.PROVED, Method.SMT, "exactly one player has won"), marks=RUN),
        pytest.param(
            "shawn-51",
            Verdict.REFUTED,
            Method.SMT,
            "the match can end after 4 deals without exactly one winner: players 1 and 2",
            marks=RUN,
        ),
        pytest.param(
            *("nine-five-two", Verdict.REFUTED, Method.SMT, "after 4 deals"), marks=pytest.mark.slow
        ),
        pytest.param(*("tallyn", Verdict.REFUTED, Method.SMT, "after 3 deals"), marks=pytest.mark.slow),
    ],
)
def test_unique_winner(name: str, verdict: Verdict, method: Method, text: str) -> None:
    found = finding(name, "unique-winner")
    assert (found.verdict, found.method) == (verdict, method)
    assert text in found.message


@RUN
def test_ten_points_with_eight_five_three() -> None:
    """Known answer: with 16 tricks and 8-5-3 two players can pass +10 together, in 4 hands and not before."""
    body = """\
        rules:
          scoring:
            rule: |
              for p in players:
                  over of p becomes tricks of p - target of p
                  score of p becomes score of p + over of p
            assumes: a test
          end: {rule: some player has score >= 10, assumes: a test}
          winner: {rule: players with score >= 10, assumes: a test}
        """
    (one,) = found(house(body), ["unique-winner"])
    assert one.verdict is Verdict.REFUTED
    assert "after 4 deals" in one.message
    assert one.witness is not None
    scores = one.witness["scores"]
    assert isinstance(scores, list)
    assert sum(scores) == 0
    assert max(scores) < 10


@RUN
def test_four_over_would_not_do() -> None:
    body = """\
        rules:
          end: {rule: some player has over >= 4, assumes: a test}
          winner: {rule: players with over >= 4, assumes: a test}
        """
    (one,) = found(house(body), ["unique-winner"])
    assert one.verdict is Verdict.REFUTED
    assert "after the first deal" in one.message


@RUN
def test_ends_and_sums() -> None:
    assert "after the first deal" in finding("pagat", "end-reachable").message
    reachable, sums = sorted(
        found(documented("tallyn"), ["end-reachable", "zero-sum"]), key=lambda one: one.check
    )
    assert "after 2 deals" in reachable.message
    assert finding("pagat", "zero-sum").verdict is Verdict.PROVED
    assert sums.method is Method.INDUCTION
    assert finding("six-over", "examples-agree").verdict is Verdict.REFUTED
    (examples,) = found(documented("weaver-four"), ["examples-agree"])
    assert examples.verdict is Verdict.PROVED


def test_an_example_that_was_known_to_be_wrong_and_agrees_is_told() -> None:
    example = (
        "one: {assumes: x, known: it is wrong, given: {tricks: [12, 2, 2]}, run: end, then: {value: VALUE}}"
    )
    for value, verdict, told in (("true", Verdict.PROVED, True), ("false", Verdict.REFUTED, False)):
        ruleset = house("examples:\n  " + example.replace("VALUE", value) + "\n")
        (examples,) = found(ruleset, ["examples-agree"])
        assert (examples.verdict, examples.known) == (verdict, not told)
        assert ("(`one` recorded as known, but no longer so)" in examples.message) == told


@pytest.mark.parametrize("name", EACH)
def test_targets_sum_to_the_tricks(name: str) -> None:
    assert finding(name, "target-total").verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "name",
    [
        "lowest-takes",
        pytest.param("draw-two", marks=pytest.mark.slow),
        pytest.param("forty-in-pairs", marks=pytest.mark.slow),
    ],
)
@RUN
def test_what_applies_to_games_of_other_families(name: str) -> None:
    holds_of_another_family(found(foreign(name), ["target-total", "exchange-feasible", "end-reachable"]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lowest-takes", "draw-two", "forty-in-pairs"])
def test_games_of_other_families(name: str) -> None:
    holds_of_another_family(found(foreign(name)))


def holds_of_another_family(all_findings: list[Finding]) -> None:
    findings = {f.check: f for f in all_findings}
    assert not any(f.verdict.negative and not f.known for f in findings.values())
    assert findings["target-total"].verdict is Verdict.NOT_APPLICABLE
    assert findings["exchange-feasible"].verdict is Verdict.NOT_APPLICABLE
    assert findings["end-reachable"].verdict is Verdict.PROVED


def without_times(findings: list[Finding]) -> list[dict[str, object]]:
    return [serialised(f) | {"seconds": 0} for f in findings]


STABLE = """
import json, sys
from checker.bank import BANK, loaded
from checker.rulesets_for_tests import documented, found
findings = found(documented("tallyn"))
findings += found(loaded(BANK / "one-trick-winner/highest-of-any-suit.yaml"), ["one-trick-winner"])
from trickproof.support.serialise import serialised
print(json.dumps([serialised(f) | {"seconds": 0} for f in findings]))
"""


@pytest.mark.slow
def test_same_bytes_each_time() -> None:
    paths = os.pathsep.join(str(ROOT / part) for part in ("dsl", "checker", "tests"))
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", STABLE],
            env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    outputs = [run.communicate()[0] for run in runs]
    assert outputs[0] == outputs[1]
    found = json.loads(outputs[0])
    assert next(f for f in found if f["check"] == "unique-winner")["witness"]


@RUN
def test_one_process_or_two() -> None:
    rulesets, only = [documented("six-over"), documented("pagat")], ["zero-sum", "end-reachable"]
    for ruleset, findings in check_all(rulesets, only, workers=2).findings:
        assert [finding.check for finding in findings] == only
        assert without_times(findings) == without_times([finding(ruleset.id, name) for name in only])


def test_exit_codes() -> None:
    proved = Finding("a", Verdict.PROVED, Method.SMT, "")
    undecided = Finding("b", Verdict.UNDECIDED, Method.SMT, "")
    refuted = Finding("c", Verdict.REFUTED, Method.SMT, "")
    known = Finding("c", Verdict.REFUTED, Method.SMT, "", known=True)
    assert exit_code([proved, known]) == 0
    assert exit_code([proved, undecided]) == 3
    assert exit_code([refuted, undecided]) == 1


@RUN
def test_known_that_no_longer_holds_is_told() -> None:
    ruleset = house("known:\n  zero-sum: it leaks\n  zero-some: no such check\n")
    findings = found(ruleset, ["zero-sum"])
    assert findings[0].verdict is Verdict.PROVED
    assert "no longer" in findings[0].message
    assert stale_known(ruleset, findings) == ["zero-sum", "zero-some"]
    assert "note: `zero-some`" in report([(ruleset, findings)])


@RUN
def test_known_flaws_do_not_fail() -> None:
    body = rule("payout", "for p in players:\n    payout of p becomes over of p + 1")
    findings = found(house(f"{body}\nknown:\n  zero-sum: it leaks\n"), ["zero-sum"])
    assert findings[0].known
    assert findings[0].reason == "it leaks"
    assert exit_code(findings) == 0


@RUN
def test_only_and_names() -> None:
    ruleset = documented("nine-five-two")
    assert [f.check for f in found(ruleset, ["zero-sum", "scores-sum-to-zero"])] == [
        "zero-sum",
        "scores-sum-to-zero",
    ]
    assert check_names(ruleset) == [*NAMES, "scores-sum-to-zero"]


def test_every_check_has_a_manual() -> None:
    assert tuple(manuals()) == NAMES
    for name, manual in manuals().items():
        assert manual.startswith(f"`{name}`: ")
        assert len(manual.split()) > 25


def test_a_check_is_called_like_its_file() -> None:
    assert tuple(check.name for check in all_checks()) == NAMES


def checked(names: list[str]) -> list[tuple[Ruleset, list[Finding]]]:
    return [(documented(name), findings_of(name)) for name in names]


def test_report() -> None:
    text = report(checked(["pagat", "six-over"]))
    pagat, six = (
        sum(x.verdict is Verdict.PROVED for x in findings_of(name)) for name in ("pagat", "six-over")
    )
    assert f"pagat: passed, {pagat} proved" in text
    assert "proved  " not in text
    assert re.search(r"examples-agree +refuted +known: the page calls a player", text)
    assert text.splitlines()[-2] == summary(checked(["pagat", "six-over"]))
    assert text.endswith("Next, see what is proved: trickproof check pagat six-over -v")
    assert max(map(len, text.splitlines())) <= 100
    listed = report(checked(["six-over"]), Detail(1))
    assert (
        f"six-over: passed, {six} proved, 1 unspecified (known), 2 refuted (known) · Sergeant Major" in listed
    )
    assert "Counterexample" not in listed
    assert re.search(r"cards-conserved +proved +\[", listed)
    evidence = report(checked(["six-over"]), Detail(2))
    assert "cites six-over.s29" in evidence
    assert "(known: the page calls a player" in " ".join(evidence.split())
    assert "Counterexample:" in evidence
    assert "        Dealer  ♣" in evidence
    assert "{" not in evidence
    assert report(checked(["six-over"]), Detail(quiet=True)) == ""


def test_quietly_the_second_solver_is_heard_only_where_it_gives_up() -> None:
    ((pagat, findings),) = checked(["pagat"])
    agreed = [replace(x, recheck=Recheck("cvc5", 3, 3, 0)) for x in findings]
    assert "rechecked: cvc5 agrees on 3 questions" in report([(pagat, agreed)])
    assert report([(pagat, agreed)], Detail(quiet=True)) == ""
    gave_up = [replace(agreed[0], recheck=Recheck("cvc5", 3, 2, 1)), *agreed[1:]]
    quiet = report([(pagat, gave_up)], Detail(quiet=True))
    assert quiet.count("rechecked") == 1
    assert "(1 gave up)" in quiet


def test_what_is_suggested_shows_something_new_if_nothing_is_proved() -> None:
    ((six_over, findings),) = checked(["six-over"])
    known = [x for x in findings if x.known]
    assert report([(six_over, known)]).endswith("Next, see the evidence: trickproof check six-over -vv")
    assert report([(six_over, [])]).endswith("-vv")
    saved = Detail(saved={("six-over", "end-reachable"): "here.jsonl"})
    assert report([(six_over, findings)], saved).endswith("Next, replay a deal: trickproof replay here.jsonl")


def test_no_deal_is_drawn_where_the_numbers_of_the_rule_say_it_all() -> None:
    ruleset = house(rule("targets", "for p in players:\n    target of p becomes 6"))
    where = ruleset.whole.rules["targets"].name.span
    message = "the targets are 6 + 6 + 6 = 18; a deal has 16 tricks"
    deal = {"ruleset": "house.yaml", "seed": 1}
    sums = Finding("target-total", Verdict.REFUTED, Method.SIMULATION, message, where, witness=deal)
    assert "Counterexample" not in report([(ruleset, [sums])])
    assert "Counterexample:" in report([(ruleset, [sums])], Detail(2))
    assert "Counterexample:" in report([(ruleset, [replace(sums, where=None)])])


def test_a_file_that_is_not_named_like_its_ruleset_is_named() -> None:
    pagat = documented("pagat")
    copied = replace(pagat, path=Path("mine/pagat-b.yaml"))
    assert report([(copied, [])]).startswith("pagat (mine/pagat-b.yaml): passed")
    assert report([(pagat, [])]).startswith("pagat: passed")


def test_the_worst_comes_first() -> None:
    (pagat, of_pagat), (six_over, of_six_over) = checked(["pagat", "six-over"])
    new = replace(next(x for x in of_six_over if x.check == "examples-agree"), known=False)
    findings = [x for x in of_six_over if x.check != new.check]
    text = report([(pagat, of_pagat), (six_over, [*findings, new])])
    assert text.startswith("six-over: failed")
    assert text.index(new.check) < text.index("rules-complete") < text.index("pagat: passed")
    assert "trickproof check six-over --only examples-agree --save-witness DIR" in " ".join(
        text.replace("\\\n", "").split()
    )
    saved = report([(six_over, [*findings, new])], Detail(saved={("six-over", new.check): "here.jsonl"}))
    assert saved.count("trickproof replay here.jsonl") == 2
    quiet = report([(pagat, of_pagat), (six_over, [*findings, new])], Detail(quiet=True))
    assert quiet.splitlines()[0] == text.splitlines()[0]
    assert "pagat" not in quiet
    assert new.check in quiet


def test_library_is_shared() -> None:
    assert set(IDS) <= set(LIBRARY.ruleset_paths())


def test_every_check_is_told_as_it_begins() -> None:
    told: list[str] = []
    SESSION.watch = told.append
    try:
        found(documented("pagat"), ["target-total", "hand-size"], 0)
    finally:
        SESSION.watch = str
    assert told == ["hand-size, 1 of 2", "target-total, 2 of 2"]


def test_a_process_that_inherited_a_session_tells_nothing() -> None:
    mine = ProofSession(watch=list)
    inherited = ProofSession(watch=list, process=mine.process + 1)
    assert mine.itself().watch is list
    assert inherited.itself().watch is str
