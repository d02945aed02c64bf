"""A sweep as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trickproof.reports.svg.charts import Measure, sweep_figure
from trickproof.reports.sweep import Row
from trickproof.reports.text import hundredfold

if TYPE_CHECKING:
    from trickproof_dsl.library import Ruleset


def sweep_chart(ruleset: Ruleset, names: Sequence[str], rows: Sequence[Row]) -> str:
    """Tricks by seat, deals per match and win rates by seat over the members, as far as they are counted."""
    first = rows[0].outcome
    labelled = [("; ".join(row.labels), row.outcome.counts) for row in rows]
    seats = range(first.counts.plan.players)
    measures = []
    if first.counts.plan.tricks:
        tricks = [(label, [counts.tricks(s) for s in seats]) for label, counts in labelled]
        measures.append(Measure("tricks per deal", tricks, first.seats))
    lengths = [(label, [counts.match_length().mean]) for label, counts in labelled]
    measures.append(Measure("deals per match", lengths, ["deals per match"]))
    if all(counts.matches for _, counts in labelled):
        wins = [(label, [hundredfold(x) for x in counts.wins()]) for label, counts in labelled]
        measures.append(Measure("matches won, %", wins, first.seats))
    return sweep_figure(measures, "; ".join(names), f"{ruleset.id}, {first.policy}")
