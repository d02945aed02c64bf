"""The table of rulesets: cells, gaps, readings, and each format."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from budget import RUN
from checker.rulesets_for_tests import BUNDLED, beside_bundled, bundled
from trickproof.english.aspects import ABSENT, ASPECTS, NONE, describe
from trickproof.reports.citations import brief
from trickproof.reports.rulesets.comparison_page import comparison_markdown, deals_markdown
from trickproof.reports.rulesets.table import (
    CALLED,
    CLASS,
    FORMATS,
    HEADERS,
    WIDTH,
    Table,
    make_table,
    render_table,
)
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_scenario

"""Loaded once: rulesets do not change."""

COMPARISON = Path(__file__).parents[4] / "docs" / "comparison.md"


@pytest.mark.parametrize(
    ("cites", "told"),
    [
        ([], ""),
        (["a.s1"], "[a.s1]"),
        (["a.s1", "a.s2"], "[a.s1, s2]"),
        (["a.s3", "a.s1", "a.s2", "b.s7", "a.s9"], "[a.s1-s3, s9, b.s7]"),
        (["a.intro", "a.s1"], "[a.intro, s1]"),
    ],
)
def test_citations_are_joined(cites: list[str], told: str) -> None:
    assert brief(cites) == told


@RUN
def test_every_aspect_of_every_ruleset_has_a_cell() -> None:
    table = _table(*BUNDLED.ruleset_paths())
    assert table.aspects == ASPECTS
    named = [row.aspect for row in table.helpers]
    assert all(any(name in r.whole.rules for r in map(bundled, BUNDLED.ruleset_paths())) for name in named)
    for column in table.columns:
        for cell in column.cells.values():
            assert cell.text or cell.gap or cell.readings, (column.id, cell.aspect)
            assert not (cell.text and cell.gap)
            assert cell.text != NONE or not cell.readings


def test_what_a_game_does_not_have_is_no_gap() -> None:
    weaver = bundled("weaver-four")
    assert describe(weaver, "kitty").text == ABSENT
    assert describe(weaver, "kitty").gap is None


def test_what_does_not_happen_is_said() -> None:
    assert describe(bundled("trumpet-major"), "payout").text == NONE


def test_inherited_rules_keep_their_citations() -> None:
    cell = describe(bundled("nine-five-two"), "follow")
    assert cell.cites == ("pagat-de.s28", "pagat-de.s29")
    assert cell.where is not None
    assert cell.where.source.name.endswith("pagat.yaml")


def test_gaps_readings_and_assumptions_are_marked() -> None:
    table = make_table([_odd()], ["follow", "winner", "end", "scoring"])
    cells = table.columns[0].cells
    assert cells["winner"].gap == "nobody says who wins"
    assert [r.name for r in cells["end"].readings] == ["twelve", "all-of-them"]
    text = render_table(table, "csv")
    assert "GAP: nobody says who wins" in text
    assert "reading “twelve”: Some player has taken 12 or more tricks. (assumed: as at home)" in text
    assert "reading “all of them”: Some player has taken 16 tricks. (assumed: as abroad)" in text
    assert "(assumed: a | b <i>)" in text


def test_a_rule_that_is_needed_and_missing_is_a_gap() -> None:
    text = "ruleset: t\ntitle: T\nplayers: {number: 3, assumes: x}\n"
    cell = describe(beside_bundled(text), "deal")
    assert cell.gap == "the ruleset gives no rule for deal"
    assert describe(beside_bundled(text), "deck").text.startswith("52 cards; ")


def test_partnerships_and_short_decks_are_told() -> None:
    text = (
        "ruleset: t\ntitle: T\nplayers: {number: 4, teams: [[0, 2], [1, 3]], assumes: x}\n"
        "deck: {ranks: 7 9 Q=queen A, suits: C H, without: 7C, assumes: x}\n"
    )
    assert describe(beside_bundled(text), "players").text == (
        "4 players in partnerships: partners sit opposite each other."
    )
    assert describe(beside_bundled(text), "deck").text == (
        "7 cards; suits clubs, hearts; ranked A Q 9 7 from the top; without the seven of clubs."
    )


def test_a_helper_rule_that_is_silent_is_a_gap_of_the_aspect() -> None:
    text = (
        "ruleset: t\nextends: pagat\nrules:\n  reveal:\n    rule: do how-shown\n    assumes: x\n"
        "  how-shown:\n    gives: nothing\n    silent: nobody says how\n"
    )
    cell = describe(beside_bundled(text), "reveal")
    assert (cell.text, cell.gap) == ("How shown.", "how shown: nobody says how")


HELPED = """
ruleset: t
extends: pagat
rules:
  end: {rule: number of foremost > 1, assumes: x}
  foremost: {rule: players with score >= goal-of-all, assumes: all of them}
  goal-of-all:
    readings:
      - {name: low, rule: "larger(target of dealer, 3)", assumes: x}
      - {name: high, rule: "larger(target of dealer, 9)", assumes: x}
  winner: {rule: players with the highest worth, assumes: x}
  worth:
    of: player p
    rule: |
      if tricks of p = 1 then 11 else if tricks of p = 2 then 22 else if tricks of p = 3 then 33
      else if tricks of p = 4 then 44 else if tricks of p = 5 then 55 else if tricks of p = 6 then 66
      else if tricks of p = 7 then 77 else if tricks of p = 8 then 88 else 99
    assumes: made up
