"""The pages of `report`: what is in them stands for itself, leads somewhere, and is shown as text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented
from trickproof.check_runner.runner import check_ruleset
from trickproof.diff.ruleset_diff import Diff, some_pairs
from trickproof.reports.rulesets.table import make_table
from trickproof.reports.site.deal_steps import deal_of
from trickproof.reports.site.differences import differences, shown_pairs
from trickproof.reports.site.effects import effects
from trickproof.reports.site.site import site
from trickproof.reports.templates import coded
from trickproof_dsl.library import Library, Ruleset
from trickproof_dsl.scenarios.replay import replay_scenario

CHECKS = ["examples-agree", "zero-sum"]
ASPECTS = ["targets", "trump"]
MOST_BYTES = {"index.html": 100_000, "rulesets/": 300_000}

pytestmark = RUN

VOID = {"meta", "input", "br", "link", "hr", "img"}


class Reader(HTMLParser):
    """Ids, links, scripts and open elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.links: list[str] = []
        self.parts: dict[str, list[str]] = {"script": [], "style": []}
        self.text: list[str] = []
        self.handlers: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.links.append(value or "")
            if name.startswith("on") or name == "style":
                self.handlers.append(name)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in self.parts:
            self.parts[self._open[-1]].append(data)
        else:
            self.text.append(data)


@cache
def compared(a: str, b: str) -> tuple[tuple[str, str], Diff]:
    ((names, diff),) = some_pairs([(documented(a), documented(b))], 1).items()
    return names, diff


def pages_of(*rulesets: Ruleset) -> dict[str, str]:
    table = make_table(rulesets, ASPECTS)
    found = [(ruleset, check_ruleset(ruleset, CHECKS, 5)[0]) for ruleset in rulesets]
    rows = differences(table, dict(compared(a.id, b.id) for a, b in shown_pairs(table, rulesets)))
    return site(found, rows, table, [effects(ruleset, 200, 1) for ruleset in rulesets])


@cache
def pages() -> Mapping[str, str]:
    return pages_of(documented("six-over"), documented("tallyn"))


def html_pages() -> list[str]:
    names = ["index", "compare", "effects", "implementers", "rulesets/six-over", "rulesets/tallyn"]
    return [f"{name}.html" for name in names]


def data_of(text: str) -> Any:
    return json.loads(Reader(text).parts["script"][0])


def test_two_rulesets_are_compared_once_for_all_that_is_shown() -> None:
    rulesets = [documented("six-over"), documented("tallyn")]
    table = make_table(rulesets)
    assert len([row for row in table.rows if row.deal is not None]) > 1
    assert shown_pairs(table, rulesets) == [tuple(rulesets)]


def test_which_pages_there_are() -> None:
    assert sorted(pages()) == sorted([*html_pages(), "vectors/six-over.jsonl", "vectors/tallyn.jsonl"])


def test_a_single_ruleset_has_no_comparison() -> None:
    alone = pages_of(documented("six-over"))
    assert "compare.html" not in alone
    assert not any("compare.html" in text for text in alone.values())


