"""Compiles a core program to a whole integer program that plays match after match and counts everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trickproof.analysis.usage import usage_of
from trickproof.information.record import RecordForm
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import (
    AGAIN,
    CLOSE,
    END,
    ENDED,
    GREEDY,
    KEY,
    MOST,
    NOTED,
    OUTER,
    ROOM,
    SAVED_LOCALS,
    STATE,
    Choice,
    Facts,
)
from trickproof.simulate.ir.counter_layout import CounterLayout, with_offsets
from trickproof.simulate.ir.dead_code import eliminate_dead_code
from trickproof.simulate.ir.instructions import Expr, Routine, Stmt, Store, load, number_of, op
from trickproof.simulate.lowering import random_numbers as chance
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.lowering.expressions import ExpressionLowering
from trickproof.simulate.lowering.fault_codes import FaultCodes
from trickproof.simulate.lowering.statements import StatementLowering
from trickproof.simulate.lowering.trace import Trace
from trickproof.simulate.policies.callback import Callbacks
from trickproof.simulate.program import counters
from trickproof.simulate.program.counters import Counters
from trickproof.simulate.program.deciders import Deciders
from trickproof.simulate.program.recorder import Recorder
from trickproof.testing.bids import line_words
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import DECK


@dataclass(frozen=True)
class CompiledProgram:
    """An integer program with everything needed to call it and to interpret its counts."""

    routine: Routine
    layout: DataLayout
    counters: CounterLayout
    fault_codes: FaultCodes
    parameters: tuple[str, ...]
    readings: tuple[str, ...]
    lines: int
    carried: tuple[tuple[str, int], ...]
    """Inner arrays preserved between calls, with their sizes."""
    fresh: frozenset[str]
    """Inner arrays in which no hand reads anything left by the previous one."""
    callbacks: Callbacks

    @property
    def facts(self) -> Facts:
        """What is needed to call it."""
        given = {name: self.layout.program.parameters[name][0] for name in self.parameters}
        carried = sum(size for _, size in self.carried)
        return Facts(
            self.counters,
            given,
            self.readings,
            self.lines,
            carried,
            self.fault_codes.fault_origins(),
            number_of(self.routine.body),
        )


def compile_program(
    program: c.Program,
    policies: Sequence[Choice] = ("random",),
    traced: bool = False,
    records: bool = False,
    form: RecordForm | None = None,
) -> CompiledProgram:
    """The integer program.

    `policies`: one for all seats, or one per seat, the dealer's first; names, or functions to call.  With
    `traced`, every deal, decision and phase is written to the trace; with `records`, one line per match; with
    `form`, the record of each hand, for players that need it (`program` is then that of the form).  Raises
    BeyondError if the program has no integer form.
    """
    program = program if form is None else form.program
    layout, fault_codes = DataLayout(program), FaultCodes()
    b = Builder(OUTER)
    v = ExpressionLowering(program, layout, b, fault_codes)
    planned = with_offsets(counters.countable(program))
    counted = Counters(b, planned, records)
    callbacks = Callbacks(layout)
    recorder = Recorder(form, layout, b) if form else None
    deciders = Deciders(policies, counted, Trace(layout, b) if traced else None, callbacks, recorder)
    v.declare()
    _Driver(v, StatementLowering(v, deciders), counted, deciders).run()
    fresh = _fresh(program, traced)
    carried = _without_dead_code(b, fresh)
    return CompiledProgram(
        b.routine,
        layout,
        planned,
        fault_codes,
        tuple(v.parameters),
        tuple(v.readings),
        len(line_words(program, {})) if GREEDY in policies else 0,
        carried,
        fresh,
        callbacks,
    )


def _without_dead_code(b: Builder, fresh: frozenset[str]) -> tuple[tuple[str, int], ...]:
    """Eliminate dead code; return the arrays preserved between calls, loaded at the start and stored at the end."""
    routine = b.routine
    eliminate_dead_code(routine)
    body = routine.body
    persistent = (array for array in routine.inner if array not in fresh and not array.startswith("keys."))
    carried = tuple((array, routine.inner[array]) for array in persistent)
    at = STATE
    before: list[Stmt] = []
    for array, size in carried:
        for i in range(size):
            before.append(Store(array, i, load("io", at)))
            body.append(Store("io", at, load(array, i)))
            at += 1
    routine.body = before + body
    return carried


def _fresh(program: c.Program, traced: bool) -> frozenset[str]:
    """Variables that carry nothing over from the last hand: not carried, and not read between hands.

    Zones too, if all cards are gathered before any rule can look into any zone.  A trace looks into all of
    them.
    """
    if traced:
        return frozenset()
    usage, variables = usage_of(program.between), program.variables.values()
    fresh = {f"v.{x.name}" for x in variables if not x.carried and x.name not in usage.reads}
    first: tuple[c.Stmt, ...] = program.hand
    while first and isinstance(first[0], c.InRule):
        first = first[0].body
    looks = c.ZoneCards | c.Place | c.Deal
    looked_into = any(isinstance(x, looks) for x in walk(program.between, program.setup))
    if first and isinstance(first[0], c.Shuffle) and not looked_into:
        fresh |= {f"z.{zone}" for zone in program.zones}
    return frozenset(fresh)


class _Driver:
    """The loop over the hands."""

    def __init__(
        self,
        v: ExpressionLowering,
        steps: StatementLowering,
        counted: Counters,
        deciders: Deciders,
    ) -> None:
        self.v, self.b, self.steps, self.counted, self.deciders = v, v.b, steps, counted, deciders

    def run(self) -> None:
        b = self.b
        for name, word in SAVED_LOCALS:
            b.set(name, load("io", word))
        key, end = b.let(load("io", KEY)), b.let(load("io", END))
        most, room = b.let(load("io", MOST)), b.let(load("io", ROOM))
        for name in (chance.DEALS, chance.CHOICES, "m.dealer", "m.given"):
            b.set(name, 0)

        def on() -> Expr:
            more = op("or", op("lt", "m.next", end), op("ne", "m.number", 0))
            return op("and", op("and", more, op("lt", 0, "m.hands")), op("lt", load("io", NOTED), room))

        b.loop(on, lambda: self.hand(key, most))
        for name, word in SAVED_LOCALS:
            b.store("io", word, name)

    def hand(self, key: Expr, most: Expr) -> None:
        b, program = self.b, self.v.program
        first = b.let(op("eq", "m.number", 0))
        with b.when(first):
            self.fresh(carried=True)
            b.set("m.match", "m.next")
            b.set("m.next", op("add", "m.next", 1))
            b.set("m.stream", chance.match_stream(b, key, "m.match"))
        chance.begin_hand(b, "m.stream", "m.number")
        self.counted.begin_hand()
        self.deciders.begin_hand("m.match", "m.number")
        b.store("winners", 0, 0)
        ends_outside = any(isinstance(x, c.EndMatch) for x in walk(program.setup, program.between))
        begun: Expr = "m.begun" if ends_outside else 1
        if ends_outside:
            b.set("m.begun", 0)
        with b.scope():
            b.either(first, lambda: self.block(program.setup), self.between)
            if ends_outside:
                b.set("m.begun", 1)
            self.counted.dealt(first)
            self.deciders.before_play()
            self.block(program.hand)
        b.set("m.hands", op("sub", "m.hands", 1))
        b.set("m.number", op("add", "m.number", begun))
        self.deciders.end_hand(self.v, "left")
        complete = op("le", "left", ENDED)
        with b.when(op("and", complete, begun) if ends_outside else complete):
            self.counted.hand()
        over = b.let(op("or", op("ne", "left", 0), op("le", most, "m.number")))
        cut = op("and", op("ne", load("io", CLOSE), 0), op("eq", "m.hands", 0))
        with b.when(op("or", op("or", over, self.counted.full()), cut)):
            self.counted.close_batch()
        with b.when(over):
            with b.when(op("lt", ENDED, "left")):
                self.counted.broken("left")
            self.counted.match(op("eq", "left", ENDED), b.let("m.number"))
            b.set("m.number", 0)

    def between(self) -> None:
        """The steps between hands, while the last hand's state is still present; skipped if the hand is dealt again."""
        program = self.v.program
        if any(isinstance(x, c.EndHand) and x.again for x in walk(program.hand)):
            again = self.b.let(load(AGAIN, 0))
            self.b.either(again, lambda: self.b.store(AGAIN, 0, 0), lambda: self.block(program.between))
        else:
            self.block(program.between)
        self.fresh(carried=False)

    def block(self, body: tuple[c.Stmt, ...]) -> None:
        with self.v.nullable.block(self.b.level):
            self.steps.block(body)

    def fresh(self, carried: bool) -> None:
        """Initialise variables for a hand; with `carried` for a match, with every card in the deck."""
        b, layout = self.b, self.v.layout
        if carried:
            b.store(AGAIN, 0, 0)
        for info in self.v.program.variables.values():
            if carried or not info.carried:
                for i in range(layout.words(info.of)):
                    b.store(f"v.{info.name}", i, layout.encoded(info.type, _value(info)))
        if carried:
            for zone in self.v.program.zones.values():
                for i in range(layout.words(zone.of)):
                    b.store(f"z.{zone.name}", i, layout.all_cards if zone.name == DECK else 0)


def _value(info: c.VariableInfo) -> object:
    return frozenset(info.initial) if isinstance(info.initial, tuple) else info.initial
