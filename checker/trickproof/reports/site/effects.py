"""The effects of the rules on play: simulation statistics by policy, as a chart and as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from trickproof.reports.simulation import MET, cautions, match_length, scored_apart
from trickproof.reports.site.kept_outcomes import kept_outcome
from trickproof.reports.svg.charts import Measure, figure, sweep_figure
from trickproof.reports.text import estimate, hundredfold, percentage
from trickproof.simulate.ir.calling_convention import BeyondError, searches
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.confidence_intervals import Estimate
from trickproof_dsl.library import Ruleset

POLICIES = ("random", "greedy", "search:20")

SEARCHED = 40
"""One deal in so many is played by players who search, which takes them far longer."""

UNKNOWN = Estimate(inf, -inf, inf)
"""A share of no matches, which is not drawn."""


Watch = Callable[[int, str], None]
"""Called with the number of policies done and the next one."""


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
    """A ruleset under every policy and a drawing of all of them, or why it cannot be simulated."""

    ruleset: Ruleset
    played: tuple[Played, ...]
    drawing: str = ""
    beyond: str | None = None


def effects(
    ruleset: Ruleset,
    hands: int,
    workers: int,
    policies: Sequence[str] = POLICIES,
    watch: Watch = lambda done, policy: None,
) -> Effects:
    """Simulate the same deals under each policy, from seed 0; the first of them if players search."""
    outcomes = []
    try:
        for done, policy in enumerate(policies):
            watch(done, policy)
            number = max(1, hands // SEARCHED) if searches([policy]) else hands
            outcomes.append(kept_outcome(ruleset, policy, number, workers))
    except BeyondError as why:
        return Effects(ruleset, (), beyond=str(why))
    return Effects(ruleset, tuple(map(_played, outcomes)), _drawing(outcomes))


def _drawing(outcomes: Sequence[Outcome]) -> str:
    """Match length and wins by seat under each policy."""
    counted = [(outcome.policy, outcome.counts) for outcome in outcomes]
    length = [(policy, [counts.match_length().mean]) for policy, counts in counted]
    wins = [
        (policy, [hundredfold(x) if counts.matches else UNKNOWN for x in counts.wins_by_start()])
        for policy, counts in counted
    ]
    measures = [
        Measure("deals per match", length, ["deals per match"]),
        Measure("matches won, by seat in the first deal, %", wins, outcomes[0].seats),
    ]
    return sweep_figure(measures, "policy", outcomes[0].ruleset)


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
        ("wins, by seat in the first deal", counts.tell_of_matches, lambda s: percentage(wins[s])),
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
