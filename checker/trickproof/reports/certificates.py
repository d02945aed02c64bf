"""Certificate verification results, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trickproof.certificates.verifier import Verified
from trickproof.english.inflection import counted
from trickproof.reports.text import PLAIN, Page
from trickproof.support.serialise import Content

MOST = 10
"""Maximum number of leaves listed per kind."""


def document(verified: Sequence[Verified]) -> Content:
    """One entry per ruleset: its roots (`claimed`), which of them say that a check is refuted, and the leaves that fail.

    Also what is not certified, and why.
    """
    return {
        "rulesets": [
            {
                "id": one.ruleset,
                "certified": [] if one.failed or one.unknown else [*one.roots, *one.refuted],
                "claimed": [*one.roots, *one.refuted],
                "refuted": list(one.refuted),
                "not_certified": [{"check": name, "reason": why} for name, why in one.not_certified.items()],
                "leaves": one.leaves,
                "questions": one.asked,
                "failed": list(one.failed),
                "unknown": list(one.unknown),
            }
            for one in verified
        ]
    }


def report(verified: Sequence[Verified], page: Page = PLAIN) -> str:
    """One paragraph per ruleset."""
    return "\n".join(line for one in verified for line in _about(one, page))


def _about(one: Verified, page: Page) -> Iterator[str]:
    number = counted(one.leaves, "leaf", "leaves")
    outcome = "1 leaf holds" if one.leaves == 1 else f"all {number} hold"
    if one.failed:
        outcome = f"{len(one.failed)} of {number} failed"
    elif one.unknown:
        outcome = f"{len(one.unknown)} of {number} undecided"
    yield from page.wrapped(f"{one.ruleset}: {outcome} ({counted(one.asked, 'question')})", hang=2)
    for line in [*one.failed[:MOST], *one.unknown[:MOST]]:
        yield from page.wrapped(line, "  ", 4)
    standing = "certified" if not (one.failed or one.unknown) else "not shown"
    yield from page.wrapped(f"{standing}: {', '.join(one.roots) or 'nothing'}", "  ", 4)
    if one.refuted:
        yield from page.wrapped(f"{standing} as refuted: {', '.join(one.refuted)}", "  ", 4)
    reasons: dict[str, list[str]] = {}
    for name, why in one.not_certified.items():
        reasons.setdefault(why, []).append(name)
    for why, names in reasons.items():
        yield from page.wrapped(f"not certified: {', '.join(names)} ({why})", "  ", 4)
