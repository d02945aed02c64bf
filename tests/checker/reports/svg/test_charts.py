"""Figures of simulations and sweeps."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from math import inf

import pytest

from checker.simulations import played, without
from trickproof.reports.svg.charts import Measure, figure, sweep_figure
from trickproof.reports.svg.primitives import axis_number, ticks
from trickproof.support.confidence_intervals import Estimate

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
    shown = words(drawn(text))
    assert f"dealer {outcome.counts.tricks(0).mean:.2f}" in shown
    assert {"tricks", "share of deals, %", "Length of a match"} <= set(shown)


def test_bars_add_up_to_all_hands_and_marks_are_named() -> None:
    outcome = played(hands=3000)
    titles = [x.text or "" for x in drawn(figure(outcome)).iter(f"{SVG}title")]
    shares = [float(x[1]) for t in titles if (x := re.match(r"dealer, \d+ tricks: ([\d.]+)% of deals", t))]
    assert sum(shares) == pytest.approx(100, abs=0.2)
    length = outcome.counts.match_length()
    assert {f"median {length.median}", f"mean {length.mean.mean:,.1f}"} <= set(titles)


def test_a_figure_of_nothing() -> None:
    assert {"none counted", "no match ended"} <= set(words(drawn(figure(without(played())))))


def test_a_sweep() -> None:
    points = [(str(x), [Estimate(x, x - 1, x + 2), Estimate(2 * x, -inf, inf)]) for x in (6, 8, 20)]
    root = drawn(sweep_figure([Measure("tricks", points, ["first", "a < b"])], "goal"))
    assert {"goal", "tricks", "first", "a < b", "6", "8", "20", "by goal"} <= set(words(root))
    titles = [node.text for node in root.iter(f"{SVG}title")]
    assert "first: 6.000 (5.000 to 8.000)" in titles


def test_sweeps_of_words_of_unbounded_numbers_and_of_nothing() -> None:
    beyond = [("random", [Estimate(inf, 3, inf)]), ("greedy", [Estimate(4, 3, 5)])]
    assert {"random", "greedy"} <= set(
        words(drawn(sweep_figure([Measure("hands", beyond, ["x"])], "policy")))
    )
    assert drawn(sweep_figure([Measure("tricks", [], [])] * 3, "goal"))


def test_ticks_are_round() -> None:
    assert ticks(0, 17.3) == [0, 5, 10, 15, 20]
    assert ticks(4.05, 6.3) == [4, 4.5, 5, 5.5, 6, 6.5]
    assert ticks(3, 3)[0] <= 3 <= ticks(3, 3)[-1]
    assert [axis_number(x) for x in (0, 0.25, 1500, -2)] == ["0", "0.25", "1,500", "-2"]
