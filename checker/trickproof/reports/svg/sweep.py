"""A sweep as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trickproof.reports.svg.charts import sweep_figure
from trickproof.reports.sweep import Row

if TYPE_CHECKING:
    from trickproof_dsl.library import Ruleset


def sweep_chart(ruleset: Ruleset, names: Sequence[str], rows: Sequence[Row]) -> str:
    """Tricks by seat over the members, or the length of matches where no tricks are counted."""
    first = rows[0].outcome
    label = "; ".join(names)
    seats = range(first.counts.plan.players)
    if first.counts.plan.tricks:
        points = [("; ".join(r.labels), [r.outcome.counts.tricks(s) for s in seats]) for r in rows]
        return sweep_figure(points, first.seats, label, "tricks a hand", f"{ruleset.id}, {first.policy}")
    lengths = [("; ".join(r.labels), [r.outcome.counts.match_length().mean]) for r in rows]
    return sweep_figure(
        lengths, ["hands of a match"], label, "hands of a match", f"{ruleset.id}, {first.policy}"
    )
