"""A comparison of rulesets as what `--json` prints of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trickproof.diff.results import Compared, Readings, Status, Way
from trickproof.diff.ruleset_diff import Diff, Grouped
from trickproof.diff.witnesses.distinguishing_hands import Direction, Parting
from trickproof.english.aspects import describe
from trickproof.reports.diff import cell_text, named_sides, readings_taken, text_diff
from trickproof.support.serialise import INLINE, OPTIONAL
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

Answer = Mapping[str, Any]
"""A part of what `replay` answers."""


@dataclass(frozen=True, slots=True)
class SideDocument:
    """What a ruleset says of an aspect, where, and on what grounds."""

    text: str
    where: Span | None
    cites: Sequence[str]


@dataclass(frozen=True, slots=True)
class BothSides:
    """Something of each side."""

    a: Any
    b: Any


@dataclass(frozen=True, slots=True)
class WitnessDocument:
    """A hand under both: the scenario, both states, and the first event at which they differ."""

    breaks_down: Mapping[str, Answer] = field(metadata=OPTIONAL)
    scenario: Mapping[str, Any]
    a: Answer
    b: Answer
    event: int | None
    next: BothSides
    parts_before: bool
    next_hand: BothSides | None


@dataclass(frozen=True, slots=True)
class WayDocument:
    """One way in which an aspect differs."""

    how: str
    when: str | None
    cases: int | None
    witness: WitnessDocument | None


@dataclass(frozen=True, slots=True)
class DifferenceDocument:
    """What is known of an aspect that is not the same."""

    complete: bool
    game: str | None
    direction: Direction | None
    classes: Sequence[WayDocument]


@dataclass(frozen=True, slots=True)
class ReadingsDocument:
    """What came of one choice of readings, by rule."""

    a: Mapping[str, str]
    b: Mapping[str, str]
    status: Status


@dataclass(frozen=True, slots=True)
class ByReadings:
    """The status for each choice of readings; `differs_under` is `all`, `some` or `none` of them."""

    readings: Sequence[ReadingsDocument]
    differs_under: str


@dataclass(frozen=True, slots=True)
class TextDocument:
    """The rule texts of both, line by line, as `diff -u` marks them."""

    text: Sequence[str]


@dataclass(frozen=True, slots=True)
class AspectDocument:
    """One aspect of two rulesets."""

    aspect: str
    status: Status
    method: str
    why: str
    a: SideDocument
    b: SideDocument
    witness: WitnessDocument | None
    difference: DifferenceDocument | None = field(metadata=INLINE)
    by_readings: ByReadings | None = field(metadata=INLINE)
    text: TextDocument | None = field(metadata=INLINE)


@dataclass(frozen=True, slots=True)
class DiffDocument:
    """Two rulesets: the aspects of the contract, and other rules."""

    a: str
    b: str
    aspects: Sequence[AspectDocument]
    others: Sequence[AspectDocument]


@dataclass(frozen=True, slots=True)
class ClassesDocument:
    """Several rulesets: by aspect, those that do the same."""

    rulesets: Sequence[str]
    aspects: Sequence[Grouped]


def diff_document(diff: Diff, text: bool = False) -> DiffDocument:
    """All that is known of every aspect; with `text` also how the rule texts differ."""
    return DiffDocument(
        diff.a.id,
        diff.b.id,
        [_aspect(diff, one, text) for one in diff.aspects],
        [_aspect(diff, one, text) for one in diff.others],
    )


def _aspect(diff: Diff, one: Compared, text: bool) -> AspectDocument:
    return AspectDocument(
        aspect=one.aspect,
        status=one.status,
        method=one.method.value,
        why=one.why,
        a=_side(diff.a, one.aspect),
        b=_side(diff.b, one.aspect),
        witness=None if one.parting is None else _witness(one.parting),
        difference=None if one.status == "same" else _difference(diff, one),
        by_readings=_by_readings(diff, one) if len(one.readings) > 1 else None,
        text=TextDocument(text_diff(diff, one.aspect)) if text else None,
    )


def _side(ruleset: Ruleset, aspect: str) -> SideDocument:
    cell = describe(ruleset, aspect)
    return SideDocument(cell_text(cell), cell.where, cell.cites)


def _difference(diff: Diff, one: Compared) -> DifferenceDocument:
    ways = [_way(diff, way) for way in one.ways]
    return DifferenceDocument(one.complete, one.game or None, one.direction, ways)


def _way(diff: Diff, way: Way) -> WayDocument:
    witness = None if way.parting is None else _witness(way.parting)
    return WayDocument(named_sides(diff, way.how), way.when, len(way.cases) or None, witness)


def _witness(parting: Parting) -> WitnessDocument:
    answers = parting.answers
    sides = (("a", answers.a), ("b", answers.b))
    return WitnessDocument(
        breaks_down={side: answer["error"] for side, answer in sides if not answer["ok"]},
        scenario=answers.scenario,
        a=answers.a["state"],
        b=answers.b["state"],
        event=answers.event,
        next=BothSides(answers.a["next"], answers.b["next"]),
        parts_before=parting.masked,
        next_hand=None if answers.later is None else BothSides(*answers.later),
    )


def _by_readings(diff: Diff, one: Compared) -> ByReadings:
    return ByReadings([_readings(diff, x) for x in one.readings], _under(one))


def _readings(diff: Diff, x: Readings) -> ReadingsDocument:
    return ReadingsDocument(readings_taken(diff.a, x.a), readings_taken(diff.b, x.b), x.status)


def _under(one: Compared) -> str:
    """Under how many of the readings of both sides an aspect differs."""
    statuses = {x.status for x in one.readings}
    if "different" not in statuses:
        return "none"
    return "some" if "same" in statuses else "all"
