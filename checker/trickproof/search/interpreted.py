"""The record of a hand played by the interpreter, as the simulator would have written it.

The observable program is played alongside the real one with the same choices, and each deal gets the cards
that the real one deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from trickproof.information.record import FAR, HOLE, NTH, RecordForm, Site
from trickproof.simulate.lowering.data_layout import WORD, DataLayout
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, run
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import mapped
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.values import DECK, Value

MARK = "@"
"""Prefix of the announcement names that carry site numbers."""


@dataclass
class HandRecord:
    """The record of one hand so far: call `begin` with the state before it, then `chosen` for each choice.

    `words` ends where a player is to choose; that choice is added with the next one.
    """

    form: RecordForm
    layout: DataLayout
    words: list[int] = field(default_factory=list)
    _given: list[Value] = field(default_factory=list)
    """Choices still to be made that are already known."""
    _now: State | None = None
    _events: int = 0

    def __post_init__(self) -> None:
        self._program = marked(self.form)

    def begin(self, before: State) -> None:
        """Begin a hand from a state that has no pending decision."""
        program, variables = self._program, before.variables
        kinds = self.form.program.variables
        self.words = [self.encoded(kinds[key[0]].type, variables[key]) for key in self.form.header]
        self._events = 0
        self._go_on(run(before.but(program=program), program.hand))

    def replay(self, before: State, answers: Sequence[Value]) -> None:
        """Replay a hand from a state without a pending decision, given all choices, those of chance included."""
        self._given = list(answers)
        self.begin(before)
        self.go_on([])

    def go_on(self, answers: Sequence[Value]) -> None:
        """Add further choices, those of chance included."""
        self._given += answers
        while self._given:
            self.chosen(self._given.pop(0))

    def chosen(self, choice: Value) -> None:
        """Record the choice of the player to act."""
        state = self._now
        assert state is not None
        assert state.decision is not None
        self._answer(state, state.decision, choice)

    def _answer(self, state: State, decision: Decision, choice: Any) -> None:
        self.words.append(self.encoded(decision.type, choice))
        self._go_on(apply(state, choice))

    def _go_on(self, state: State) -> None:
        """Advance to the next decision of a player."""
        events = state.events
        for event in events[self._events :]:
            if event.name.startswith(MARK):
                self._announced(event)
        self._now, self._events = state, len(events)
        if state.decision is not None:
            site = self._asked(state.decision)
            if site.chance:
                dealt = frozenset(state.cards(DECK)[: state.decision.low])
                self._answer(state, state.decision, self._given.pop(0) if self._given else dealt)

    def _asked(self, decision: Decision) -> Site:
        site = self.form.by_binder[decision.binder]
        self.words += (site.number, decision.player)
        if decision.of_cards:
            legal = self.layout.mask(decision.legal)
            self.words += (legal, decision.low, min(decision.high, len(decision.legal)))
            return site
        numbers = [self.encoded(decision.type, x) for x in decision.legal if x is not None]
        lowest, highest = min(numbers, default=0), max(numbers, default=0)
        if highest - lowest < WORD:
            self.words += (lowest, sum(1 << x - lowest for x in numbers))
        else:
            self.words += (FAR, len(numbers))
        return site

    def _announced(self, event: Event) -> None:
        site = self.form.sites[int(event.name[len(MARK) :])]
        assert isinstance(site.node, c.Announce)
        self.words.append(site.number)
        declared = dict(site.node.fields)
        for key, kind, value in event.fields:
            if isinstance(declared[key], str):
                self.words += [self.encoded(kind, x) for x in value]
            elif kind == c.INTEGERS:
                self.words += (HOLE, HOLE)
            else:
                self.words.append(self.encoded(kind, value))

    def encoded(self, kind: c.Type, value: Any) -> int:
        return self.layout.encoded(kind, frozenset(value) if isinstance(value, tuple) else value)

    def decoded(self, decision: Decision, word: int) -> Value:
        """A chosen word as the interpreter's value."""
        if decision.type == c.INTEGER and HOLE < word <= NTH:
            numbers: list[int] = sorted(x for x in decision.legal if x is not None)
            return numbers[NTH - word]
        return self.layout.decoded(decision.type, word)


def marked(form: RecordForm) -> c.Program:
    """The observable program with each announcement renamed to the number of its site."""

    def changed(x: Any) -> Any:
        if isinstance(x, c.Announce):
            return replace(x, event=f"{MARK}{form.site(x).number}")
        return None

    return replace(form.program, hand=mapped(form.program.hand, changed))
