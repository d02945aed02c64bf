"""The rule sheet: a page for players."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from trickproof.bundled import bundled_library, ruleset_folder
from trickproof.rulesheet import rulesheet
from trickproof_dsl.load import Ruleset

LIBRARY = bundled_library()
"""Loaded once: rulesets do not change."""

NAMES = sorted(LIBRARY.ruleset_paths())


def test_the_course_of_a_hand_stands_in_the_order_it_is_played() -> None:
    headings = re.findall("^## (.*)$", rulesheet(_loaded("pagat"), "md"), re.M)
    assert headings == [
        "The deal",
        "The targets",
        "What comes before play",
        "The exchange",
        "The gifts",
        "The returns",
        "The choice of trump",
        "The kitty",
        "The reveal",
        "The play",
        "The first lead",
        "A trick",
        "What may be led",
        "The others play",
        "Following",
        "The winner of a trick",
        "The scoring",
        "The payout",
        "The end of the match",
        "The winner",
        "The next dealer",
        "Known flaws of the document",
        "Sources",
    ]


def test_a_rule_is_a_sentence_with_footnotes_that_say_what_is_cited() -> None:
    text = rulesheet(_loaded("pagat"), "md")
    found = re.search(r"The match ends when some player has taken 12 or more tricks\.\[\^(\d+)\]", text)
    assert found is not None
    assert re.search(rf"^\[\^{found[1]}\]: pagat-de\.s11: The match is over when", text, re.M)


def test_readings_assumptions_gaps_parameters_and_flaws_are_marked() -> None:
    text = rulesheet(_loaded("gamerules"), "md")
    assert "The document leaves this open; there are 3 ways to take it." in text
    assert "**Reading “together”**" in text
    assert "> *Assumed:* The received cards count among the hand" in text
    assert "## Known flaws of the document" in text
    assert "**To agree on:** Goal: 10 or 20 (unless agreed otherwise 10)." in rulesheet(
        _loaded("nine-five-two"), "md"
    )
    assert "> **Gap:** Nobody says who wins." in rulesheet(_odd(), "md")


def test_what_a_document_says_in_a_damaged_place_is_marked() -> None:
    assert "(damaged in the document)" in rulesheet(_loaded("gamerules-mirror"), "md")


def test_markdown_of_the_user_stays_text() -> None:
    assert r"> *Assumed:* A \| b \<i\> \*c\*." in rulesheet(_odd(), "md")


@pytest.mark.parametrize("name", NAMES)
def test_every_footnote_of_a_sheet_is_used_and_defined(name: str) -> None:
    text = rulesheet(_loaded(name), "md")
    used = set(re.findall(r"\[\^(\d+)\](?!:)", text))
    defined = re.findall(r"^\[\^(\d+)\]:", text, re.M)
    assert used == set(defined)
    assert len(defined) == len(set(defined))
    assert not re.search(r"\n{3}|None|\{\{|Undefined", text)


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_whole_and_stand_alone(name: str) -> None:
    page = _Page()
    page.feed(rulesheet(_loaded(name), "html"))
    assert page.open == []
    assert page.links == {link for link in page.links if link.startswith("#")}
    assert {link.removeprefix("#") for link in page.links} <= page.ids
    assert page.tags.isdisjoint({"script", "link", "img", "iframe"})


def test_pages_escape() -> None:
    text = rulesheet(_odd(), "html")
    assert "a | b &lt;i&gt; *c*" in text
    assert "<title>T &amp; &lt;b&gt;</title>" in text


def test_other_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="pdf"):
        rulesheet(_loaded("pagat"), "pdf")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.links: set[str] = set()
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        values = dict(attrs)
        self.links |= {values["href"] or ""} if "href" in values else set()
        self.ids |= {values["id"] or ""} if "id" in values else set()
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _loaded(name: str) -> Ruleset:
    ruleset, wrong = LIBRARY.load(name)
    assert ruleset is not None, wrong
    return ruleset


def _odd() -> Ruleset:
    text = """\
ruleset: odd
title: T & <b>
extends: pagat
rules:
  follow:
    rule: hand
    assumes: a | b <i> *c*
  winner:
    silent: nobody says who wins
"""
    ruleset, wrong = LIBRARY.load_text(text, str(ruleset_folder() / "odd.yaml"))
    assert ruleset is not None, [d.message for d in wrong]
    return ruleset
