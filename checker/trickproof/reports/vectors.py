"""Test vectors: the coverage of a set, and the vectors of a file that disagree with the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from trickproof.english.inflection import counted, listed
from trickproof.reports.text import PLAIN, Page
from trickproof.vectors.coverage_goal import Goal
from trickproof.vectors.generate import Cover
from trickproof_dsl.library import Ruleset

SHOWN = 5
"""Maximum number of differences printed per vector."""


@dataclass(frozen=True, slots=True)
class Disagreeing:
    """A vector that disagrees, its line in the file, and how it differs from the rules."""

    id: str
    line: int
    differences: Sequence[str]


@dataclass(frozen=True, slots=True)
class Verification:
    """How many vectors of a file agree, and those that do not."""

    vectors: int
    agree: int
    disagree: Sequence[Disagreeing]


def coverage_text(ruleset: Ruleset, cover: Cover, page: Page = PLAIN) -> str:
    """How many goals the vectors reach, and which are missed."""
    return "\n".join(_coverage(ruleset, cover, page))


def _coverage(ruleset: Ruleset, cover: Cover, page: Page) -> Iterator[str]:
    number = len(cover.vectors)
    covers = "vectors cover" if number != 1 else "vector covers"
    played = f"{counted(cover.hands, 'deal')} {'was' if cover.hands == 1 else 'were'} played"
    yield from page.wrapped(
        f"{ruleset.id}: {number} {covers} {cover.covered} of {cover.goals} goals ({played})", hang=2
    )
    if cover.missed:
        yield f"{cover.needed} vectors would cover {counted(len(cover.missed), 'more goal')}:"
        yield from _goals(cover.missed, page)
    if cover.unreached:
        some = "was" if len(cover.unreached) == 1 else "were"
        yield f"{counted(len(cover.unreached), 'goal')} {some} not reached (some may be infeasible):"
        yield from _goals(cover.unreached, page)


def _goals(goals: Sequence[Goal], page: Page) -> Iterator[str]:
    """Goals, with the cases of the same part of a rule together."""
    cases: dict[str, list[str]] = {}
    for goal in goals:
        cases.setdefault(goal.subject, []).append(goal.case)
    for subject, some in cases.items():
        yield from page.wrapped(f"{subject}: {'; '.join(some)}", "  ", 6)


def verification_text(
    verification: Verification, page: Page = PLAIN, written_for: Collection[str] = ()
) -> str:
    """The vectors that disagree, each with its first differences, and how many agree.

    `written_for` names other rulesets that they were written for.
    """
    lines = []
    for one in verification.disagree:
        lines.append(f"{one.id} disagrees:")
        for difference in one.differences[:SHOWN]:
            lines += page.wrapped(difference, "  ", 6)
        if len(one.differences) > SHOWN:
            lines.append(f"  and {len(one.differences) - SHOWN} more")
    others = f"; they were written for {listed(sorted(written_for))}" if written_for else ""
    lines.append(f"{verification.agree} of {verification.vectors} vectors agree{others}")
    return "\n".join(lines)
