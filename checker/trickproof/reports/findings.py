"""Findings as text for people: a line a check, grouped by ruleset; with details, what each rests on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from trickproof.check_runner.known_issues import stale_known
from trickproof.check_runner.runner import Checked
from trickproof.checking.finding import Finding, Recheck
from trickproof.checking.verdict import Method, Verdict
from trickproof.english.inflection import counted
from trickproof.reports.citations import statement_of
from trickproof.reports.played_hand import deals_before, played_hand
from trickproof.reports.text import PLAIN, Label, Page
from trickproof.support.locations import at, source_lines
from trickproof.support.serialise import Content
from trickproof_dsl.files.model import RuleDecl
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json

VERDICT_WIDTH = 18
"""Characters of the column of verdicts."""

Findings = Sequence[tuple[Ruleset, Sequence[Finding]]]
"""Rulesets with their findings."""


def check_document(checked: Checked) -> Content:
    """What `check --json` prints: findings, what is recorded as known though not found, where the tool contradicts itself."""
    rulesets = [
        {"id": ruleset.id, "findings": findings, "stale_known": stale_known(ruleset, findings)}
        for ruleset, findings in checked.findings
    ]
    return {"rulesets": rulesets, "disagreements": checked.disagreements}


def report(checked: Findings, verbose: bool = False, page: Page = PLAIN) -> str:
    """All findings; no final line break."""
    blocks = ["\n".join(_ruleset(page, ruleset, findings, verbose)) for ruleset, findings in checked]
    return "\n\n".join([*blocks, summary(checked)])


def summary(checked: Findings) -> str:
    """One line: how many findings of each verdict."""
    every = [finding for _, findings in checked for finding in findings]
    counts = Counter(finding.verdict for finding in every)
    known = Counter(finding.verdict for finding in every if finding.known)
    totals = [
        f"{counts[verdict]} {verdict}" + (f" ({known[verdict]} known)" if known[verdict] else "")
        for verdict in Verdict
        if counts[verdict]
    ]
    return f"{counted(len(checked), 'ruleset')}: {', '.join(totals) or 'nothing was checked'}"


def _ruleset(page: Page, ruleset: Ruleset, findings: Sequence[Finding], verbose: bool) -> Iterator[str]:
    yield from page.wrapped(f"{ruleset.id}: {ruleset.title}", hang=2)
    width = max((len(finding.check) for finding in findings), default=0)
    for finding in findings:
        verdict = f"{finding.verdict}{', known' if finding.known else ''}"
        labels = [Label(finding.check, width), Label(verdict, VERDICT_WIDTH, finding.verdict.value)]
        yield from page.labelled(labels, f"[{finding.method}] {finding.message}")
        if finding.recheck is not None:
            yield from page.wrapped(_rechecked(finding.recheck, finding.method), " " * 6)
        if verbose:
            yield from _details(page, ruleset, finding)
    for name in stale_known(ruleset, findings):
        yield from page.wrapped(f"note: `{name}` is recorded as known, but was not found", "  ")


def _rechecked(recheck: Recheck, method: Method) -> str:
    """What a second solver said about a proof."""
    if recheck.solver is None:
        solved = method not in (Method.STATIC, Method.ENUMERATION)
        return "nothing to recheck: " + ("the solver answered no question with no" if solved else method)
    agrees = "agree" if " and " in recheck.solver else "agrees"
    outcome = f"rechecked: {recheck.solver} {agrees} on {counted(recheck.agreed, 'question')}"
    return f"{outcome} ({recheck.gave_up} gave up)" if recheck.gave_up else outcome


def _details(page: Page, ruleset: Ruleset, finding: Finding) -> Iterator[str]:
    if finding.where is not None:
        yield from page.wrapped(at(finding.where), "      at ")
        rule = next((r for r in ruleset.whole.rules.values() if r.name.span == finding.where), None)
        if rule is not None:
            yield from _rule(page, rule)
    for cite in finding.cites:
        yield from page.wrapped(f"{cite}: {statement_of(ruleset, cite) or '(not loaded)'}", "      cites ")
    for key, values in (
        ("assumes", finding.assumes),
        ("reading", finding.readings),
        ("note", finding.details),
    ):
        for value in values:
            yield from page.wrapped(value, f"      {key} ")
    if finding.reason is not None:
        yield from page.wrapped(finding.reason, "      known because ")
    if finding.witness is not None:
        yield from _witness(page, ruleset, finding.witness, finding.match)


def _witness(
    page: Page, ruleset: Ruleset, hand: Mapping[str, Json], match: Sequence[Mapping[str, Json]] | None
) -> Iterator[str]:
    """A hand as it goes at the table, with what went before it in short, and as a line for `replay`."""
    if match is not None and len(match) > 1:
        yield f"      witness, hand {len(match)} of a match:"
        yield from deals_before(page, ruleset, match, 8)
    else:
        yield "      witness:"
    yield from played_hand(page, ruleset, hand, 8, match)
    line = hand if match is None or len(match) == 1 else {"match": match}
    yield f"        {json.dumps(line, ensure_ascii=False)}"


def _rule(page: Page, rule: RuleDecl) -> Iterator[str]:
    """The rule's text as it is written, with its indentation."""
    texts = [rule.text] if rule.text else [reading.text for reading in rule.readings]
    for line in (line for text in texts for line in source_lines(text)):
        head = f"        | {' ' * (len(line) - len(line.lstrip()))}"
        yield from page.wrapped(line.strip(), head, len(head) + 8)
