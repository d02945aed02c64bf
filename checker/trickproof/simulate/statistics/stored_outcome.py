"""Outcomes read back from JSON, and believed only if there are deals that can have their totals."""

from __future__ import annotations

from typing import Any, cast

from trickproof.simulate.ir.counter_layout import with_offsets
from trickproof.simulate.program.counters import countable
from trickproof.simulate.statistics.consistency import consistent
from trickproof.simulate.statistics.estimates import Counts
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.typed_json import dataclass_of, typed
from trickproof_dsl import core as c


def stored_outcome(program: c.Program, values: dict[str, Any]) -> Outcome:
    """An outcome of a program as `support/serialise` writes it. Raises ValueError, TypeError or KeyError if it is none."""
    totals = typed(tuple[int, ...], values["counts"]["totals"])
    layout = with_offsets(countable(program))
    if len(totals) != layout.size or not consistent(layout, totals):
        raise ValueError("no deals have these totals")
    rest = {name: value for name, value in values.items() if name != "counts"}
    return cast(Outcome, dataclass_of(Outcome, rest, counts=Counts(layout, totals)))
