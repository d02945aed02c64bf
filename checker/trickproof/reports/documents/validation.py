"""A validation of a house rule as what `--json` prints of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trickproof.checking.finding import Finding
from trickproof.reports.documents.diff import AspectDocument, diff_document
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.confidence_intervals import Estimate
from trickproof.support.serialise import rounded
from trickproof.validate.dead_rules import Useless
from trickproof.validate.effects_on_play import POLICY, Effects, tricks_by_seat
from trickproof.validate.repairs import Repair
from trickproof.validate.validation import Guarantee, Validation


@dataclass(frozen=True, slots=True)
class PlayedDocument:
    """What was counted of the base, or with the house rule."""

    hands: int
    matches: int
    broken: int
    tricks_by_seat: Sequence[Estimate]
    target_met: Sequence[Estimate]
    match_length: Estimate
    win_share: Sequence[Estimate]


@dataclass(frozen=True, slots=True)
class DifferenceDocument:
    """House less base."""

    tricks_by_seat: Sequence[Estimate]


@dataclass(frozen=True, slots=True)
class EffectsDocument:
    """What the house rule does to play."""

    policy: str
    seed: int
    base: PlayedDocument
    house: PlayedDocument
    difference: DifferenceDocument


@dataclass(frozen=True, slots=True)
class ValidationDocument:
    """The verdict, its reasons, and everything that changes."""

    id: str
    base: str | None
    verdict: str
    reasons: Sequence[str]
    findings: Sequence[Finding]
    new_findings: Sequence[Finding]
    guarantees: Sequence[Guarantee]
    changes: Sequence[AspectDocument]
    useless: Sequence[Useless]
    equal_to: Sequence[str]
    effects: EffectsDocument | Mapping[str, object] = field(metadata=rounded(4))
    repairs: Sequence[Repair]


@dataclass(frozen=True, slots=True)
class ValidationsDocument:
    """Several house rules."""

    rulesets: Sequence[ValidationDocument]


def validation_document(validation: Validation) -> ValidationDocument:
    """All that is known of one house rule."""
    diff = None if validation.diff is None else diff_document(validation.diff)
    changes = [] if diff is None else [x for x in diff.aspects if x.status != "same"]
    return ValidationDocument(
        id=validation.ruleset.id,
        base=None if validation.base is None else validation.base.id,
        verdict="accepted" if validation.accepted else "rejected",
        reasons=[x.message for x in validation.new],
        findings=validation.findings,
        new_findings=validation.new,
        guarantees=validation.guarantees,
        changes=[*changes, *(() if diff is None else diff.others)],
        useless=validation.useless,
        equal_to=validation.equal_to,
        effects={} if validation.effects is None else effects_document(validation.effects),
        repairs=validation.repairs,
    )


def effects_document(effects: Effects) -> EffectsDocument:
    """Both sides and their difference."""
    return EffectsDocument(
        POLICY,
        effects.seed,
        _played(effects.base),
        _played(effects.house),
        DifferenceDocument(effects.difference),
    )


def _played(outcome: Outcome) -> PlayedDocument:
    counts = outcome.counts
    return PlayedDocument(
        hands=counts.hands,
        matches=counts.matches,
        broken=counts.broken,
        tricks_by_seat=tricks_by_seat(outcome),
        target_met=[counts.met(s) for s in range(counts.plan.players)] if counts.plan.met else [],
        match_length=counts.match_length().mean,
        win_share=counts.wins_by_start(),
    )
