"""A trace of each hand as words, for comparing engines and inspecting single hands."""

from __future__ import annotations

from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import NOTED
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.choices import CardChoice, ValueOptions
from trickproof.simulate.lowering.data_layout import DataLayout

HAND, DEALT, CARDS, VALUE, STATE, LEFT = range(1, 7)
"""The kind of a note; its first word."""

FAR = 1 << 40
"""The base recorded for options that are not listed individually."""


class Trace:
    """Writes notes into the outer array `notes`."""

    def __init__(self, layout: DataLayout, b: Builder) -> None:
        self.layout, self.b = layout, b
        self.zones = list(layout.program.zones)
        self.labels: list[str] = []

    def put(self, *words: Expr) -> None:
        at = self.b.let(load("io", NOTED))
        for i, word in enumerate(words):
            self.b.store("notes", op("add", at, i), word)
        self.b.store("io", NOTED, op("add", at, len(words)))

    def begin(self, match: Expr, number: Expr) -> None:
        self.b.set("m.phase", -1)
        self.put(HAND, match, number)

    def dealt(self, zone: str, index: Expr, cards: Expr) -> None:
        self.put(DEALT, self.zones.index(zone), index, cards)

    def cards(self, choice: CardChoice, chosen: Expr) -> None:
        self.put(CARDS, choice.player, choice.domain, choice.low, choice.high, chosen)

    def value(self, player: Expr, options: ValueOptions, chosen: Expr) -> None:
        """Options as a mask; if they have none, their count, with `FAR` as the base."""
        range_ = (FAR, options.count) if options.wide else (options.base, options.mask)
        self.put(VALUE, player, *range_, int(options.or_none), chosen)

    def phase(self, label: str) -> None:
        """Write the whole state when the next decision has a new label."""
        if label not in self.labels:
            self.labels.append(label)
        number = self.labels.index(label)
        with self.b.when(op("ne", "m.phase", number)):
            self.b.set("m.phase", number)
            self.state()

    def end(self, reason: Expr) -> None:
        self.put(LEFT, reason, load("winners", 0))
        self.state()

    def state(self) -> None:
        words: list[Expr] = [STATE]
        for array, _ in self.layout.entries:
            words.append(load(*array))
        self.put(*words)
