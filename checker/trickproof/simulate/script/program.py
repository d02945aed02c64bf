"""A core program as an integer program that plays hands by their scripts, one after another.

`params`: parameters and readings.  `io`: the number of jobs, and where in `notes` the variables lie that the hand begins
with.  `notes`: six words a job (see `Job`), and the records that they point into.  `totals`: for each job how the hand was
left, what was asked, and the points' variable by player.
"""

from __future__ import annotations

from dataclasses import dataclass

from trickproof.information.record import RecordForm
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import MIX_2, OUTER
from trickproof.simulate.ir.dead_code import eliminate_dead_code
from trickproof.simulate.ir.instructions import Expr, Routine, load, op
from trickproof.simulate.lowering import random_numbers as chance
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.lowering.expressions import ExpressionLowering
from trickproof.simulate.lowering.fault_codes import FaultCodes
from trickproof.simulate.lowering.statements import StatementLowering
from trickproof.simulate.policies.random import Policy
from trickproof.simulate.script.follower import (
    ANSWER,
    AT,
    CANDIDATE,
    END,
    MASK,
    PROBE,
    REJECTED,
    SCRIPTS,
    Follower,
)
from trickproof_dsl.semantics.values import DECK

JOB_WORDS = 6
"""Where the record begins and ends, the first choice after it, the stream of chance, and what is asked (see `follower`)."""

RESULT_WORDS = 3
"""How the hand was left, how far it followed the record, and the answer; then a word for each player."""


@dataclass(frozen=True)
class ScriptProgram:
    """An integer program with what is needed to call it."""

    routine: Routine
    layout: DataLayout
    form: RecordForm
    parameters: tuple[str, ...]
    readings: tuple[str, ...]


def compile_script(form: RecordForm, policy: Policy, points: str | None) -> ScriptProgram:
    """The program; `points` is the variable that is told of every player.  Raises BeyondError."""
    program = form.program
    layout = DataLayout(program)
    b = Builder(OUTER)
    v = ExpressionLowering(program, layout, b, FaultCodes())
    v.declare()
    steps = StatementLowering(v, Follower(form, b, policy))
    header = b.let(load("io", 1))
    b.times(0, op("sub", b.let(load("io", 0)), 1), lambda job: _hand(v, steps, header, job, points))
    eliminate_dead_code(b.routine)
    return ScriptProgram(b.routine, layout, form, tuple(v.parameters), tuple(v.readings))


def _hand(
    v: ExpressionLowering, steps: StatementLowering, header: Expr, job: Expr, points: str | None
) -> None:
    """One job."""
    b, program = v.b, v.program
    words = b.let(op("mul", job, JOB_WORDS))
    for i, name in enumerate((AT, END, CANDIDATE, chance.CHOICES, PROBE, MASK)):
        b.set(name, load(SCRIPTS, op("add", words, i)))
    b.set(chance.DEALS, chance.mix(b, op("xor", chance.CHOICES, MIX_2)))
    b.set(ANSWER, 0)
    variables = [place for place, _ in v.layout.entries if place[0].startswith("v.")]
    for i, (array, index) in enumerate(variables):
        b.store(array, index, load(SCRIPTS, op("add", header, i)))
    for zone in program.zones.values():
        for i in range(v.layout.words(zone.of)):
            b.store(f"z.{zone.name}", i, v.layout.all_cards if zone.name == DECK else 0)
    b.store("winners", 0, 0)
    with b.scope(), v.nullable.block(b.level):
        steps.block(program.hand)
    result = b.let(op("mul", job, RESULT_WORDS + program.players))
    short = op("select", op("le", "left", 1), op("le", AT, END), 0)
    b.store("totals", result, op("select", short, REJECTED, "left"))
    b.store("totals", op("add", result, 1), op("sub", AT, load(SCRIPTS, words)))
    b.store("totals", op("add", result, 2), ANSWER)
    for p in range(program.players):
        worth = 0 if points is None else load(f"v.{points}", p)
        b.store("totals", op("add", result, RESULT_WORDS + p), worth)
