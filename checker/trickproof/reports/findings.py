"""Findings as text for people: a line a check, grouped by ruleset; with details, what each rests on."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from trickproof.check_runner.known_issues import stale_known
from trickproof.checking.finding import Finding, Recheck
from trickproof.checking.verdict import Method, Verdict
from trickproof.english.playout import playout
from trickproof.support.locations import at
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import RuleDecl
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json

WIDTH = 110
"""Characters of a line, where words allow."""

Checked = Sequence[tuple[Ruleset, Sequence[Finding]]]


def report(checked: Checked, verbose: bool = False) -> str:
    """All findings; no final line break."""
    blocks = ["\n".join(_ruleset(ruleset, findings, verbose)) for ruleset, findings in checked]
    return "\n\n".join([*blocks, summary(checked)])


def summary(checked: Checked) -> str:
    """One line: how many findings of each verdict."""
    every = [finding for _, findings in checked for finding in findings]
    counts = Counter(finding.verdict for finding in every)
    known = Counter(finding.verdict for finding in every if finding.known)
    told = []
    for verdict in Verdict:
        if counts[verdict]:
            told.append(
                f"{counts[verdict]} {verdict}" + (f" ({known[verdict]} known)" if known[verdict] else "")
            )
    number = len(checked)
    return f"{number} ruleset{'s' * (number != 1)}: {', '.join(told) or 'nothing was checked'}"


def _ruleset(ruleset: Ruleset, findings: Sequence[Finding], verbose: bool) -> Iterator[str]:
    yield f"{ruleset.id}: {ruleset.title}"
    width = max((len(finding.check) for finding in findings), default=0)
    for finding in findings:
        verdict = f"{finding.verdict}{', known' if finding.known else ''}"
        head = f"  {finding.check:<{width}}  {verdict:<18}  "
        yield from _wrapped(f"[{finding.method}] {finding.message}", head)
        if finding.recheck is not None:
            yield f"      {_rechecked(finding.recheck, finding.method)}"
        if verbose:
            yield from _details(ruleset, finding)
    for name in stale_known(ruleset, findings):
        yield f"  note: `{name}` is recorded as known, but was not found"


def _rechecked(recheck: Recheck, method: Method) -> str:
    """What a second solver said about a proof."""
    if recheck.solver is None:
        asked = method not in (Method.STATIC, Method.ENUMERATION)
        return "nothing to recheck: " + ("the solver answered no question with no" if asked else method)
    agrees = "agree" if " and " in recheck.solver else "agrees"
    told = f"rechecked: {recheck.solver} {agrees} on {recheck.agreed} question{'s' * (recheck.agreed != 1)}"
    return f"{told} ({recheck.gave_up} gave up)" if recheck.gave_up else told


def _wrapped(text: str, head: str) -> list[str]:
    lines = textwrap.wrap(
        text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
    )
    return lines or [head.rstrip()]


def _details(ruleset: Ruleset, finding: Finding) -> Iterator[str]:
    if finding.where is not None:
        yield f"      at {at(finding.where)}"
        rule = next((r for r in ruleset.whole.rules.values() if r.name.span == finding.where), None)
        if rule is not None:
            yield from _rule(rule)
    for cite in finding.cites:
        yield from _wrapped(f"{cite}: {_says(ruleset, cite)}", "      cites ")
    for key, values in (
        ("assumes", finding.assumes),
        ("reading", finding.readings),
        ("note", finding.details),
    ):
        for value in values:
            yield from _wrapped(value, f"      {key} ")
    if finding.reason is not None:
        yield from _wrapped(finding.reason, "      known because ")
    for number, hand in enumerate(finding.match, 1):
        yield from _witness(ruleset, f"witness, hand {number}:", hand)
    if finding.witness is not None and not finding.match:
        yield from _witness(ruleset, "witness:", finding.witness)


def _witness(ruleset: Ruleset, head: str, hand: Mapping[str, Json]) -> Iterator[str]:
    """A hand as it goes at the table, and as a line for `replay`."""
    yield f"      {head}"
    for line in playout(ruleset, hand):
        yield from textwrap.wrap(line, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 12)
    yield f"        {json.dumps(hand, ensure_ascii=False)}"


def _rule(rule: RuleDecl) -> Iterator[str]:
    texts: list[Span] = [rule.text] if rule.text else [reading.text for reading in rule.readings]
    for text in texts:
        first, last = text.line, text.source.position(max(text.end - 1, text.start))[0]
        lines = [text.source.line_text(line) for line in range(first, last + 1)]
        shown = text.text.splitlines() if first == last else textwrap.dedent("\n".join(lines)).splitlines()
        yield from (f"        | {line}".rstrip() for line in shown if line.strip())


def _says(ruleset: Ruleset, cite: str) -> str:
    document, _, statement = cite.partition(".")
    known = ruleset.documents.get(document)
    if known is None or statement not in known.statements:
        return "(not loaded)"
    return known.statements[statement].says
