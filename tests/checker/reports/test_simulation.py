"""How simulations are told: JSON, text, comparisons on the same deals, and figures."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from math import inf, sqrt
from typing import Any

import pytest

from checker.rulesets_for_tests import documented
from trickproof.reports import simulation as report
from trickproof.reports.documents.simulation import paired_document, simulation_document
from trickproof.reports.simulation import outcome_text, paired_text
from trickproof.reports.svg.charts import figure, sweep_figure
from trickproof.reports.svg.primitives import axis_number, ticks
from trickproof.reports.text import PLAIN
from trickproof.simulate.ir.calling_convention import PYTHON
from trickproof.simulate.runtime.kernel import Kernel
from trickproof.simulate.statistics.estimates import Counts
from trickproof.simulate.statistics.outcome import LENGTH, Broken, Outcome, Paired, seat_names
from trickproof.simulate.statistics.paired_difference import paired_differences, records
from trickproof.support.confidence_intervals import Estimate, Z, mean_of
from trickproof.support.serialise import serialised


@cache
def kernel_of(name: str) -> Kernel:
    return Kernel(documented(name).program)


def played(name: str = "pagat", hands: int = 400) -> Outcome:
    """A few hands, in plain Python or compiled: that makes no difference."""
    ruleset = documented(name)
    kernel = kernel_of(name)
    found = kernel.play(0, 0, 10**9, hands)
    counts = Counts(kernel.compiled.plan, found.totals)
    given = {key: values[0] for key, values in ruleset.program.parameters.items()}
    return Outcome(name, ruleset.title, ("random",), 0, "llvm", given, {}, counts, (), (), 0.0, found.hands)


def without(outcome: Outcome) -> Outcome:
    """The same with nothing counted."""
    return replace(outcome, hands=0, counts=Counts(outcome.counts.plan, [0] * outcome.counts.plan.size))


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
    assert lines[0] == (f"nine-five-two · goal 10 · random · 2,000 hands, {matches} · seed 0 · llvm")
    assert max(map(len, lines[1:])) <= PLAIN.width
    assert [line.split()[0] for line in lines[4:7]] == ["dealer", "left", "right"]
    assert re.search(
        r"match length: \d\.\d \(\d\.\d to \d\.\d\) hands, median \d, 9 of 10 take 1\d or", "\n".join(lines)
    )
    assert "score at the end" in outcome_text(outcome)
    assert "note: every figure is for this policy (random): others change it" in outcome_text(outcome)
    assert "rough" not in outcome_text(outcome)


def test_text_warns_of_what_is_rough_or_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "best_backend", lambda: PYTHON)
    broken = (Broken("tie", "", 7, 1), Broken("no-card", "trump", 12, 30))
    outcome = replace(
        played(hands=100), backend=PYTHON, breakdowns=broken, left_out=("matches 3 to 5: lost",)
    )
    text = outcome_text(outcome)
    assert "few matches ended; what is said of matches is rough" in text
    assert text.index("30 hands (no-card, in rule trump, line 12)") < text.index("1 hand (tie, line 7)")
    assert "not played: matches 3 to 5: lost" in text
    assert "plain Python, since llvmlite is not installed" in text
    assert "llvmlite" not in outcome_text(replace(outcome, backend="llvm"))


def test_nothing_played_is_told_without_figures() -> None:
    outcome = without(played())
    found = outcome_json(outcome)
    assert found["match_length"] == {"mean": None, "low": 1.0, "high": None, "median": None, "p90": None}
    assert found["seats"][0]["deviation"] == {"mean": 0.0, "low": None, "high": None, "sd": 0.0}
    assert dumped(found)
    assert "tricks" not in outcome_text(outcome).split("note:")[0]


def test_no_match_ended() -> None:
    assert "no match ended, so probably " in outcome_text(played(hands=2))


# ------------------------------------------------------------------------------------------- same deals


A = [(1, 2, 10), (1, 4, 26), (0, 3, 15)]
B = [(1, 3, 12), (1, 2, 10), (1, 4, 20)]
"""Matches: ended, hands, tricks."""


def test_paired_differences_by_hand() -> None:
    """A: 51 tricks in 9 hands, B: 42 in 9; three hands a match on average under both."""
    found = paired_differences(A, B, ["tricks.0"])
    ra, rb = 51 / 9, 42 / 9
    parts = [(b[2] - rb * b[1]) / 3 - (a[2] - ra * a[1]) / 3 for a, b in zip(A, B, strict=True)]
    half = Z * sqrt(sum(x * x for x in parts) / 2 / 3)
    assert found["tricks.0"].mean == pytest.approx(-1)
    assert found["tricks.0"].high == pytest.approx(-1 + half)
    assert found["tricks.0"].low == pytest.approx(-1 - half)
    assert found[LENGTH] == mean_of([1, -2])


def test_paired_with_itself_there_is_no_difference() -> None:
    found = paired_differences(A, A, ["tricks.0"])
    assert found == {"tricks.0": Estimate(0, 0, 0), LENGTH: Estimate(0, 0, 0)}


def test_pairs_that_are_none() -> None:
    assert paired_differences([], [], ["x"]) == {"x": Estimate(0, -inf, inf), LENGTH: Estimate(0, -inf, inf)}
    assert paired_differences(A[:1], B[:1], ["x"])["x"] == Estimate(-1, -inf, inf)
    assert paired_differences([(0, 0, 0)] * 2, A[:2], ["x"])["x"].high == inf
    with pytest.raises(ValueError, match="3 matches cannot be compared with 2"):
        paired_differences(A, B[:2], ["x"])


def paired() -> Paired:
    """Two rulesets, the same twelve matches."""
    outcomes: list[Outcome] = []
    found: list[list[tuple[int, ...]]] = []
    for name in ("pagat", "pagat-kitty-first"):
        kernel = Kernel(documented(name).program, records=True)
        stretch = kernel.play(0, 0, 12, 10**6)
        counts = Counts(kernel.compiled.plan, stretch.totals)
        found.append(records(stretch.notes, counts.plan.measures))
        outcomes.append(replace(played(name, 0), counts=counts, hands=stretch.hands))
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
    assert [line[:4] for line in lines[:2]] == ["A: p", "B: p"]
    assert re.match(r"tricks, dealer +\d\.\d\d +\d\.\d\d +[+-]\d\.\d\d \([+-]", lines[5])


# ---------------------------------------------------------------------------------------------- figures

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> ET.Element:
    """The figure, in which everything lies in the picture."""
    root = ET.fromstring(text)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for node in root.iter():
        for x, y in (("x", "y"), ("x1", "y1"), ("x2", "y2")):
            if x in node.attrib and "transform" not in node.attrib:
                assert -10 <= float(node.attrib[x]) <= width
                assert -10 <= float(node.attrib[y]) <= height
        assert float(node.attrib.get("height", 0)) >= 0
    return root


def words(root: ET.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(("name", "hands"), [("pagat", 3000), ("weaver-four", 2000), ("pagat", 5)])
def test_a_figure_of_a_run(name: str, hands: int) -> None:
    outcome = played(name, hands)
    text = figure(outcome)
    assert text == figure(played(name, hands))
    told_ = words(drawn(text))
    assert f"dealer {outcome.counts.tricks(0).mean:.2f}" in told_
    assert {"tricks", "share of hands, %", "Length of a match"} <= set(told_)


def test_bars_add_up_to_all_hands_and_marks_are_named() -> None:
    outcome = played(hands=3000)
    titles = [x.text or "" for x in drawn(figure(outcome)).iter(f"{SVG}title")]
    shares = [float(x[1]) for t in titles if (x := re.match(r"dealer, \d+ tricks: ([\d.]+) % of hands", t))]
    assert sum(shares) == pytest.approx(100, abs=0.2)
    length = outcome.counts.match_length()
    assert {f"median {length.median}", f"mean {length.mean.mean:,.1f}"} <= set(titles)


def test_a_figure_of_nothing() -> None:
    assert {"none counted", "no match ended"} <= set(words(drawn(figure(without(played())))))


def test_a_sweep() -> None:
    points = [(str(x), [Estimate(x, x - 1, x + 2), Estimate(2 * x, -inf, inf)]) for x in (6, 8, 20)]
    root = drawn(sweep_figure(points, ["first", "a < b"], "goal", "tricks"))
    assert {"goal", "tricks", "first", "a < b", "6", "8", "20", "tricks by goal"} <= set(words(root))
    titles = [node.text for node in root.iter(f"{SVG}title")]
    assert "first: 6.000 (5.000 to 8.000)" in titles


def test_sweeps_of_words_of_unbounded_numbers_and_of_nothing() -> None:
    beyond = [("random", [Estimate(inf, 3, inf)]), ("greedy", [Estimate(4, 3, 5)])]
    assert {"random", "greedy"} <= set(words(drawn(sweep_figure(beyond, ["x"], "policy", "hands"))))
    assert drawn(sweep_figure([], [], "goal", "tricks"))


def test_ticks_are_round() -> None:
    assert ticks(0, 17.3) == [0, 5, 10, 15, 20]
    assert ticks(4.05, 6.3) == [4, 4.5, 5, 5.5, 6, 6.5]
    assert ticks(3, 3)[0] <= 3 <= ticks(3, 3)[-1]
    assert [axis_number(x) for x in (0, 0.25, 1500, -2)] == ["0", "0.25", "1,500", "-2"]
