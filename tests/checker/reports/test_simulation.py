"""Simulations, and two compared on the same deals, as JSON and text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from checker.rulesets_for_tests import documented
from checker.simulations import played, without
from trickproof.english.seats import seat_names
from trickproof.reports.simulation import (
    match_length,
    outcome_text,
    paired_document,
    paired_text,
    simulation_document,
)
from trickproof.reports.text import PLAIN, Page
from trickproof.simulate.ir.calling_convention import PYTHON
from trickproof.simulate.runtime.kernel import Kernel
from trickproof.simulate.statistics.estimates import Counts
from trickproof.simulate.statistics.outcome import LENGTH, Broken, Outcome, Paired
from trickproof.simulate.statistics.paired_difference import paired_differences, records
from trickproof.support.serialise import serialised
from trickproof.support.terminal import Terminal


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    document: dict[str, Any] = serialised(simulation_document(outcome))
    return document


def paired_json(found: Paired) -> dict[str, Any]:
    document: dict[str, Any] = serialised(paired_document(found))
    return document


def dumped(told: dict[str, Any]) -> str:
    """As strict JSON, which knows no infinity."""
    return json.dumps(told, allow_nan=False)


# ---------------------------------------------------------------------------------------- JSON and text


def test_seats_have_names() -> None:
    assert seat_names(2) == ("dealer", "other")
    assert seat_names(4) == ("dealer", "left", "opposite", "right")
    assert seat_names(5) == ("dealer", "left", "2 to the left", "2 to the right", "right")
    assert seat_names(6)[2:5] == ("2 to the left", "opposite", "2 to the right")


def test_json_keeps_the_contract() -> None:
    outcome = played()
    found = outcome_json(outcome)
    assert (found["ruleset"], found["hands"], found["policy"], found["seed"]) == ("pagat", 400, "random", 0)
    assert found["matches"] == outcome.counts.matches > 0
    assert sum(found["tricks_by_seat"]) == pytest.approx(16, abs=1e-5)
    assert set(found["match_length"]) == {"mean", "low", "high", "median", "p90"}
    assert len(found["win_share"]) == len(found["win_share_by_start"]) == len(found["seats"]) == 3
    assert [x["tricks"]["mean"] for x in found["seats"]] == found["tricks_by_seat"]
    assert [x["seat"] for x in found["seats"]] == ["dealer", "left", "right"]
    assert sum(found["exchange"]["distribution"]) == pytest.approx(1, abs=1e-4)
    assert found["hands_per_second"] is None
    assert dumped(found)


def test_only_the_speed_depends_on_the_machine() -> None:
    outcome = played()
    slow = outcome_json(replace(played(), seconds=0.5))
    assert slow.pop("hands_per_second") == 800
    fast = outcome_json(replace(outcome, seconds=0.0001))
    del fast["hands_per_second"]
    assert dumped(slow) == dumped(fast)


def test_policies_that_differ_are_told_by_seat() -> None:
    outcome = replace(played(), policies=("greedy", "random", "random"))
    assert outcome_json(outcome)["policy"] == {"dealer": "greedy", "left": "random", "right": "random"}
    assert "dealer greedy, left random, right random" in outcome_text(outcome)


def test_text_of_a_run() -> None:
    outcome = replace(played("nine-five-two", 2000), seconds=0.001)
    lines = outcome_text(outcome).splitlines()
    matches = f"{outcome.counts.matches} matches"
    assert lines[0] == (f"nine-five-two · goal 10 · random · 2,000 deals, {matches} · seed 0")
    assert max(map(len, lines[1:])) <= PLAIN.width
    assert lines[3].split() == ["=", "score"]
    assert [line.split()[0] for line in lines[5:8]] == ["dealer", "left", "right"]
    assert re.search(
        r"match length: \d\.\d \(\d\.\d to \d\.\d\) deals, median \d, 90th percentile 1\d", "\n".join(lines)
    )
    assert "final score" in outcome_text(outcome)
    assert "note: results depend on the policy (here: random)" in outcome_text(outcome)
    assert lines[-1] == "note: sd is the standard deviation"
    assert "rough" not in outcome_text(outcome)


@pytest.mark.parametrize("width", [60, 80])
def test_a_seat_has_one_line_on_a_narrow_page(width: int) -> None:
    page = Page(Terminal(columns=lambda: width))
    text = outcome_text(played("nine-five-two", 2000), page)
    lines = [line for line in text.splitlines() if re.match("dealer|left|right", line)]
    assert len(lines) == 6
    assert all("±" in line and "(" not in line for line in lines)
    assert max(map(len, text.splitlines())) <= width


def test_no_figures_per_match_where_many_stop_before_their_end() -> None:
    counts = played(hands=500).counts
    totals = list(counts.totals)
    totals[counts.plan.offsets["broken"]] = 5
    stopped = Counts(counts.plan, totals)
    assert "matches ended and 5 others stopped before their end" in match_length(stopped)
    assert match_length(counts).startswith("match length: ")


def test_text_warns_of_what_is_rough_or_missing() -> None:
    broken = (Broken("tie", "", 7, 1), Broken("no-card", "trump", 12, 30))
    outcome = replace(
        played(hands=100), backend=PYTHON, breakdowns=broken, left_out=("matches 3 to 5: lost",)
    )
    text = " ".join(outcome_text(outcome).split())
    assert "only 3 matches ended, too few for figures per match" in text
    assert "too few deals for intervals" in text
    assert "few matches ended; the figures per match are rough" in outcome_text(played(hands=500))
    assert text.index("(the suit or rank of no card; in rule trump, line 12)") < text.index(
        "(a tie that the rules"
    )
    assert "not played: matches 3 to 5: lost" in text
    assert "played in plain Python" in text
    assert "llvmlite" not in outcome_text(replace(outcome, backend="llvm"))


def test_nothing_played_is_told_without_figures() -> None:
    outcome = without(played())
    found = outcome_json(outcome)
    assert found["match_length"] == {"mean": None, "low": 1.0, "high": None, "median": None, "p90": None}
    assert found["seats"][0]["deviation"] == {"mean": 0.0, "low": None, "high": None, "sd": 0.0}
    assert dumped(found)
    text = outcome_text(outcome)
    assert text.endswith("\n\nno match was completed")
    assert "tricks" not in text
    assert "note: not played: matches 1 to 5: lost" in outcome_text(
        replace(outcome, left_out=("matches 1 to 5: lost",))
    )


def test_no_match_ended() -> None:
    assert "no match ended; a match probably takes more than " in outcome_text(played(hands=2))


def test_few_completed_matches_have_no_quantiles() -> None:
    few, many = played(hands=100), played("nine-five-two", 2000)
    assert 0 < few.counts.matches < 10 <= many.counts.matches
    assert "median" not in outcome_text(few)
    assert "median" in outcome_text(many)


def paired() -> Paired:
    """Two rulesets, the same twelve matches."""
    outcomes: list[Outcome] = []
    found: list[list[tuple[int, ...]]] = []
    for name in ("pagat", "pagat-kitty-first"):
        kernel = Kernel(documented(name).program, records=True)
        chunk = kernel.play(0, 0, 12, 10**6)
        counts = Counts(kernel.compiled.counters, chunk.totals)
        found.append(records(chunk.notes, counts.plan.measures))
        outcomes.append(replace(played(name, 0), counts=counts, hands=chunk.hands))
    (a, b), measures = outcomes, outcomes[0].counts.plan.measures
    return Paired(a, b, paired_differences(found[0], found[1], measures))


def test_records_add_up_to_the_totals_and_comparisons_are_told() -> None:
    found = paired()
    a, b = found.a.counts, found.b.counts
    for name, difference in found.differences.items():
        if name != LENGTH:
            assert difference.mean == pytest.approx(b.measure(name).mean - a.measure(name).mean)
    difference = paired_json(found)["difference"]
    assert sum(x["mean"] for x in difference["tricks_by_seat"]) == pytest.approx(0, abs=1e-5)
    assert set(difference["match_length"]) == {"mean", "low", "high"}
    assert dumped(paired_json(found))
    lines = paired_text(found).splitlines()
    assert "both played 12 whole matches, each from the same cards; unfinished matches" in paired_text(found)
    assert [line[:4] for line in lines[:2]] == ["A: p", "B: p"]
    assert re.match(r"tricks, dealer +\d\.\d\d +\d\.\d\d +[+-]\d\.\d\d \([+-]", lines[5])
