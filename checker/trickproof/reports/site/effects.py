"""The effects of the rules on play: simulation statistics by policy, as a chart and as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trickproof.reports.simulation import MET, cautions, match_length, scored_apart
from trickproof.reports.svg.charts import figure
from trickproof.reports.text import estimate, percentage
from trickproof.simulate.api import simulate
from trickproof.simulate.ir.calling_convention import BeyondError
from trickproof.simulate.statistics.outcome import Outcome
from trickproof_dsl.library import Ruleset

POLICIES = ("random", "greedy")


@dataclass(frozen=True, slots=True)
class Row:
    """One row per seat, with a cell for each heading."""

    seat: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A ruleset under one policy."""

    policy: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    length: str
    cautions: tuple[str, ...]
    drawing: str


@dataclass(frozen=True, slots=True)
class Effects:
    """A ruleset under every policy, or why it cannot be simulated."""

    ruleset: Ruleset
    played: tuple[Played, ...]
    beyond: str | None = None


def effects(ruleset: Ruleset, hands: int, policies: Sequence[str] = POLICIES) -> Effects:
    """Simulate the same deals under each policy, from seed 0."""
    try:
        outcomes = [simulate(ruleset, hands=hands, policies=[policy]) for policy in policies]
    except BeyondError as why:
        return Effects(ruleset, (), str(why))
    return Effects(ruleset, tuple(map(_played, outcomes)))


def _played(outcome: Outcome) -> Played:
    counts, plan = outcome.counts, outcome.counts.plan
    wins, own = counts.wins_by_start(), scored_apart(counts)
    columns: list[tuple[str, object, Callable[[int], str]]] = [
        ("tricks", plan.tricks and counts.hands, lambda s: estimate(counts.tricks(s))),
        (
            MET.get(plan.met, "").replace("\n", " "),
            plan.met and counts.hands,
            lambda s: percentage(counts.met(s)),
        ),
        ("score", "score" in own and counts.hands, lambda s: estimate(counts.scored(s), sign="+")),
        ("payout", "payout" in own and counts.hands, lambda s: estimate(counts.paid(s), sign="+")),
        ("wins, by seat in the first deal", counts.matches, lambda s: percentage(wins[s])),
    ]
    shown = [(heading, cell) for heading, there, cell in columns if there]
    rows = [Row(name, tuple(cell(s) for _, cell in shown)) for s, name in enumerate(outcome.seats)]
    return Played(
        outcome.policy,
        tuple(heading for heading, _ in shown),
        tuple(rows),
        match_length(counts) if counts.hands else "no deal was played to its end",
        tuple(cautions(outcome)),
        figure(outcome),
    )
