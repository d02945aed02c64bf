"""Lowering of core statements, arm for arm like `trickproof_dsl.compiled.machine`.

Zones are sets: no rule can observe the order of the cards in a zone, and a shuffled deck is sampled when it
is dealt.  Nothing is reported: announcements and shows only fault where they would in the interpreter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import AGAIN, ENDED, MOST_NUMBERS
from trickproof.simulate.ir.instructions import Expr, Guard, If, Leave, Stmt, While, load, op
from trickproof.simulate.lowering.aggregates import listable, numbers
from trickproof.simulate.lowering.choices import WIDE, CardChoice, Chooser, ValueOptions
from trickproof.simulate.lowering.data_layout import WORD
from trickproof.simulate.lowering.expressions import ExpressionLowering
from trickproof.simulate.lowering.facts import within
from trickproof.simulate.lowering.loops import ordered
from trickproof.simulate.lowering.random_numbers import DEALS, subset
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import stripped, walk
from trickproof_dsl.semantics.values import DECK


class StatementLowering:
    """Writes statements into a builder."""

    def __init__(self, v: ExpressionLowering, chooser: Chooser) -> None:
        self.v, self.chooser = v, chooser
        self.b: Builder = v.b

    def block(self, body: Sequence[c.Stmt]) -> None:
        for i, t in enumerate(body):
            self.step(t, body[:i])

    def step(self, t: c.Stmt, before: Sequence[c.Stmt]) -> None:
        v, b = self.v, self.b
        v.refuse_too_long(t.span)
        match t:
            case c.Assign():
                info = v.program.variables[t.variable]
                value = b.let(v.word(t.value))
                b.store(f"v.{t.variable}", v.entry(info.of, t.arguments, t.span), value)
                v.nullable.learn_assignment(t)
            case c.Branch():
                self.branch(t)
            case c.Loop():
                present_of = v.nullable.present_of
                v.nullable.forget_assigned(t.body)
                ordered(self, t)
                v.nullable.learn_loop(t, present_of)
            case c.Until():
                self.until(t)
            case c.InRule():
                with v.fault_codes.within(t.rule):
                    self.block(t.body)
            case c.ChooseCards():
                self.choose_cards(t)
            case c.ChooseValue():
                self.choose_value(t)
            case c.Move():
                self.move(t, before)
            case c.Show():
                self.show(t)
            case c.Shuffle():
                for name, zone in v.program.zones.items():
                    for i in range(v.layout.words(zone.of)):
                        b.store(f"z.{name}", i, v.layout.all_cards if name == DECK else 0)
            case c.Deal():
                self.deal(t)
            case c.Announce():
                self.only_faults(*[value for _, value in t.fields if not isinstance(value, str)])
                self.chooser.announced(v, t)
            case c.EndHand():
                if t.again:
                    b.store(AGAIN, 0, 1)
                b.leave(0)
            case c.EndMatch():
                b.store("winners", 0, v.word(t.winners))
                b.leave(ENDED)
            case c.Unspecified():
                v.fault(1, "unspecified", t.span)
            case _:
                assert_never(t)

    def branch(self, t: c.Branch) -> None:
        condition = self.b.let(self.v.word(t.condition))
        known: list[set[str]] = []

        def arm(body: Sequence[c.Stmt]) -> None:
            with self.v.nullable.block(self.b.level) as sure:
                self.block(body)
                known.append(sure)

        self.b.either(condition, lambda: arm(t.then), lambda: arm(t.otherwise))
        self.v.nullable.present, self.v.nullable.present_of = known[0] & known[1], {}

    def until(self, t: c.Until) -> None:
        v, b = self.v, self.b
        rounds = b.mutable(v.word(t.bound))

        def once() -> None:
            with v.nullable.block(b.level):
                v.fault(op("le", rounds, 0), "loop-bound", t.span)
                self.block(t.body)
                b.set(rounds, op("sub", rounds, 1))

        v.nullable.forget_assigned(t.body)
        b.loop(lambda: op("not", v.word(t.condition)), once, steady=True)

    def only_faults(self, *values: c.Expr) -> None:
        """Evaluate values only for their possible faults."""
        body: list[Stmt] = []
        with self.b.into(body):
            for e in values:
                self.v.words(e)
        if can_fault(body):
            self.b.out += body

    def show(self, t: c.Show) -> None:
        """Evaluated only for its possible faults: if there are cards, the recipients, then the player who shows."""
        v, b = self.v, self.b
        body: list[Stmt] = []
        with b.into(body):
            some = b.let(op("ne", v.word(t.cards), 0))
            (to,) = b.under(some, lambda: v.words(t.to))
            shown = b.let(op("select", some, op("ne", to, 0), 0))
            b.under(shown, lambda: (v.given(t.actor),))
        if can_fault(body):
            b.out += body

    def choose_cards(self, t: c.ChooseCards) -> None:
        v, b = self.v, self.b
        self.chooser.about_to_choose(v, t)
        domain, low, high = (b.let(v.word(e)) for e in (t.domain, t.low, t.high))
        player = b.let(v.given(t.actor))
        to = None if t.to is None else b.let(v.given(t.to))
        one = low == high == 1
        v.singles.discard(t.binder)
        if not one:
            v.fault(op("or", op("lt", low, 0), op("lt", high, low)), "bad-number", t.span, t.label)
        size = 1 if one else b.let(op("count", domain))
        few = op("eq", domain, 0) if one else op("select", op("eq", high, 0), 0, op("lt", size, low))
        v.fault(few, "no-legal-choice", t.span, t.label)
        if one:
            v.singles.add(t.binder)
            v.names[t.binder] = (self.chooser.cards(v, t, CardChoice(player, domain, 1, 1, True, to)),)
            return
        most = b.let(op("select", op("lt", high, size), high, size))
        chosen = b.mutable(0)
        with b.when(op("ne", high, 0)):
            b.set(chosen, self.chooser.cards(v, t, CardChoice(player, domain, low, most, False, to)))
        v.names[t.binder] = (b.let(chosen),)

    def choose_value(self, t: c.ChooseValue) -> None:
        v, b = self.v, self.b
        player = b.let(v.given(t.actor))
        if t.value_type == c.BOOLEAN and t.domain.type.kind not in c.SETS:
            raise AssertionError(t)
        options = self.wide_options(t) if self._is_wide(t.domain) else self.options(t)
        if not t.or_none:
            v.fault(op("eq", options.count, 0), "no-legal-choice", t.span, t.label)
        v.names[t.binder] = (self.chooser.value(v, t, player, options),)

    def _is_wide(self, domain: c.Expr) -> bool:
        """Whether the numbers may be too far apart for a mask, but can be listed."""
        if domain.type != c.INTEGERS or not listable(domain):
            return False
        numbers = self.v.overflow.intervals.elements(domain)
        return numbers.low is None or numbers.high is None or numbers.high - numbers.low >= WORD

    def options(self, t: c.ChooseValue) -> ValueOptions:
        """The options as a mask."""
        v, b = self.v, self.b
        words = v.words(c.Filter(t.binder, t.domain, t.condition, t.domain.type, t.span))
        base, mask = words if len(words) == 2 else (0, words[0])
        mask = b.let(mask)
        return ValueOptions(base, mask, t.or_none, b.let(op("count", mask)))

    def wide_options(self, t: c.ChooseValue) -> ValueOptions:
        """The options as a list."""
        v, b = self.v, self.b
        b.array(WIDE, MOST_NUMBERS)
        count = b.mutable(0)

        def keep(x: Expr) -> None:
            b.store(WIDE, count, x)
            b.set(count, op("add", count, 1))

        numbers(v, c.Filter(t.binder, t.domain, t.condition, t.domain.type, t.span), keep)
        return ValueOptions(0, 0, t.or_none, b.let(count), wide=True)

    def move(self, t: c.Move, before: Sequence[c.Stmt]) -> None:
        v, b = self.v, self.b
        cards = b.let(v.word(t.cards))
        source, target = self.place(t.source), self.place(t.target)
        have = b.read(*source)
        if not _surely_there(t, before):
            v.fault(op("ne", op("without", cards, have), 0), "cards-not-there", t.span, t.label)
        b.store(*source, op("without", have, cards))
        b.store(*target, op("or", b.read(*target), cards))
        if t.actor is not None:
            self.chooser.moved(v, t, cards)

    def place(self, place: c.Place) -> tuple[str, Expr]:
        zone = self.v.program.zones[place.zone]
        return f"z.{place.zone}", self.b.let(self.v.entry(zone.of, place.arguments, place.span))

    def deal(self, t: c.Deal) -> None:
        v, b = self.v, self.b
        array, index = self.place(t.to)
        deck = b.let(load(f"z.{DECK}", 0))
        dealt = deck
        if t.count is not None:
            number = b.let(v.word(t.count))
            have = op("count", deck)
            v.fault(op("or", op("lt", number, 0), op("lt", have, number)), "deck-empty", t.span)
            dealt = subset(b, DEALS, deck, number)
        b.store(f"z.{DECK}", 0, op("without", deck, dealt))
        b.store(array, index, op("or", load(array, index), dealt))
        self.chooser.dealt(v, t.to, index, dealt)


def _surely_there(t: c.Move, before: Sequence[c.Stmt]) -> bool:
    """Whether the moved cards are certainly in the source zone: all of it, or just chosen from it."""
    if within(t.cards, t.source):
        return True
    chosen = stripped(t.cards)
    if not isinstance(chosen, c.Local):
        return False
    whose = {x.name for x in walk(t.source) if isinstance(x, c.Variable)}
    for x in reversed(before):
        if isinstance(x, c.ChooseCards) and x.binder == chosen.name:
            return within(x.domain, t.source)
        if not isinstance(x, c.Assign) or x.variable in whose:
            return False
    return False


def can_fault(body: Sequence[Stmt]) -> bool:
    """Whether any of the statements can leave the scope."""
    for t in body:
        if isinstance(t, Guard | Leave):
            return True
        if isinstance(t, If) and (can_fault(t.then) or can_fault(t.otherwise)):
            return True
        if isinstance(t, While) and (can_fault(t.before) or can_fault(t.body)):
            return True
    return False
