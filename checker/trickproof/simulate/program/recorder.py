"""Writes the record of each hand into an array, for players that are asked during the hand."""

from __future__ import annotations

from trickproof.information.record import RecordForm
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.choices import CardChoice, ValueOptions
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof.simulate.program.record_items import announcement, question_of_cards, question_of_value
from trickproof_dsl import core as c

RECORD, AT = "record", "m.at"
"""The array, and the local that holds the number of words in it."""

MOST_WORDS = 1 << 14
"""Maximum length of a record; no ordinary hand needs a tenth of it."""


class Recorder:
    """Writes items; in a hand longer than `MOST_WORDS`, `AT` stays at the limit."""

    def __init__(self, form: RecordForm, layout: DataLayout, b: Builder) -> None:
        self.form, self.layout, self.b = form, layout, b
        b.array(RECORD, MOST_WORDS)

    def nothing(self) -> None:
        """Before a hand: announcements are written where its record will start, and overwritten."""
        self.b.set(AT, 0)

    def begin(self) -> None:
        """Begin a hand with the current values of its variables."""
        variables = [place for place, _ in self.layout.entries if place[0].startswith("v.")]
        for i, place in enumerate(variables):
            self.b.store(RECORD, i, load(*place))
        self.b.set(AT, len(variables))

    def cards(self, t: c.ChooseCards, choice: CardChoice) -> None:
        self._put(*question_of_cards(self.form.site(t), choice))

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> None:
        self._put(*question_of_value(v, self.form.site(t), player, options))

    def chosen(self, value: Expr) -> None:
        self._put(value)

    def announced(self, v: Expressions, t: c.Announce) -> None:
        self._put(*announcement(v, self.form.site(t)))

    def _put(self, *words: Expr) -> None:
        b = self.b
        at = b.let(AT)
        room = op("lt", op("add", at, len(words)), MOST_WORDS)
        with b.when(room):
            for i, word in enumerate(words):
                b.store(RECORD, op("add", at, i), word)
        b.set(AT, op("select", room, op("add", at, len(words)), MOST_WORDS))
