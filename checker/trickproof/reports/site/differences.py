"""The aspects in which rulesets differ: the condition, and a deal under two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trickproof.diff.ruleset_diff import Diff
from trickproof.english.differences import difference_sentence
from trickproof.reports.rulesets.shared_cells import Row
from trickproof.reports.rulesets.table import Table
from trickproof.reports.site.deal_steps import Deal, difference
from trickproof_dsl.library import Ruleset


@dataclass(frozen=True, slots=True)
class Difference:
    """An aspect of the comparison; `says` and `deal` are about two of the rulesets, if they differ."""

    row: Row
    between: tuple[str, str] | None = None
    says: tuple[str, ...] = ()
    deal: Deal | None = None


def shown_pairs(table: Table, rulesets: Sequence[Ruleset]) -> list[tuple[Ruleset, Ruleset]]:
    """The pairs of rulesets whose deals the rows of the table show."""
    by_name = {ruleset.named: ruleset for ruleset in rulesets}
    pairs = dict.fromkeys(row.deal for row in table.rows if row.deal is not None)
    return [(by_name[a], by_name[b]) for a, b in pairs]


def differences(table: Table, diffs: Mapping[tuple[str, str], Diff]) -> list[Difference]:
    """One for each row of the table, from the comparisons of at least the pairs that it shows."""
    return [Difference(row) if row.deal is None else _difference(row, diffs[row.deal]) for row in table.rows]


def _difference(row: Row, diff: Diff) -> Difference:
    a, b = diff.a, diff.b
    compared = next(one for one in diff.aspects if one.aspect == row.aspect)
    says = tuple(difference_sentence(way.how, way.when, a.id, b.id) for way in compared.ways)
    parting, deal = compared.parting, None
    if parting is not None:
        deal = difference(f"deal-{row.aspect}", f"{a.id} and {b.id}", a, b, parting.answers.scenario)
    return Difference(row, (a.id, b.id), says, deal)