"""


def test_short_helper_rules_are_told_where_they_are_named() -> None:
    cell = describe(beside_bundled(HELPED), "end")
    assert cell.text == "There is more than one player among the foremost players."
    assert cell.terms == (
        "The foremost players: all players whose score is at least the goal of all.",
        "The goal of all: reading “low”: the larger of the dealer's target and 3; "
        "reading “high”: the larger of the dealer's target and 9.",
    )
    assert "all of them – on the foremost players" in cell.assumes
    assert cell.terms[0] in render_table(make_table([beside_bundled(HELPED)], ["end"]), "html")


def test_what_may_not_be_chosen_is_told_where_it_is_named() -> None:
    assert describe(bundled("oh-hell"), "targets").terms == (
        "The player is barred from the number n when the player is the dealer, and n and the sum of the bids of "
        "the other players add up to the number of cards per player.",
    )


def test_long_helper_rules_have_a_table_of_their_own() -> None:
    """They are no aspects in which rulesets differ: who does not call them has no line there."""
    table = make_table([beside_bundled(HELPED), bundled("pagat")], ["winner"])
    assert table.aspects == ("winner",)
    (worth,) = table.helpers
    assert [one.rulesets for one in worth.classes] == [("t",)]
    assert worth.classes[0].cell.text.startswith("The worth of a player: if the player has taken exactly 1")
    text = render_table(table, "github")
    assert f"## {CALLED}\n\n| name | rulesets | meaning |" in text
    assert "| worth | t | The worth of a player:" in text


# -------------------------------------------------------------------------------------------- formats


@pytest.mark.parametrize("count", [1, 2, 4, 11])
def test_grids_fit_the_terminal(count: int) -> None:
    names = sorted(BUNDLED.ruleset_paths())[:count]
    text = render_table(_table(*names), "grid")
    assert max(map(len, text.splitlines())) <= WIDTH
    for name in names:
        assert name in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_grids_with_customs_fit_narrow_terminals(width: int) -> None:
    text = render_table(_table("pagat", "six-over", "tallyn", "weaver-four"), "grid", width)
    assert max(map(len, text.splitlines())) <= width
    assert "gifts face down" in text


def test_labels_stand_over_text_in_narrow_terminals() -> None:
    text = render_table(_table("pagat", "six-over"), "grid", 60)
    assert (
        "\nend\n  A  pagat\n    Some player has taken 12 or more tricks.\n    [pagat-de.s11, s73]\n  B  six-over\n"
        in text
    )
    assert text.count("trickproof diff pagat six-over") == 1
    assert "+--" not in text
    alone = render_table(_table("pagat"), "grid", 60)
    assert "\n\nend\n  Some player has taken 12 or more tricks.\n  [pagat-de.s11, s73]\n" in alone


def test_grids_say_what_letters_mean_and_how_to_see_less() -> None:
    names = ("pagat", "six-over", "tallyn", "weaver-four")
    deals = "For deals that show the differences between two rulesets, type `trickproof diff pagat six-over`."
    marks = (
        "Marks: `—` (the game does not have it), `none` (nothing happens), `reading` (one way of reading what a document leaves open),"
        " `assumed` (no document says it), `result` (a player's tricks minus the target)."
    )
    two = render_table(_table(*names[:2]), "grid")
    first, _, rest = two.partition("\n\n")
    assert " ".join(first.split()) == f"{CLASS} {marks} {deals}"
    assert rest.startswith("Where they disagree\n")
    text = render_table(_table(*names), "grid", 80)
    legend = " ".join(text.partition("\n\n")[0].split())
    assert legend == (
        f"{CLASS} {marks} {deals.replace('six-over', 'tallyn')} For a shorter table, `trickproof table pagat six-over` compares two rulesets,"
        " and `--aspects players,deck` selects aspects."
    )
    assert CLASS not in render_table(_table("pagat"), "grid")


def test_github_cells_stay_in_their_cells() -> None:
    lines = render_table(make_table([_odd()]), "github").splitlines()
    assert len(lines) == len(ASPECTS) + 2
    assert lines[1] == "|---|---|"
    follow = next(line for line in lines if line.startswith("| follow |"))
    assert r"(assumed: a \| b \<i\>)" in follow


def test_csv_is_read_back() -> None:
    table = _table("pagat", "gamerules")
    rows = list(csv.DictReader(io.StringIO(render_table(table, "csv"))))
    assert list(rows[0]) == ["section", *HEADERS]
    assert {row["aspect"] for row in rows} >= {*ASPECTS}
    lead = [row for row in rows if row["aspect"] == "lead"]
    assert [(row["class"], row["rulesets"]) for row in lead] == [("A", "all")]
    assert "pagat-de.s9, s26, s27, gamerules.s44, s45" in lead[0]["rule"]
    alone = list(csv.reader(io.StringIO(render_table(_table("pagat"), "csv"))))
    assert alone[0] == ["aspect", "pagat"]
    assert [row[0] for row in alone[1:]] == list(ASPECTS)


def test_json_is_sorted_and_complete() -> None:
    text = render_table(_table("pagat", "gamerules"), "json")
    data = json.loads(text)
    assert json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) == text
    assert [a["aspect"] for a in data["aspects"]] == list(ASPECTS)
    cell = data["aspects"][ASPECTS.index("lead")]["cells"]["pagat"]
    assert cell["text"] == "The player to the dealer's left."
    assert cell["where"]["file"] == "rulesets/pagat.yaml"
    assert "pagat-de.s26" in cell["cites"]


def test_html_stands_alone_and_escapes() -> None:
    text = render_table(make_table([_odd()]), "html")
    assert "a | b &lt;i&gt;" in text
    assert _Tags.of(text).isdisjoint({"script", "link", "img", "i"})
    for names in (("pagat",), ("pagat", "gamerules")):
        whole = render_table(_table(*names), "html")
        assert "</b> Trump has to be clubs" in whole
        assert whole.count("<table>") == whole.count("<caption>") == whole.count("</caption>")
        assert {"main", "h1", "details"} <= _Tags.of(whole)


def test_latex_has_long_tables_with_rules() -> None:
    """They break between pages, and repeat their heads; lines end where TeX wants them to."""
    text = render_table(_table("pagat", "gamerules"), "latex")
    assert text.count(r"\begin{longtable}") == text.count(r"\end{longtable}") == 3
    for word in (r"\toprule", r"\midrule", r"\endhead", r"\bottomrule", r"\addlinespace"):
        assert word in text
    assert "tabular}" not in text
    rows = [line for line in text.splitlines() if line.endswith(r" \\")]
    assert rows
    columns = {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows}
    assert columns == {len(HEADERS), 3}
    alone = render_table(make_table([_odd()]), "latex")
    assert r"a \ensuremath{|} b \ensuremath{<}i\ensuremath{>}" in alone


@pytest.mark.parametrize("format", FORMATS)
def test_output_is_the_same_each_time(format: str) -> None:
    assert render_table(_table("tallyn", "six-over"), format) == render_table(
        _table("tallyn", "six-over"), format
    )


def test_unknown_aspects_and_formats_are_refused() -> None:
    with pytest.raises(KeyError):
        make_table([], ["weather"])
    with pytest.raises(ValueError, match="pdf"):
        render_table(_table("pagat"), "pdf")


def test_the_comparison_page_is_current(generated: Callable[[Path, str], None]) -> None:
    generated(COMPARISON, comparison_markdown(BUNDLED))


DEALS = COMPARISON.with_name("deals.md")


def test_every_deal_of_the_page_parts_two_rulesets() -> None:
    """Looked for anew only in the full run; here each is played under both."""
    text = DEALS.read_text(encoding="utf-8")
    cases = re.findall(r"## (\S+)\n\n`(\S+)` and `(\S+)`(.*?)(?=\n## |\Z)", text, re.S)
    linked = re.findall(r"deals\.md#([\w-]+)", COMPARISON.read_text(encoding="utf-8"))
    assert [aspect for aspect, *_ in cases] == linked
    for aspect, a, b, body in cases:
        match = re.search(r"```json\n(.*)\n```", body)
        assert match is not None, aspect
        scenario = json.loads(match[1])
        one, other = (replay_scenario(bundled(name), {**scenario, "ruleset": name}) for name in (a, b))
        assert _played(one) != _played(other), aspect


def _played(answer: dict[str, object]) -> object:
    asked = answer.get("next")
    return answer.get("events"), asked, answer.get("state"), answer.get("error")


@pytest.mark.slow
def test_the_page_of_deals_is_current(generated: Callable[[Path, str], None]) -> None:
    generated(DEALS, deals_markdown(BUNDLED))


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)

    @classmethod
    def of(cls, text: str) -> set[str]:
        parser = cls()
        parser.feed(text)
        return parser.seen


@cache
def _table(*names: str) -> Table:
    return make_table([bundled(name) for name in names])


def _odd() -> Ruleset:
    return beside_bundled(
        """\
ruleset: odd
extends: pagat
rules:
  follow:
    rule: hand
    assumes: a | b <i>
  winner:
    silent: nobody says who wins
  end:
    readings:
      - {name: twelve, rule: some player has tricks >= 12, assumes: as at home}
      - {name: all-of-them, rule: some player has tricks >= 16, assumes: as abroad}
"""
    )
