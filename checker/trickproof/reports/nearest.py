"""Which of some rulesets one is equal to, or differs from least: as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trickproof.diff.nearest import Neighbour
from trickproof.english.inflection import listed
from trickproof.reports.text import PLAIN, Page
from trickproof_dsl.library import Ruleset


@dataclass(frozen=True, slots=True)
class NeighbourDocument:
    """Another ruleset, and the aspects that are not the same."""

    ruleset: str
    equal: bool
    different: Sequence[str]
    undecided: Sequence[str]


@dataclass(frozen=True, slots=True)
class NearestDocument:
    """All others, the nearest first."""

    id: str
    equal_to: Sequence[str]
    nearest: Sequence[NeighbourDocument]


def nearest_document(ruleset: Ruleset, neighbours: Sequence[Neighbour]) -> NearestDocument:
    """All of them with what differs."""
    rows = [NeighbourDocument(x.ruleset.id, x.equal, x.different, x.undecided) for x in neighbours]
    return NearestDocument(ruleset.id, [x.ruleset.id for x in neighbours if x.equal], rows)


def nearest_text(ruleset: Ruleset, neighbours: Sequence[Neighbour], page: Page = PLAIN) -> str:
    """What it is equal to or differs from least, then the others."""
    lines = page.wrapped(_answer(ruleset, neighbours), hang=2)
    for x in neighbours:
        status = f"{len(x.different)} different" if x.different else "the same"
        undecided = f", {len(x.undecided)} undecided" if x.undecided else ""
        aspects = f": {', '.join((*x.different, *x.undecided))}" if not x.equal else ""
        lines += page.wrapped(f"{x.ruleset.id}: {status}{undecided}{aspects}", "  ", 4)
    return "\n".join(lines)


def _answer(ruleset: Ruleset, neighbours: Sequence[Neighbour]) -> str:
    equal = [x.ruleset.id for x in neighbours if x.equal]
    if equal:
        return f"{ruleset.id} plays the same as {listed(equal)}"
    if not neighbours:
        return f"there is nothing to compare {ruleset.id} with"
    best = neighbours[0]
    return (
        f"{ruleset.id} differs least from {best.ruleset.id}: in {listed([*best.different, *best.undecided])}"
    )
