"""The pages of `trickproof report`, as text by file name.

Assumes rulesets with distinct ids, and their findings. Guarantees that the same input gives the same bytes,
that pages need no server and load nothing external, that all content is escaped, and that a page runs no
script except its own.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from trickproof.checking.finding import Finding
from trickproof.diff.questions import Tree
from trickproof.english.rules import sentence
from trickproof.english.vocabulary import plain
from trickproof.reports.rulesets.rulesheet import Section, Sheet
from trickproof.reports.rulesets.source_coverage import Traced, trace
from trickproof.reports.rulesets.table import Table, letters, shared_parts
from trickproof.reports.site.deal_steps import Deal, deal_of
from trickproof.reports.site.differences import Difference
from trickproof.reports.site.effects import Effects
from trickproof.reports.site.quiz import screens
from trickproof.reports.templates import page, text_of
from trickproof.support.locations import at, source_lines
from trickproof.support.serialise import serialised
from trickproof.testing.worked_examples import run_examples
from trickproof.vectors.generate import by_chance
from trickproof_dsl.files.model import DocumentFile
from trickproof_dsl.library import Ruleset

FILTERS = ("all", "uncovered", "contradicted", "not a rule")
"""The statements that a ruleset's page can show alone, by status."""

FACTS = {"Players": "players", "Cards": "deck"}
"""Sections of a ruleset's file shown on its page, by heading."""

VECTORS = 20
"""Number of test vectors per ruleset; `trickproof vectors` writes any number."""

LETTERS = 8
"""Number of classes of an aspect that have distinct colours."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A finding as a page shows it, with its deal."""

    finding: Finding
    rule: str | None
    deal: Deal | None


