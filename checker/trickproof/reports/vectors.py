"""Test vectors: the coverage of a set, and the vectors of a file that disagree with the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


def coverage_text(ruleset: Ruleset, cover: Cover) -> str:
    """How many goals the vectors reach, and which are missed."""
    return "\n".join(_coverage(ruleset, cover))


def _coverage(ruleset: Ruleset, cover: Cover) -> Iterator[str]:
    number = len(cover.vectors)
    yield (
        f"{ruleset.id}: {number} {'vectors cover' if number != 1 else 'vector covers'} {cover.covered} of {cover.goals} goals "
        f"({cover.hands} deals were played)"
    )
    if cover.missed:
        yield f"{cover.needed} vectors would cover {len(cover.missed)} more goals:"
        yield from (f"  {goal.placed}" for goal in cover.missed)
    if cover.unreached:
        yield f"{len(cover.unreached)} goals were not reached (some may be infeasible):"
        yield from (f"  {goal.placed}" for goal in cover.unreached)


def verification_text(verification: Verification) -> str:
    """The vectors that disagree, each with its first differences, and how many agree."""
    lines = []
    for one in verification.disagree:
        lines.append(f"{one.id} does not agree:")
        lines += [f"  {difference}" for difference in one.differences[:SHOWN]]
        if len(one.differences) > SHOWN:
            lines.append(f"  and {len(one.differences) - SHOWN} more")
    lines.append(f"{verification.agree} of {verification.vectors} vectors agree")
    return "\n".join(lines)
