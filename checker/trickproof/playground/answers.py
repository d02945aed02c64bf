"""Answers about a ruleset in the tab: findings one by one, a diff, the verdict on a house rule.

The functions are those of the command line; every answer contains the `--json` document and what the page
shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trickproof.check_runner.findings_cache import Cache
from trickproof.check_runner.known_issues import check_names, stale_known
from trickproof.check_runner.runner import one_by_one
from trickproof.checking.finding import Finding
from trickproof.diff.kept_pairs import compare_kept
from trickproof.english.differences import difference_sentence
from trickproof.english.rules import sentence
from trickproof.english.seats import names_at_table, with_names
from trickproof.english.vocabulary import plain
from trickproof.playground.texts import RefusedError, Texts
from trickproof.reports.comparison.diff import aspect_document, diff_document, summary
from trickproof.reports.comparison.validation import validation_document, validation_text
from trickproof.reports.site.deal_steps import deal_of, difference
from trickproof.testing.random_play import ENOUGH
from trickproof.validate.effects_on_play import chosen_policies
from trickproof.validate.validation import Plan, validate
from trickproof_dsl.library import Ruleset

Item = Mapping[str, object]

SOON = ("rules-complete", "examples-agree", "target-total")
"""Checks that need no proof about whole deals and run first."""

MOST_DEALS = 300
"""Number of deals simulated for the effects of a house rule; a tab cannot run compiled code."""


def checked(texts: Texts, request: Mapping[str, Any]) -> Iterator[Item]:
    """Yield each finding as soon as it is available."""
    ruleset = texts.ruleset(request["text"])
    names = check_names(ruleset)
    yield {"kind": "checks", "names": [(name, plain(name)) for name in names]}
    cache = Cache(ENOUGH)
    known = cache.findings(ruleset, names)
    for name in names:
        if name in known:
            yield _finding(ruleset, known[name])
    missing = [name for name in names if name not in known]
    findings = list(known.values())
    for finding, _ in one_by_one(ruleset, missing, first=SOON) if missing else ():
        findings.append(finding)
        if finding.internal_error is None:
            cache.keep(ruleset, [finding])
        yield _finding(ruleset, finding)
    yield {"kind": "stale", "names": stale_known(ruleset, findings)}


def _finding(ruleset: Ruleset, finding: Finding) -> Item:
    says, deal = finding.message, None
    if finding.witness is not None:
        says = with_names(says, names_at_table(finding.witness, ruleset.program.players))
        deal = deal_of(f"deal-{finding.check}", says, ruleset, finding.replayable)
    return {"kind": "finding", "finding": finding, "says": sentence(says), "deal": deal}


def compared(texts: Texts, request: Mapping[str, Any]) -> Iterator[Item]:
    """The diff with another ruleset, by default with the base."""
    ruleset = texts.ruleset(request["text"])
    name = request.get("other")
    base = texts.named(name) if name else ruleset.base
    if base is None:
        raise RefusedError("this ruleset has no base; choose a ruleset to compare it with")
    diff = compare_kept(base, ruleset)
    aspects = []
    for one in diff.every:
        says = [difference_sentence(way.how, way.when, base.id, ruleset.id) for way in one.ways]
        deal = None
        if one.parting is not None:
            title = f"{base.id} and {ruleset.id}"
            deal = difference(f"diff-{one.aspect}", title, base, ruleset, one.parting.answers.scenario)
        document = aspect_document(diff, one)
        aspects.append({**document, "title": plain(one.aspect), "says": says, "deal": deal})
    yield {"kind": "diff", "summary": summary(diff), "aspects": aspects, "document": diff_document(diff)}


def judged(texts: Texts, request: Mapping[str, Any]) -> Iterator[Item]:
    """The verdict on a house rule, with its fixes."""
    ruleset = texts.ruleset(request["text"])
    for one in (ruleset, *([] if ruleset.base is None else [ruleset.base])):
        yield from _filled(one)
    yield {"kind": "progress", "what": "comparing, and looking for fixes"}
    policies = chosen_policies(None)
    plan = Plan(MOST_DEALS if request.get("play") else 0, 0, 1, policies, policies)
    validation = validate(texts.library, ruleset, plan, Cache(ENOUGH))
    reason = validation.reason
    yield {
        "kind": "validation",
        "document": validation_document(validation),
        "text": validation_text(validation),
        "reason": None if reason is None else _finding(ruleset, reason),
        "note": f"Effects are from {MOST_DEALS} deals: a tab plays more slowly than the command line."
        if request.get("play")
        else "",
    }


def _filled(ruleset: Ruleset) -> Iterator[Item]:
    """Fill the cache with a ruleset's findings, yielding progress."""
    cache, names = Cache(ENOUGH), check_names(ruleset)
    known = cache.findings(ruleset, names)
    missing = [name for name in names if name not in known]
    for number, (finding, _) in enumerate(one_by_one(ruleset, missing) if missing else ()):
        if finding.internal_error is None:
            cache.keep(ruleset, [finding])
        yield {"kind": "progress", "what": f"{ruleset.id}: {number + 1} of {len(missing)} checks"}
