"""A simulation, two compared, or a sweep, as what `--json` prints of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trickproof.simulate.statistics.estimates import Counts
from trickproof.simulate.statistics.outcome import LENGTH, Broken, Outcome, Paired
from trickproof.support.confidence_intervals import Estimate
from trickproof.support.serialise import INLINE, OPTIONAL, rounded

if TYPE_CHECKING:
    from trickproof.reports.sweep import Row
    from trickproof_dsl.library import Ruleset

ROUNDED = rounded(6)
"""Decimals of every figure."""


@dataclass(frozen=True, slots=True)
class Played:
    """What was played, how, and how much of it."""

    ruleset: str
    title: str
    parameters: Mapping[str, int]
    readings: Mapping[str, int | str]
    policy: str | Mapping[str, str]
    """One for all, or by the names of the seats."""
    seed: int
    backend: str
    hands: int
    hands_per_second: int | None
    matches: int
    unfinished: int
    broken: int
    breakdowns: Sequence[Broken]
    left_out: Sequence[str]


@dataclass(frozen=True, slots=True)
class WithSpread:
    """An estimate with the standard deviation of single hands or matches."""

    estimate: Estimate = field(metadata=INLINE)
    sd: float


@dataclass(frozen=True, slots=True)
class MatchLength:
    """Hands of a match."""

    mean: Estimate = field(metadata=INLINE)
    median: int | None
    p90: int | None


@dataclass(frozen=True, slots=True)
class Exchange:
    """Cards given away in a hand."""

    cards_given: Estimate
    distribution: Sequence[float]


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """What is counted of a seat; `win_share_by_start` and `score` are of the player whose index it is."""

    seat: str
    tricks: WithSpread | None = field(metadata=OPTIONAL)
    deviation: WithSpread | None = field(metadata=OPTIONAL)
    target_met: Estimate | None = field(metadata=OPTIONAL)
    win_share: Estimate
    win_share_by_start: Estimate
    score: WithSpread | None = field(metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class SimulationDocument:
    """One ruleset played; `interrupted` stands only where it was."""

    played: Played = field(metadata=INLINE)
    tricks_by_seat: Sequence[float] = field(metadata=ROUNDED)
    match_length: MatchLength = field(metadata=ROUNDED)
    win_share: Sequence[float] = field(metadata=ROUNDED)
    win_share_by_start: Sequence[float] = field(metadata=ROUNDED)
    winners: Sequence[int]
    exchange: Exchange | None = field(metadata=ROUNDED)
    seats: Sequence[SeatFigures] = field(metadata=ROUNDED)
    tricks_distribution: Sequence[Sequence[float]] = field(metadata=ROUNDED)
    interrupted: bool | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class Difference:
    """B less A, by seat or over all."""

    tricks_by_seat: Sequence[Estimate]
    deviation_by_seat: Sequence[Estimate]
    target_met_by_seat: Sequence[Estimate]
    cards_given: Estimate | None
    match_length: Estimate | None


@dataclass(frozen=True, slots=True)
class PairedDocument:
    """Two played on the same deals."""

    a: SimulationDocument
    b: SimulationDocument
    difference: Difference = field(metadata=ROUNDED)


@dataclass(frozen=True, slots=True)
class MemberDocument:
    """A member of a sweep; `sound` is null where the checks were not run."""

    values: Mapping[str, str]
    sound: bool | None
    rejected_by: Sequence[str]
    outcome: SimulationDocument


@dataclass(frozen=True, slots=True)
class SweepDocument:
    """Every member with its values; `interrupted` stands only where it was."""

    ruleset: str
    vary: Sequence[str]
    members: Sequence[MemberDocument]
    interrupted: bool | None = field(default=None, metadata=OPTIONAL)


def simulation_document(outcome: Outcome, interrupted: bool = False) -> SimulationDocument:
    """All that is counted of one ruleset."""
    counts, plan, seats = outcome.counts, outcome.counts.plan, range(outcome.counts.plan.players)
    length = counts.match_length()
    return SimulationDocument(
        played=_played(outcome),
        tricks_by_seat=[counts.tricks(s).mean for s in seats if plan.tricks],
        match_length=MatchLength(length.mean, length.median, length.ninety),
        win_share=[x.mean for x in counts.wins()],
        win_share_by_start=[x.mean for x in counts.wins_by_start()],
        winners=counts.winners(),
        exchange=Exchange(counts.given(), counts.given_distribution()) if plan.give else None,
        seats=[_seat(counts, s, name) for s, name in enumerate(outcome.seats)],
        tricks_distribution=[counts.distribution(s) for s in seats if plan.tricks],
        interrupted=interrupted or None,
    )


def _played(outcome: Outcome) -> Played:
    counts, speed = outcome.counts, outcome.hands_per_second
    alike = len(set(outcome.policies)) == 1
    return Played(
        ruleset=outcome.ruleset,
        title=outcome.title,
        parameters=outcome.parameters,
        readings=outcome.readings,
        policy=outcome.policies[0] if alike else dict(zip(outcome.seats, outcome.policies, strict=True)),
        seed=outcome.seed,
        backend=outcome.backend,
        hands=outcome.hands,
        hands_per_second=None if speed is None else round(speed),
        matches=counts.matches,
        unfinished=counts.unfinished,
        broken=counts.broken,
        breakdowns=outcome.by_frequency,
        left_out=outcome.left_out,
    )


def _seat(counts: Counts, seat: int, name: str) -> SeatFigures:
    plan, spread = counts.plan, counts.spread(seat)
    score = counts.scores()[seat] if plan.score else None
    return SeatFigures(
        seat=name,
        tricks=WithSpread(counts.tricks(seat), spread.tricks) if plan.tricks else None,
        deviation=WithSpread(counts.over(seat), spread.over) if plan.over else None,
        target_met=counts.met(seat) if plan.met else None,
        win_share=counts.wins()[seat],
        win_share_by_start=counts.wins_by_start()[seat],
        score=None if score is None else WithSpread(score.mean, score.spread),
    )


def paired_document(paired: Paired) -> PairedDocument:
    """Both, and B less A in the order of the seats."""
    differences, seats = paired.differences, range(paired.a.counts.plan.players)

    def by_seat(name: str) -> list[Estimate]:
        return [differences[f"{name}.{s}"] for s in seats if f"{name}.{s}" in differences]

    return PairedDocument(
        simulation_document(paired.a),
        simulation_document(paired.b),
        Difference(
            by_seat("tricks"),
            by_seat("over"),
            by_seat("met"),
            differences.get("given"),
            differences.get(LENGTH),
        ),
    )


def sweep_document(
    ruleset: Ruleset, names: Sequence[str], rows: Sequence[Row], interrupted: bool = False
) -> SweepDocument:
    """Every member with its values and all that `simulate --json` says of it."""
    members = [
        MemberDocument(
            values=dict(zip(names, row.labels, strict=True)),
            sound=None if row.flaws is None else not row.flaws,
            rejected_by=row.flaws or (),
            outcome=simulation_document(row.outcome),
        )
        for row in rows
    ]
    return SweepDocument(ruleset.named, names, members, interrupted or None)
