"""docs/language.md: everything in it loads, every mistake gives the message it says, and no word is forgotten."""

from __future__ import annotations

import re
import textwrap
from functools import cache
from pathlib import Path

import pytest

from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.diagnostics.diagnostic import Diagnostic, render
from trickproof_dsl.library import Library, prelude
from trickproof_dsl.semantics.faults import Fault
from trickproof_dsl.syntax.reserved_words import reserved_words

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/language.md").read_text(encoding="utf-8")

CONTEXT = """
ruleset: context
title: What the snippets of the guide speak of
players:
  number: 4
  teams: [[0, 2], [1, 3]]
options:
  call: simple | solo
state:
  calls: {{type: call, of: player}}
  cards-each: {{type: integer, carried: true, initial: 10}}
  due: {{type: integer, of: [player, player]}}
  highest-bid: {{type: integer}}
  declarer: {{type: player}}
  called: {{type: card}}
  passed: {{type: boolean, of: player}}
  bid: {{type: integer, of: player}}
zones:
  talon: {{seen-by: everyone}}
moves:
  bury: {{verb: buries, to: discards}}
rules:
  snippet:
    of: player p
    assumes: an example
    rule: |
{text}
"""


def blocks(kind: str) -> list[str]:
    found: list[str] = re.findall(rf"^```{kind}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found, kind
    return found


def in_context(text: str, nobody: bool = False) -> tuple[str, list[Diagnostic]]:
    """What is wrong with rule text, as drawn and as data; `nobody`: in a rule without parameters."""
    whole = CONTEXT.format(text=textwrap.indent(text, " " * 6))
    whole = whole.replace("    of: player p\n    assumes", "    assumes") if nobody else whole
    _, wrong = Library([]).load_text(whole, "context.yaml")
    return render(wrong), wrong


@cache
def games(folder: Path) -> Library:
    """The complete files of the guide, in a folder as the guide says."""
    (folder / "documents").mkdir()
    for text in blocks("yaml document"):
        name = re.search(r"^document: (.+)$", text, re.MULTILINE)
        assert name
        (folder / "documents" / f"{name[1]}.yaml").write_text(text, encoding="utf-8")
    for text in blocks("yaml ruleset"):
        name = re.search(r"^ruleset: (.+)$", text, re.MULTILINE)
        assert name
        (folder / f"{name[1]}.yaml").write_text(text, encoding="utf-8")
    return Library([folder])


def test_complete_rulesets_load(tmp_path: Path) -> None:
    library = games(tmp_path)
    assert set(library.ruleset_paths()) == {"plain", "plain-short"}
    for name in library.ruleset_paths():
        ruleset, wrong = library.load(name)
        assert ruleset is not None, render(wrong)


@pytest.mark.parametrize("name", ["plain", "plain-short"])
def test_complete_rulesets_play(name: str, tmp_path: Path) -> None:
    ruleset, _ = games(tmp_path).load(name)
    assert ruleset is not None
    state = interpret.start(ruleset.program, interpret.Chance(1))
    while not state.match_over:
        assert state.fault is None
        if state.decision is None:
            state = interpret.next_hand(state)
        else:
            state = interpret.apply(state, frozenset(state.decision.legal[:1]))
    assert state.winners


@pytest.mark.parametrize("text", blocks("rule"))
def test_snippets_make_sense(text: str) -> None:
    assert in_context(text)[0] == ""


@pytest.mark.parametrize("text", blocks("yaml"))
def test_fragments_load(text: str) -> None:
    players = "" if "\nplayers:" in "\n" + text else "players: 4\n"
    whole = f"ruleset: fragment\ntitle: A fragment of the guide\n{players}{text}"
    ruleset, wrong = Library([]).load_text(whole, "fragment.yaml")
    assert ruleset is not None, render(wrong)


def table(heading: str) -> list[list[str]]:
    """The rows of the first table after a heading, without its head."""
    after = GUIDE.split(f"\n## {heading}\n")[1]
    lines = after[after.index("\n|") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


@pytest.mark.parametrize(("written", "message", "right"), table("Common mistakes"))
def test_mistakes(written: str, message: str, right: str) -> None:
    nobody = "say whose" in message
    _, wrong = in_context(written.strip("`"), nobody)
    now = [d.message for d in wrong]
    assert any(message in text for text in now), f"the row in docs/language.md must quote one of {now}"
    assert in_context(right.strip("`"))[0] == ""


USES = (
    "if {0} = {0}:\n    nothing happens",
    "if {0}:\n    nothing happens",
    "for x in {0}:\n    nothing happens",
)
"""A value is compared, asked or gone through."""

NAMED = ("c in hand of p", "a in 1 to 2", "b in 1 to 2")
"""What the table calls a card and two numbers."""


@pytest.mark.parametrize(
    "text", [x for _, written in table("Values") for x in re.findall(r"`([^`]+)`", written)]
)
def test_values_of_the_table_make_sense(text: str) -> None:
    """Each loads in some use, but for patterns (`…`), and for operators and words that are told alone."""
    if "…" in text:
        return
    drawn = []
    for use in USES:
        whole = use.format(text)
        for bound in NAMED:
            whole = f"for {bound}:\n" + textwrap.indent(whole, "    ")
        drawn.append(in_context(whole)[0])
    alone = set(re.findall(r"[A-Za-z]+", text)) <= reserved_words()
    help_ = f"use names of `CONTEXT`, or those of `NAMED`: {', '.join(NAMED)}"
    assert "" in drawn or alone, "\n".join([help_, *drawn])


def test_vocabulary_is_complete() -> None:
    """Every name of the prelude is in the tables of the standard vocabulary."""
    after = GUIDE.split("\n## Standard vocabulary\n")[1].split("\n## ")[0]
    named = set(re.findall(r"`([a-z-]+)`", after))
    file = prelude()
    for name in (*file.state, *file.zones, *file.moves, *file.rules):
        assert name in named, name


def test_faults_are_told() -> None:
    """The one `silent` rule of the guide loads and only matters when it is reached."""
    text = next(t for t in blocks("yaml") if "silent:" in t)
    ruleset, _ = Library([]).load_text(f"ruleset: fragment\ntitle: F\nplayers: 4\n{text}", "fragment.yaml")
    assert ruleset is not None
    state = interpret.run(interpret.initial(ruleset.program), ruleset.program.rules["payout"].body or ())
    assert isinstance(state.fault, Fault)
    assert state.fault.kind == "unspecified"


def test_links_lead_somewhere() -> None:
    reference = (ROOT / "docs/reference.md").read_text(encoding="utf-8")
    for file, anchor in re.findall(r"\]\(([a-z.]*)#([a-z-]+)\)", GUIDE):
        headings = re.findall(r"^#+ (.+)$", reference if file else GUIDE, re.MULTILINE)
        assert anchor in {re.sub(r"[^a-z -]", "", h.lower()).replace(" ", "-") for h in headings}, anchor
