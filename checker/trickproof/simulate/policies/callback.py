"""Policies that are Python functions of the state and the decision, like the players of
`trickproof_dsl.playing`.

Only the Python form of an integer program can call them.  The state that a function sees is built from the
program's words; it holds everybody's cards, and play cannot resume from it, since it has no remaining
statements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trickproof.simulate.ir.calling_convention import RecordedPlayer
from trickproof.simulate.ir.instructions import Expr, Op
from trickproof.simulate.lowering.choices import WIDE, CardChoice, ValueOptions
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State, initial
from trickproof_dsl.playing import Player
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision, question
from trickproof_dsl.semantics.values import Key, Value


@dataclass(frozen=True)
class CallSite:
    """A place in the rules where a function is called."""

    player: Player
    choice: c.Choice


class Callbacks:
    """All functions that may be called while a program runs."""

    def __init__(self, layout: DataLayout) -> None:
        self.layout, self.program = layout, layout.program
        self.sites: list[CallSite | RecordedPlayer] = []
        self.parameters: Mapping[str, int] = {}
        self.readings: Mapping[str, int] = {}
        """The readings of the run."""
        self.places = layout.entries
        self.arrays = list(dict.fromkeys(array for (array, _), _ in self.places))

    def site(self, player: Player, choice: c.Choice) -> int:
        self.sites.append(CallSite(player, choice))
        return len(self.sites) - 1

    def recorded(self, player: RecordedPlayer, *words: Expr) -> Expr:
        """A question with the record of the hand so far, as instructions; returns what was chosen."""
        self.sites.append(player)
        return Op("ask", (len(self.sites) - 1, *words))

    def written(self, site: int, *words: Expr) -> Expr:
        """A question as instructions; returns what was chosen."""
        return Op("ask", (site, *words, *self.arrays))

    def ask(self, site: int, player: int, *words: object) -> int:
        """Called by the program to ask a player.  Raises ValueError for an illegal choice.

        For a recorded player, the first word is the length of the record.
        """
        call_site = self.sites[site]
        if not isinstance(call_site, CallSite):
            record, stream, hand = words
            assert isinstance(record, list)
            return call_site.choose(record[:player], _number(stream), _number(hand))
        cards = isinstance(call_site.choice, c.ChooseCards)
        number = 4 if cards else 5
        numbers, arrays = words[:number], words[number:]
        decision = (
            self._cards(call_site, player, numbers) if cards else self._value(call_site, player, numbers)
        )
        choice: Any = call_site.player(self._state(arrays, decision), decision)
        if not decision.allows(choice):
            raise ValueError(f"not a legal choice for player {player} to {decision.label}: {choice!r}")
        return self.layout.encoded(decision.type, frozenset(choice) if cards else choice)

    def _cards(self, call_site: CallSite, player: int, words: Sequence[object]) -> Decision:
        t = call_site.choice
        assert isinstance(t, c.ChooseCards)
        domain, low, high, to = (_number(word) for word in words)
        legal = tuple(sorted(self.layout.cards(domain)))
        return Decision(question(t), player, legal, low, high, None if to < 0 else to)

    def _value(self, call_site: CallSite, player: int, words: Sequence[object]) -> Decision:
        t = call_site.choice
        assert isinstance(t, c.ChooseValue)
        base, mask, or_none, count = (_number(word) for word in words[:4])
        numbers = [base + i for i in range(mask.bit_length()) if mask >> i & 1]
        if isinstance(words[4], list):
            numbers = words[4][:count]
        options: list[Value] = [self.layout.decoded(t.value_type, x) for x in numbers]
        legal = tuple(options + [None] * or_none)
        return Decision(question(t), player, legal)

    def _state(self, arrays: Sequence[object], decision: Decision) -> State:
        words = dict(zip(self.arrays, arrays, strict=True))
        variables: dict[Key, Value] = {}
        zones: dict[Key, tuple[int, ...]] = {}
        for (array, index), key in self.places:
            held = words[array]
            assert isinstance(held, list)
            if array[0] == "v":
                variables[key] = self.layout.decoded(self.program.variables[key[0]].type, held[index])
            else:
                zones[key] = tuple(sorted(self.layout.cards(held[index])))
        state = initial(self.program, Chance(), self.parameters, self.readings)
        return state.but(variables=variables, zones=zones, decision=decision)


class CallbackPolicy:
    """A policy that calls a function."""

    def __init__(self, player: Player, callbacks: Callbacks) -> None:
        self.player, self.callbacks = player, callbacks

    def cards(self, v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
        site = self.callbacks.site(self.player, t)
        to = -1 if choice.to is None else choice.to
        return self.callbacks.written(site, choice.player, choice.domain, choice.low, choice.high, to)

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> Expr:
        site = self.callbacks.site(self.player, t)
        listed: Expr = WIDE if options.wide else 0
        words = (options.base, options.mask, int(options.or_none), options.count, listed)
        return self.callbacks.written(site, player, *words)


class RecordedPolicy:
    """Asks a `RecordedPlayer`: passes the record's length, the record, the match's stream and the hand."""

    def __init__(self, player: RecordedPlayer, callbacks: Callbacks) -> None:
        self.player, self.callbacks = player, callbacks

    def cards(self, v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
        return self._asked()

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> Expr:
        asked = self._asked()
        return options.given_as_nth(v.b, asked) if options.wide else asked

    def _asked(self) -> Expr:
        return self.callbacks.recorded(self.player, "m.at", "record", "m.stream", "m.number")


def _number(word: object) -> int:
    assert isinstance(word, int)
    return int(word)