@pytest.mark.parametrize("name", html_pages())
def test_a_page_stands_for_itself(name: str) -> None:
    """Every link leads to a page and a place on it, and the policy admits the page's own style and script only."""
    read = Reader(pages()[name])
    assert len(read.ids) == len(set(read.ids))
    for link in read.links:
        path, _, place = link.partition("#")
        folder = name.rpartition("/")[0]
        target = path.removeprefix("../") if path.startswith("../") or not folder else f"{folder}/{path}"
        if target.endswith(".jsonl"):
            assert target in pages()
        elif place:
            assert place in Reader(pages()[target if path else name]).ids, link
        else:
            assert target in pages(), link
    assert read.handlers == []
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', pages()[name])
    assert policy is not None
    for kind, text in (("style", read.parts["style"][0]), ("script", read.parts["script"][1])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src &#39;sha256-{digest}&#39;" in policy[1]


def test_pages_are_small() -> None:
    for name, text in pages().items():
        for beginning, most in MOST_BYTES.items():
            assert not name.startswith(beginning) or len(text.encode()) < most, name


def test_the_same_input_gives_the_same_bytes() -> None:
    assert pages_of(documented("six-over"), documented("tallyn")) == pages()


def test_a_deal_is_shown_as_it_is_replayed() -> None:
    ruleset = documented("six-over")
    finding = next(x for x in check_ruleset(ruleset, ["examples-agree"], 5)[0])
    assert finding.replayable is not None
    deal = deal_of("deal", "a deal", ruleset, finding.replayable)
    assert deal is not None
    (lane,) = deal.lanes
    last = replay_scenario(ruleset, finding.replayable)["state"]
    dealer = last["dealer"]
    hands = tuple(" ".join(last["hands"][(dealer + seat) % 3]) for seat in range(3))
    assert lane.steps[-1].hands == hands
    assert deal.mark == len(lane.steps) - 1
    assert data_of(pages()["rulesets/six-over.html"])[f"deal-{finding.check}"]["mark"] == deal.mark


def test_two_lanes_are_alike_until_they_diverge() -> None:
    deals = data_of(pages()["compare.html"])
    assert deals
    for deal in deals.values():
        one, other = (lane["steps"] for lane in deal["lanes"])
        assert one[: deal["mark"]] == other[: deal["mark"]]
    assert any(deal["lanes"][0]["steps"] != deal["lanes"][1]["steps"] for deal in deals.values())


def test_what_belongs_together_says_so() -> None:
    text = pages()["rulesets/six-over.html"]
    ids = set(Reader(text).ids)
    assert {"rule-kitty", "check-zero-sum", "s-six-over.s26"} <= ids
    assert 'data-cites="six-over.s26"' in text
    assert "Known: " in text


def test_names_are_shown_as_code() -> None:
    text = pages()["rulesets/six-over.html"]
    assert "<code>over</code> always sums to zero" in text
    assert coded("`<b>` & `c`") == "<code>&lt;b&gt;</code> &amp; <code>c</code>"


def test_shares_of_no_matches_are_not_drawn() -> None:
    drawing = effects(documented("six-over"), 1, 1, ["search:20"]).drawing
    assert "matches won" in drawing
    assert "<title>dealer: " not in drawing
    assert "<title>dealer: " in effects(documented("six-over"), 80, 1, ["random"]).drawing


def test_effects_are_drawn_under_every_policy() -> None:
    """Players who search play the first of the deals."""
    shown = effects(documented("six-over"), 80, 1)
    assert [one.policy for one in shown.played] == ["random", "greedy", "search:20"]
    assert all(f">{policy}</text>" in shown.drawing for policy in ("random", "greedy", "search:20"))
    assert all(f">{measure}" in shown.drawing for measure in ("deals per match", "matches won"))
    assert "six-over: 2 deals" in shown.played[2].drawing
    assert effects(documented("six-over"), 200, 1).drawing in pages()["effects.html"]


def test_untrusted_text_is_shown_as_text() -> None:
    """What a stranger writes into a ruleset is no part of the page's own."""
    written = (
        "ruleset: odd\ntitle: '</script><script>alert(1)</script>\"><img src=x onerror=alert(1)>'\nextends: six-over\n"
        "rules:\n  targets:\n    rule: target of dealer becomes 1\n    assumes: '</style><b onclick=alert(1)>'\n"
    )
    ruleset, wrong = Library([documented("six-over").path.parent]).load_text(written, "<odd>.yaml")
    assert ruleset is not None, wrong
    for name, text in pages_of(ruleset).items():
        if name.endswith(".html"):
            read = Reader(text)
            assert read.handlers == []
            assert len(read.parts["script"]) == 2
            assert "alert(1)" not in read.parts["script"][1]
            assert "x" not in read.links
    shown = "".join(Reader(pages_of(ruleset)["rulesets/odd.html"]).text)
    assert "</script><script>alert(1)</script>" in shown
