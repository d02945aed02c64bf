"""The aspects in which rulesets differ: the condition, and a deal under two of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from trickproof.checking.proof_session import ProofSession
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import one_aspect
from trickproof.english.differences import difference_sentence
from trickproof.reports.rulesets.shared_cells import Row
from trickproof.reports.rulesets.table import Table
from trickproof.reports.site.deal_steps import Deal, difference
from trickproof.support.process_pool import results_sharing
from trickproof_dsl.library import Ruleset

Watch = Callable[[int, str], None]
"""Called with the number of finished aspects and the name of the last."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An aspect of the comparison; `says` and `deal` are about two of the rulesets, if they differ."""

    row: Row
    between: tuple[str, str] | None = None
    says: tuple[str, ...] = ()
    deal: Deal | None = None


def differences(
    table: Table, rulesets: Sequence[Ruleset], workers: int, watch: Watch = lambda done, name: None
) -> list[Difference]:
    """One for each row of the table, computed in up to `workers` processes."""
    by_name = {name: ruleset for ruleset in rulesets for name in (ruleset.id, ruleset.named)}
    pairs = {
        number: (by_name[row.deal[0]], by_name[row.deal[1]], row.aspect)
        for number, row in enumerate(table.rows)
        if row.deal is not None
    }
    groups = [{number: partial(one_aspect, *pair)} for number, pair in pairs.items()]
    compared: dict[int, Compared] = {}
    for number, one in results_sharing(groups, workers, ProofSession):
        compared[number] = one
        watch(len(compared), one.aspect)
    return [
        _difference(row, *pairs[number][:2], compared[number]) if number in pairs else Difference(row)
        for number, row in enumerate(table.rows)
    ]


def _difference(row: Row, a: Ruleset, b: Ruleset, compared: Compared) -> Difference:
    says = tuple(difference_sentence(way.how, way.when, a.id, b.id) for way in compared.ways)
    parting, deal = compared.parting, None
    if parting is not None:
        deal = difference(f"deal-{row.aspect}", f"{a.id} and {b.id}", a, b, parting.answers.scenario)
    return Difference(row, (a.id, b.id), says, deal)
