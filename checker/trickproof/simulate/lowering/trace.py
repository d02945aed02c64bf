"""A trace of each hand as words, for comparing engines and inspecting single hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import NOTED
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.choices import CardChoice, ValueOptions
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.lowering.interfaces import Expressions

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

    def phase(self, v: Expressions, label: str) -> None:
        """Write the whole state when the next decision has a new label."""
        if label not in self.labels:
            self.labels.append(label)
        number = self.labels.index(label)
        with self.b.when(op("ne", "m.phase", number)):
            self.b.set("m.phase", number)
            self.state()

    def end(self, v: Expressions, reason: Expr) -> None:
        self.put(LEFT, reason, load("winners", 0))
        self.state()

    def state(self) -> None:
        words: list[Expr] = [STATE]
        for array, _ in self.layout.entries:
            words.append(load(*array))
        self.put(*words)


@dataclass(frozen=True)
class TracedHand:
    """One hand: its match and number, and its notes in order."""

    match: int
    number: int
    notes: tuple[tuple[int, ...], ...]


def read(layout: DataLayout, words: Sequence[int]) -> Iterator[TracedHand]:
    """Split a trace into hands."""
    sizes = {HAND: 3, DEALT: 4, CARDS: 6, VALUE: 6, STATE: 1 + len(layout.entries), LEFT: 3}
    at, hand = 0, (0, 0)
    notes: list[tuple[int, ...]] = []
    while at < len(words):
        size = sizes[words[at]]
        note = tuple(words[at : at + size])
        at += size
        if note[0] == HAND:
            if notes:
                yield TracedHand(*hand, tuple(notes))
            hand, notes = (note[1], note[2]), []
        else:
            notes.append(note)
    if notes:
        yield TracedHand(*hand, tuple(notes))
