"""The single actions of a deal: dealing, moving and showing cards, choosing cards and values.

They are executed on one path or where cards are unknown; `executor.py` determines their order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import z3

from trickproof.analysis.card_locations import gathering
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Int, Symbol
from trickproof.proofs.symbolic.card_expressions import CardEncoder
from trickproof.proofs.symbolic.cards.card_set import CardSet
from trickproof.proofs.symbolic.expressions import Encoder, NotEncodedError
from trickproof.proofs.symbolic.path_state import BrokenError, Disclosure, Event, PathState, Picked
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import fault_sites
from trickproof_dsl.core.traversal import parts
from trickproof_dsl.semantics.values import DECK, Key, Owners

Owned = list[tuple[Owners, Bool]]


class Actions:
    """Executes single actions on one path."""

    def __init__(self, state: PathState, encoder: CardEncoder) -> None:
        self.state, self.encoder, self.world = state, encoder, state.world

    def player(self, e: c.Expr) -> int:
        """A player, decided. Raises BrokenError if there is nobody."""
        alternatives = y.cases(self.encoder.player(e)).of
        known = [(x, when) for x, when in alternatives if x is not None]
        ways = [when for _, when in known]
        number = self.state.oracle.pick([*ways, y.neg(y.disj(*ways))])
        if number == len(known):
            raise BrokenError
        player = known[number][0]
        if isinstance(e, c.Variable) and len(known) > 1 and not e.arguments:
            self.state.variables[(e.name,)] = player
        return player

    def choose_cards(self, t: c.ChooseCards) -> None:
        known, nobody_there = len(self.state.obligations), False
        actor, to = 0, None
        try:  # as in play, the player is decided first, and checked for runtime faults last
            actor, to = self.player(t.actor), None if t.to is None else self.player(t.to)
        except BrokenError:
            nobody_there = True
        about_players = self.state.obligations[known:]
        del self.state.obligations[known:]
        domain, low, high = (
            self.encoder.cards(t.domain),
            self.encoder.number(t.low),
            self.encoder.number(t.high),
        )
        self.state.obligations += about_players
        if nobody_there:
            raise BrokenError
        size = self.world.size(domain)
        senseless = y.disj(y.compare("<", low, 0), y.compare("<", high, low))
        self.state.oblige(senseless, senseless, t.span, "bad-number", t.label)
        too_few = y.conj(y.compare(">", high, 0), y.compare("<", size, low))
        least = isinstance(low, int) and low == 1
        nobody = y.conj(y.compare(">", high, 0), y.neg(self.world.some(domain))) if least else True
        self.state.oblige(too_few, nobody, t.span, "no-legal-choice", t.label)
        if t.whose is not None:
            self.encoder.player(t.whose)
        if y.alike(low, high):
            number: Int = low
        else:
            number = z3.Int(self.world.name())
            able = y.conj(y.compare("<=", low, high), y.compare("<=", low, size), y.compare(">=", low, 0))
            bounds = y.conj(number >= low, number <= high, y.compare("<=", number, size))
            self.world.count_facts.append(y.disj(y.neg(able), bounds))
        self.state.bound[t.binder] = self.world.part_of(domain, number, self.state.guard)
        self.state.picks.append(Picked(t.label, actor, to, number, low, high))
        self.state.decided.append(self.state.bound[t.binder])

    def choose_value(self, t: c.ChooseValue) -> None:
        self.player(t.actor)
        if (number := number_within_unknowns(self.encoder, t, self.encoder.truth)) is not None:
            self.state.bound[t.binder] = number
            self.state.decided.append(number)
            return
        options: list[tuple[int, Bool]] = []
        for x, when in self.encoder.members(t.domain):
            self.state.bound[t.binder] = bool(x) if t.value_type.kind == "boolean" else x
            with self.state.under(when):
                options.append((x, y.conj(when, self.encoder.truth(t.condition))))
        value, _ = chosen(self.encoder, t, options)
        self.state.bound[t.binder] = value
        self.state.decided.append(value)

    def move(self, t: c.Move) -> None:
        cards = self.encoder.cards(t.cards)
        sources = self.encoder.owners(t.source.arguments, t.source.span)
        targets = self.encoder.owners(t.target.arguments, t.target.span)
        for owners, when in sources:
            key: Key = (t.source.zone, *owners)
            lost = y.conj(when, self.world.outside(cards, self.state.zones[key]))
            self.state.oblige(True, lost, t.span, "cards-not-there", t.label)
        try:
            with self.state.under(self.world.some(cards)):
                actor = None if t.actor is None else self.player(t.actor)
                to = None if t.to is None else self.player(t.to)
        except BrokenError:
            if self.state.oracle.decide(self.world.some(cards)):
                raise
            return
        self._change(t.source.zone, sources, self.world.moved_out, cards)
        self._change(t.target.zone, targets, self.world.moved_in, cards)
        if actor is not None:
            there: list[tuple[Symbol, Bool]] = [
                (self.state.zones[(t.source.zone, *x)], when) for x, when in sources
            ]
            after = self.encoder.as_cards(self.encoder.merged(c.CARDS, there))
            self.state.events.append(Event(t.label, actor, to, cards, after))

    def _change(
        self, zone: str, of: Owned, change: Callable[[CardSet, CardSet], CardSet], cards: CardSet
    ) -> None:
        """Add or remove cards in a zone, for every owner that it may have."""
        for owners, when in of:
            key: Key = (zone, *owners)
            there = self.state.zones[key]
            self.state.zones[key] = self.world.choose(when, change(there, cards), there)

    def show(self, t: c.Show) -> None:
        """Execute a `Show`; if there is nothing to show, its players are not evaluated."""
        with self.state.under(self.world.some(self.encoder.cards(t.cards))):
            to = self.encoder.members(t.to)
            with self.state.under(y.disj(*(when for _, when in to))):
                self.encoder.player(t.actor)

    def shuffle(self, _: c.Shuffle) -> None:
        """Put all cards into the deck."""
        self.state.zones = dict.fromkeys(self.state.zones, self.world.none)
        self.state.zones[(DECK,)] = self.world.known(range(self.world.width))

    def deal(self, t: c.Deal) -> None:
        deck = self.state.zones[(DECK,)]
        count = None if t.count is None else self.encoder.number(t.count)
        dealt = deck
        if count is not None:
            size = self.world.size(deck)
            wrong = y.disj(y.compare("<", count, 0), y.compare(">", count, size))
            self.state.oblige(wrong, True, t.span, "deck-empty")
            number_there = self.world.number_of(deck)
            dealt = (
                deck
                if number_there is not None and number_there == count
                else self.world.part_of(deck, count, self.state.guard)
            )
        self.state.decided.append(dealt)
        self.state.zones[(DECK,)] = self.world.moved_out(deck, dealt)
        self._change(t.to.zone, self.encoder.owners(t.to.arguments, t.to.span), self.world.moved_in, dealt)

    def announce(self, t: c.Announce) -> None:
        """Execute an `Announce`; its values are evaluated only for faults."""
        for _, announced in t.fields:
            if not isinstance(announced, str):
                self.encoder.value(announced)


class OpaqueActions:
    """Executes single actions; once the play is over (`played`), nothing more can be decided."""

    def __init__(self, encoder: Encoder, played: bool) -> None:
        self.state, self.encoder, self.played = encoder.state, encoder, played

    def choose_cards(self, t: c.ChooseCards) -> NoReturn:
        raise NotEncodedError("a player makes a choice after the play", t.span)

    def choose_value(self, t: c.ChooseValue) -> None:
        """Bind an unknown that is one of the options; a condition that looks at cards may or may not hold."""
        if self.played:
            raise NotEncodedError("a player makes a choice after the play", t.span)
        if (number := number_within_unknowns(self.encoder, t, self._truth)) is not None:
            self.state.bound[t.binder] = number
            return
        options: list[tuple[int, Bool]] = []
        for x, when in self.encoder.members(t.domain):
            with self.state.under(when):
                options.append((x, y.conj(when, self._may(t, x))))
        value, number = chosen(self.encoder, t, options)
        if t.value_type.kind != "integer":
            self.state.choices.append(number + 1)
        self.state.bound[t.binder] = value

    def _may(self, t: c.ChooseValue, option: int) -> Bool:
        self.state.bound[t.binder] = bool(option) if t.value_type.kind == "boolean" else option
        return self._truth(t.condition)

    def _truth(self, condition: c.Expr) -> Bool:
        try:
            return self.encoder.truth(condition)
        except NotEncodedError:
            return True

    def move(self, t: c.Move | c.Shuffle | c.Deal) -> None:
        """Nothing to do if cards are gathered: that cannot fail, and where they lie is not followed from there on."""
        if not self.played or gathering((t,)) is None:
            raise NotEncodedError("cards move after the play", t.span)
        self.state.places = None

    def show(self, t: c.Show | c.Announce) -> None:
        """Record the disclosure; its values are evaluated only if they may fail."""
        state = self.state
        if any(True for _ in fault_sites(t)):
            if isinstance(t, c.Show):
                with state.under(self._some(t.cards)), state.under(self._some(t.to)):
                    self.encoder.player(t.actor)
            else:
                for part in parts(t):
                    if isinstance(part, c.Expr):
                        self.encoder.value(part)
        state.disclosures += (Disclosure(state.guard, t, dict(state.variables), dict(state.bound)),)

    def _some(self, e: c.Expr) -> Bool:
        return y.disj(*(when for _, when in self.encoder.members(e)))

    shuffle = deal = move
    announce = show


def number_within_unknowns(
    encoder: Encoder, t: c.ChooseValue, truth: Callable[[c.Expr], Bool]
) -> z3.ArithRef | None:
    """The number chosen where the ends of the range are not known, with the fault that there may be none; None for other choices.

    There is none only if neither the ends nor the numbers beside them may be chosen.
    """
    if not isinstance(t.domain, c.Range) or t.or_none:
        return None
    low, high = encoder.number(t.domain.low), encoder.number(t.domain.high)
    if isinstance(low, int) and isinstance(high, int):
        return None
    state = encoder.state

    def may_be(option: Int) -> Bool:
        state.bound[t.binder] = option
        within = y.conj(y.compare("<=", low, option), y.compare("<=", option, high))
        with state.under(within):
            return y.conj(within, truth(t.condition))

    may_be(z3.Int(state.name()))  # where the condition may fail, it may for any of them
    known = len(state.obligations)
    number, nothing = z3.Int(state.name()), z3.Bool(state.name())
    allowed, *tried = (may_be(x) for x in (number, low, low + 1, high - 1, high))
    del state.obligations[known:]
    either = y.disj(y.conj(nothing, y.neg(y.disj(*tried))), y.conj(y.neg(nothing), allowed))
    state.facts.append(y.disj(y.neg(state.guard), either))
    encoder.fault(nothing, t.span, "no-legal-choice", t.label)
    return number


def chosen(encoder: Encoder, t: c.ChooseValue, options: list[tuple[int, Bool]]) -> tuple[Symbol, z3.ArithRef]:
    """The chosen value and its index (-1 for none). Notes the fault that there may be nothing to choose."""
    state, number = encoder.state, z3.Int(encoder.state.name())
    possible = y.disj(t.or_none, *(when for _, when in options))
    encoder.fault(y.neg(possible), t.span, "no-legal-choice", t.label)
    allowed = [y.conj(number == x, when) for x, when in options]
    indices = [x for x, _ in options]
    gapless = bool(indices) and indices == list(range(indices[0], indices[-1] + 1))
    integer = t.value_type.kind == "integer"
    if integer and gapless and all(when is True for _, when in options):
        allowed = [y.conj(number >= indices[0], number <= indices[-1])]  # its bounds suffice
    if t.or_none:
        allowed.append(number == -1)
    state.facts.append(y.disj(y.neg(state.guard), y.neg(possible), *allowed))
    if integer:
        return number, number
    values = sorted({x for x, when in options if when is not False})
    if t.or_none or state.guard is not True or not values:
        values.insert(0, -1)
    state.facts.append(y.disj(*(number == x for x in values)))
    if t.value_type.kind == "boolean":
        return number == 1, number
    return y.Cases(tuple((None if x == -1 else x, number == x) for x in values)), number
