"""`rules-complete`: no rule the game needs is unspecified.

A rule that is missing, that the document is silent about, that rests on an assumption alone, or that players could
take in several ways, will be argued about at the table.  The finding lists each with what was assumed.  It also
answers for rules that give no value in a situation that play reaches.
"""

from __future__ import annotations

from dataclasses import replace

from trickproof.claim import Check
from trickproof.finding import Finding
from trickproof.playing import FALLBACK
from trickproof.subject import Subject, is_standard, tested
from trickproof.verdict import Method, Verdict
from trickproof_dsl.document import Backing, RuleDecl
from trickproof_dsl.source import Span

Gap = tuple[str, str, Span]
"""A rule, what is open about it, and where it stands."""


def _run(check: Check, subject: Subject) -> Finding:
    if check.name in subject.played.violations:
        return tested(check, subject)
    gaps = list(_gaps(subject))
    if not gaps:
        message = f"all {len(subject.usage.rules)} rules the game needs rest on the document"
        return subject.finding(check, Verdict.PROVED, Method.STATIC, message)
    message = "; ".join(f"`{rule}` {what}" for rule, what, _ in gaps)
    finding = subject.finding(check, Verdict.UNSPECIFIED, Method.STATIC, message, where=gaps[0][2])
    places = tuple(f"{span.source.name}:{span.line}: `{rule}` {what}" for rule, what, span in gaps)
    rules = [subject.ruleset.whole.rules[rule] for rule, _, _ in gaps if rule in subject.ruleset.whole.rules]
    assumes = tuple(dict.fromkeys(w.value for rule in rules for w in rule.backing.assumes))
    readings = tuple(f"{rule.name.value}: {r.name.value}" for rule in rules for r in rule.readings)
    return replace(finding, details=places, assumes=assumes, readings=readings)


def _gaps(subject: Subject) -> list[Gap]:
    whole, usage = subject.ruleset.whole, subject.usage
    missing = dict(usage.missing)
    gaps: list[Gap] = []
    for name, part in (("players", whole.players), ("deck", whole.deck)):
        if part is not None and part.backing.assumes and not part.backing.cites:
            gaps.append((name, f"is assumed: {_assumed(part.backing)}", part.span))
    for name, rule in whole.rules.items():
        if name in missing or name in usage.rules:
            what = _open(rule)
            if what:
                place = subject.ruleset.own.id.span if is_standard(rule) else rule.name.span
                gaps.append((name, what, place))
    return gaps


def _open(rule: RuleDecl) -> str | None:
    """What is open about a rule, or None.  Rules of the standard vocabulary with a text need no backing."""
    if rule.silent is not None:
        return f"is left open: {rule.silent.value}"
    if rule.text is None and not rule.readings:
        return "is missing"
    if rule.readings:
        names = " or ".join(reading.name.value for reading in rule.readings)
        return f"can be read in {len(rule.readings)} ways: {names}"
    if rule.backing.assumes and not rule.backing.cites:
        return f"is assumed: {_assumed(rule.backing)}"
    return None


def _assumed(backing: Backing) -> str:
    return "; ".join(word.value for word in backing.assumes)


CHECK = Check(FALLBACK, (), _run)
