"""A core program as an integer program that plays scripted hands, one after another.

`params`: parameters and readings.  `io`: the number of jobs, the position in `notes` of the variables with
which the hand begins, and the words described in `trials`, which apply if there are no jobs.  `notes`: six
words per job (see `Job`), and the records to which they refer.  `totals`: for each job, how the hand ended,
how far it followed its record, and the answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from trickproof.information.record import RecordForm
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import MIX_2, OUTER
from trickproof.simulate.ir.dead_code import eliminate_dead_code
from trickproof.simulate.ir.instructions import Expr, If, Routine, Stmt, load, op
from trickproof.simulate.ir.resumption import PAUSED, RESUME, resumable
from trickproof.simulate.lowering import random_numbers as chance
from trickproof.simulate.lowering.choices import WIDE
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
from trickproof.simulate.script.trials import Trials
from trickproof_dsl.semantics.values import DECK

JOB_WORDS = 6
"""The start and end of the record, the first choice after it, the random stream, and the probed item and
cards (see `follower`).
"""

RESULT_WORDS = 3
"""How the hand ended, how far it followed the record, and the answer."""

_JOB = "m.job"


@dataclass(frozen=True)
class ScriptProgram:
    """An integer program with what is needed to call it."""

    routine: Routine
    layout: DataLayout
    form: RecordForm
    parameters: tuple[str, ...]
    readings: tuple[str, ...]


def compile_script(form: RecordForm, policy: Policy, points: str | None) -> ScriptProgram:
    """The program; `points` is the per-player variable that values a hand.  Raises BeyondError."""
    program = form.program
    layout = DataLayout(program)
    b = Builder(OUTER)
    v = ExpressionLowering(program, layout, b, FaultCodes())
    v.declare()
    driver = _Driver(v, StatementLowering(v, Follower(form, b, policy)), points)
    driver.run()
    resumable(b.routine, driver.trials.save, driver.restore, scratch=(WIDE,))
    eliminate_dead_code(b.routine)
    return ScriptProgram(b.routine, layout, form, tuple(v.parameters), tuple(v.readings))


class _Driver:
    """The loop over the hands: jobs in order, or trials if there are none."""

    def __init__(self, v: ExpressionLowering, steps: StatementLowering, points: str | None) -> None:
        self.v, self.b, self.steps, self.points = v, v.b, steps, points
        self.trials = Trials(v.b)
        self.restore: list[Stmt] = []
        """What brings back a hand that was left at a point (`resumption`)."""

    def run(self) -> None:
        b = self.b
        header, jobs = b.let(load("io", 1)), b.let(load("io", 0))
        b.set(_JOB, 0)
        for name in (AT, END, CANDIDATE, chance.CHOICES, PROBE, MASK, PAUSED, RESUME):
            b.set(name, 0)
        self.trials.begin()

        def once() -> None:
            b.either(jobs, self.job, self.trials.prepare)
            self.hand(header)
            b.either(jobs, self.result, lambda: self.trials.finish(self.worth))

        b.loop(lambda: op("select", jobs, op("lt", _JOB, jobs), self.trials.more()), once)

    def job(self) -> None:
        b = self.b
        words = b.let(op("mul", _JOB, JOB_WORDS))
        for i, name in enumerate((AT, END, CANDIDATE, chance.CHOICES, PROBE, MASK)):
            b.set(name, load(SCRIPTS, op("add", words, i)))

    def hand(self, header: Expr) -> None:
        """Play one hand from its beginning, or from where it was left."""
        b, v, program = self.b, self.v, self.v.program
        b.set(chance.DEALS, chance.mix(b, op("xor", chance.CHOICES, MIX_2)))
        b.set(ANSWER, 0)
        variables = [place for place, _ in v.layout.entries if place[0].startswith("v.")]
        for i, (array, index) in enumerate(variables):
            b.store(array, index, load(SCRIPTS, op("add", header, i)))
        for zone in program.zones.values():
            for i in range(v.layout.words(zone.of)):
                b.store(f"z.{zone.name}", i, v.layout.all_cards if zone.name == DECK else 0)
        b.store("winners", 0, 0)
        b.write(If(op("ne", RESUME, 0), self.restore, []))
        with b.scope(), v.nullable.block(b.level):
            self.steps.block(program.hand)

    def result(self) -> None:
        b = self.b
        words = b.let(op("mul", _JOB, JOB_WORDS))
        result = b.let(op("mul", _JOB, RESULT_WORDS))
        short = op("select", op("le", "left", 1), op("le", AT, END), 0)
        b.store("totals", result, op("select", short, REJECTED, "left"))
        b.store("totals", op("add", result, 1), op("sub", AT, load(SCRIPTS, words)))
        b.store("totals", op("add", result, 2), ANSWER)
        b.set(_JOB, op("add", _JOB, 1))

    def worth(self, team: Expr) -> Expr:
        """The sum of the points variable over a mask of players."""
        total: Expr = 0
        for p in range(self.v.program.players if self.points else 0):
            own = op("and", op("shr", team, p), 1)
            total = op("add", total, op("select", own, load(f"v.{self.points}", p), 0))
        return self.b.let(total)
