"""A sweep as a table, as JSON and as a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tabulate import tabulate

from trickproof.english.inflection import listed
from trickproof.simulate.output.charts import sweep_figure
from trickproof.simulate.output.report import outcome_json
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.confidence_intervals import Estimate
from trickproof_dsl.library import Ruleset


@dataclass(frozen=True)
class Row:
    """One member: its values by axis, what came of it, and the checks that reject it (None: they were not asked)."""

    labels: list[str]
    outcome: Outcome
    flaws: tuple[str, ...] | None

    @property
    def sound(self) -> str:
        if self.flaws is None:
            return "not asked"
        return f"no: {', '.join(self.flaws)}" if self.flaws else "yes"


def sweep_text(ruleset: Ruleset, names: Sequence[str], rows: Sequence[Row]) -> str:
    """A row a member."""
    first = rows[0].outcome
    heads = [*names, *(f"tricks, {seat}" for seat in first.seats)] if first.counts.plan.tricks else [*names]
    heads += ["hands of a match", *(f"wins, {seat}" for seat in first.seats), "sound"]
    table = tabulate([_cells(row) for row in rows], heads, tablefmt="simple", disable_numparse=True)
    told = f"{ruleset.id} · {first.policy} · {_hands(rows)} each, on the same deals · seed {first.seed} · {first.backend}"
    notes = [
        "note: every figure is for this policy ("
        + first.policy
        + "): others change it; intervals hold with 95 %"
    ]
    notes += [f"note: {told} of {' '.join(row.labels)}" for row in rows for told in _troubles(row.outcome)]
    if any(row.flaws for row in rows):
        notes.append("note: the figures of members that are not sound are of a game that does not hold")
    lines = [line.rstrip() for line in table.splitlines()]
    return "\n".join([told, "", *lines, "", *notes])


def _hands(rows: Sequence[Row]) -> str:
    hands = max(row.outcome.hands for row in rows)
    return "1 hand" if hands == 1 else f"{hands:,} hands"


def _troubles(outcome: Outcome) -> Iterator[str]:
    """What a member's figures leave out."""
    if outcome.counts.broken:
        yield f"the rules broke down in {outcome.counts.broken:,} hands, which ended the match there,"
    if outcome.left_out:
        yield f"{listed(list(outcome.left_out))} could not be played,"


def _cells(row: Row) -> list[str]:
    counts, seats = row.outcome.counts, range(row.outcome.counts.plan.players)
    tricks = [_told(counts.tricks(s), 3) for s in seats] if counts.plan.tricks else []
    length = counts.match_length().mean
    return [
        *row.labels,
        *tricks,
        _told(length, 2),
        *[f"{100 * x.mean:.1f} %" if counts.matches else "" for x in counts.wins()],
        row.sound,
    ]


def _told(x: Estimate, digits: int) -> str:
    if not abs(x.mean) < float("inf"):
        return f"over {x.low:.0f}"
    if not x.high < float("inf"):
        return f"{x.mean:.{digits}f} (at least {x.low:.{digits}f})"
    return f"{x.mean:.{digits}f} ±{max(x.high - x.mean, x.mean - x.low):.{digits}f}"


def sweep_json(ruleset: Ruleset, names: Sequence[str], rows: Sequence[Row]) -> dict[str, Any]:
    """Every member with its values and all that `simulate --json` tells of it."""
    members = [
        {
            "values": dict(zip(names, row.labels, strict=True)),
            "sound": None if row.flaws is None else not row.flaws,
            "rejected_by": list(row.flaws or ()),
            "outcome": outcome_json(row.outcome),
        }
        for row in rows
    ]
    return {"ruleset": ruleset.named, "vary": list(names), "members": members}


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
