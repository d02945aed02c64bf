"""Generates docs/comparison.md, a comparison of the documents, and docs/deals.md, deals that show it.

A test keeps the first page current. Deals take a minute to find, so the second is tested deal by deal: each
is replayed under both rulesets, which must diverge.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from trickproof.checking.proof_session import ProofSession
from trickproof.diff.ruleset_diff import one_aspect
from trickproof.english.differences import difference_sentence
from trickproof.reports.rulesets.table import Line, Table, github_lines, make_table, sections
from trickproof.support.serialise import serialised
from trickproof.validate.validation import documented
from trickproof_dsl.library import Library, Ruleset

_HEAD = """\
# The documents compared

Generated from the rulesets (`trickproof table` prints the same for any choice of them); do not edit. Every cell is put into
words from the rule itself. Rulesets that are proved to do the same in an aspect share a letter, and a cell in which the rule
is written once, whatever their wording. A game that lacks a step, such as the reveal, has a cell of its own without it; it
bears several letters where it does the same as cells that differ in that step alone.

In brackets are the cited statements of all rulesets of a cell (`trickproof sources` shows what each says). *assumed* is what
no document says, *reading* one of the ways of reading what a document leaves open, *GAP* what is missing, *—* what a game does
not have, and *none* what does not happen. A cell ends with *not said* where its documents are silent, *left open* where they
leave a choice, and *no document says this* where all are silent. A player is *up* with more tricks than the target and *down*
with fewer; the difference is the player's *result*."""

_DEALS = """\
# Deals that show where the documents disagree

For each aspect of [the comparison](comparison.md) in which rulesets disagree, one deal for the first two that can be played
on the same cards. `trickproof replay` plays it under either of them (put its name under `ruleset`); `trickproof diff A B`
shows all differences of two rulesets, with their exact conditions."""


def comparison_markdown(library: Library) -> str:
    """The comparison page for a library's documented rulesets."""
    parts = [_HEAD]
    for heading, lines in sections(make_table(documented(library))):
        parts += [f"## {heading}", github_lines(heading, lines, _link)]
    return "\n\n".join(parts) + "\n"


def _link(line: Line) -> str:
    return f"[a deal](deals.md#{line.aspect})"


def deals_markdown(library: Library) -> str:
    """The page of deals for a library's documented rulesets."""
    rulesets = documented(library)
    return "\n\n".join([_DEALS, *_deals(make_table(rulesets), {one.named: one for one in rulesets})]) + "\n"


def _deals(table: Table, rulesets: dict[str, Ruleset]) -> Iterator[str]:
    session = ProofSession()
    for row in table.rows:
        if row.deal is None:
            continue
        a, b = (rulesets[name] for name in row.deal)
        compared = one_aspect(a, b, row.aspect, session)
        heading = f"## {row.aspect}\n\n`{a.id}` and `{b.id}`"
        if compared.parting is None:
            yield f"{heading}: {compared.status}. {compared.why}".rstrip()
            continue
        ways = " ".join(difference_sentence(way.how, way.when, a.id, b.id) for way in compared.ways)
        scenario = {**compared.parting.answers.scenario, "ruleset": a.id}
        line = json.dumps(serialised(scenario), ensure_ascii=False)
        yield f"{heading}. {ways or compared.why}\n\n```json\n{line}\n```"