@dataclass(frozen=True, slots=True)
class Card:
    """A ruleset on the index page: its verdict counts, and the ruleset that shares the most aspects with it."""

    ruleset: Ruleset
    counts: str
    sources: tuple[str, ...]
    closest: tuple[str, int, int] | None


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in words, with its source text."""

    section: Section
    texts: tuple[str, ...]
    cites: tuple[str, ...]


def site(
    findings: Sequence[tuple[Ruleset, Sequence[Finding]]],
    differences: Sequence[Difference],
    table: Table,
    effects: Sequence[Effects],
    quiz: Tree | None = None,
    schemas: Mapping[str, str] = MappingProxyType({}),
    watch: Callable[[int, str], None] = lambda done, id: None,
) -> dict[str, str]:
    """All pages. `differences` are the rows of the table; a single ruleset has no comparison and no quiz.

    `schemas` are JSON Schemas by file name. `watch` is called with the number of rulesets done and the next one.
    """
    rulesets = [ruleset for ruleset, _ in findings]
    several, asked = len(rulesets) > 1, quiz is not None
    pages = {"index.html": _page("index", "", cards=_cards(findings, table), several=several, asked=asked)}
    if quiz is not None:
        shown = screens(quiz, rulesets)
        deals = [screen.deal for screen in shown if screen.deal is not None]
        pages["quiz.html"] = _page(
            "quiz", "", deals, screens=shown, depth=quiz.depth, several=several, asked=True
        )
    pages |= {f"schemas/{name}": text.rstrip("\n") for name, text in schemas.items()}
    if several:
        pages["compare.html"] = _page(
            "compare",
            "",
            [one.deal for one in differences if one.deal is not None],
            table=table,
            differences=differences,
            letters=LETTERS,
            statements={cite: says for column in table.columns for cite, says in column.statements.items()},
            several=True,
            asked=asked,
        )
    pages["effects.html"] = _page("effects", "", effects=effects, several=several, asked=asked)
    pages["implementers.html"] = _page(
        "implementers",
        "",
        rulesets=rulesets,
        schemas=sorted(schemas),
        moves={ruleset.id: _moves(ruleset) for ruleset in rulesets},
        several=several,
        asked=asked,
    )
    for done, (ruleset, found) in enumerate(findings):
        watch(done, ruleset.id)
        pages[f"vectors/{ruleset.id}.jsonl"] = "\n".join(
            json.dumps(vector, ensure_ascii=False, sort_keys=True) for vector in by_chance(ruleset, VECTORS)
        )
        verdicts = [_verdict(ruleset, finding) for finding in found]
        sheet = Sheet(ruleset)
        rules, documents = _rules(ruleset, sheet), _documents(ruleset)
        pages[f"rulesets/{ruleset.id}.html"] = _page(
            "ruleset",
            "../",
            [verdict.deal for verdict in verdicts if verdict.deal is not None],
            ruleset=ruleset,
            sheet=sheet,
            rules=rules,
            FACTS=FACTS,
            anchors={*FACTS.values(), *(rule.section.rule for rule in rules)},
            documents=documents,
            filters=_filters(documents),
            verdicts=verdicts,
            several=several,
            asked=asked,
        )
    return pages


# ---------------------------------------------------------------------------------------------- content


def _cards(findings: Sequence[tuple[Ruleset, Sequence[Finding]]], table: Table) -> list[Card]:
    rulesets = [ruleset for ruleset, _ in findings]
    return [
        Card(ruleset, counts(found), _sources(ruleset), _closest(ruleset, rulesets, table))
        for ruleset, found in findings
    ]


def counts(findings: Iterable[Finding]) -> str:
    """Verdict counts: `15 proved · 2 known issues`."""
    listed = list(findings)
    known = sum(finding.known for finding in listed)
    parts = []
    for verdict in dict.fromkeys(finding.verdict for finding in listed):
        number = sum(x.verdict is verdict and not x.known for x in listed)
        if number:
            parts.append((verdict.negative, f"{number} {verdict.value}"))
    parts.sort(key=lambda part: not part[0])
    words = [text for _, text in parts] + ([f"{known} known issue{'s' * (known > 1)}"] if known else [])
    return " · ".join(words) or "nothing was checked"


def _sources(ruleset: Ruleset) -> tuple[str, ...]:
    return tuple(document.title for document in ruleset.documents.values())


def _closest(ruleset: Ruleset, rulesets: Sequence[Ruleset], table: Table) -> tuple[str, int, int] | None:
    """The other ruleset proved equivalent in the most aspects: its id, how many aspects, and out of how many."""
    shared = {
        other.id: sum(
            any(ruleset.id in one.rulesets and other.id in one.rulesets for one in row.classes)
            for row in table.rows
        )
        for other in rulesets
        if other.id != ruleset.id
    }
    if not shared:
        return None
    closest = max(shared, key=lambda id: shared[id])
    return closest, shared[closest], len(table.rows)


def _rules(ruleset: Ruleset, sheet: Sheet) -> list[Rule]:
    rules = []
    for section in sheet.sections:
        declared = ruleset.whole.rules[section.rule]
        texts = [declared.text, *(reading.text for reading in declared.readings)]
        cites = [note.cite for note in section.notes]
        cites += [note.cite for way in (*section.ways, *section.restated) for note in way.notes]
        written = tuple("\n".join(source_lines(text)) for text in texts if text is not None)
        rules.append(Rule(section, written, tuple(dict.fromkeys(cites))))
    return rules


def _documents(ruleset: Ruleset) -> Sequence[tuple[DocumentFile, tuple[Traced, ...]]]:
    contradicted = {(ruleset.id, outcome.name) for outcome in run_examples(ruleset) if outcome.wrong}
    return trace([ruleset], None, contradicted).documents


def _moves(ruleset: Ruleset) -> dict[str, tuple[str, str]]:
    """The verb for each label of moves, and where its cards go: to a zone, or nowhere if they are only shown."""
    return {
        label: (
            move.verb.value.replace("-", " "),
            "shows" if move.shows else move.to.value if move.to else "",
        )
        for label, move in ruleset.whole.moves.items()
    }


def _filters(documents: Sequence[tuple[DocumentFile, tuple[Traced, ...]]]) -> list[tuple[str, int]]:
    """The filters of statements, with the number of statements that each shows."""
    statuses = [traced.status for _, statements in documents for traced in statements]
    return [(name, statuses.count(name) if name != "all" else len(statuses)) for name in FILTERS]


def _verdict(ruleset: Ruleset, finding: Finding) -> Claim:
    named = (rule.name.value for rule in ruleset.whole.rules.values() if rule.name.span == finding.where)
    deal = None
    if finding.witness is not None:
        deal = deal_of(f"deal-{finding.check}", finding.message, ruleset, finding.replayable)
    return Claim(finding, next(named, None), deal)


# ------------------------------------------------------------------------------------------- page frame


def _page(name: str, up: str, deals: Sequence[Deal] = (), **values: object) -> str:
    """A page with its style, script and data, which are all that its content security policy allows."""
    style = f"{text_of('colours.css')}\n{text_of('site/site.css')}"
    scripts = ("viewer", "site", *(["pasted"] if name == "implementers" else []))
    script = "\n".join(text_of(f"site/{script}.js") for script in scripts)
    content = serialised({deal.id: deal for deal in deals})
    data = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return page(
        f"site/{name}.html.jinja",
        here=name,
        style=style,
        script=script,
        policy=_policy(style, script),
        data=data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"),
        up=up,
        plain=plain,
        sentence=sentence,
        at=at,
        letters_of=letters,
        shared_parts=shared_parts,
        **values,
    )


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
