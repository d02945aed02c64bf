"""Describes a match that the solver found: one line per deal, with the dealer, the decisions and the scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trickproof.analysis.usage import usage_of
from trickproof.proofs.model_checking.bounded_model_checking import Trace
from trickproof.proofs.symbolic.hand_summary import Settlement
from trickproof_dsl import core as c
from trickproof_dsl.scenarios.json_values import value_json
from trickproof_dsl.semantics.values import Key, Value, owner_keys

TOLD_ANYHOW = {"dealer", "first-hand", "tricks", "hand-size", "target", "over", "score", "payout"}
"""Variables that are reported separately or go without saying."""


def history(way: Trace) -> Iterator[str]:
    """One line per deal of a match; nothing if it has only one."""
    if way.hands == 1:
        return
    settlement = way.settlement
    program = settlement.program
    noted = _noted(settlement)
    for number, tricks in enumerate(way.tricks, 1):
        begin, after = way.begins[number - 1], way.afters[number - 1]
        dealer = begin.get(("dealer",))
        parts = [] if dealer is None else [f"dealer {dealer}"]
        parts.append(f"tricks {' '.join(map(str, tricks))}")
        for name in noted:
            values = after if name in settlement.reckoned else begin
            if all((name, *owners) in values for owners in owner_keys(program, program.variables[name].of)):
                parts.append(f"{name} {_shown(program, name, values)}")
        for name, title in (("score", "scores after it"), ("over", "up or down")):
            if name in settlement.subject.usage.assigns:
                parts[-1] += f"; {title} {_shown(program, name, after)}"
                break
        yield f"deal {number}: {', '.join(parts)}"


def _noted(settlement: Settlement) -> list[str]:
    """What was decided, or carried into the deal (except running totals), and matters after the play."""
    read = usage_of(settlement.after, settlement.program.between).reads
    variables = settlement.program.variables
    carried = {name for name in read & settlement.subject.usage.assigns if variables[name].carried}
    carried -= {name for name in carried if variables[name].type == c.INTEGER and variables[name].of}
    return sorted(((settlement.reckoned & read) | carried) - TOLD_ANYHOW)


def _shown(program: c.Program, name: str, values: Mapping[Key, Value]) -> str:
    kind = program.variables[name].type
    values_by_owner = [values[(name, *owners)] for owners in owner_keys(program, program.variables[name].of)]
    return " ".join(_word(value_json(program, kind, value)) for value in values_by_owner)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
