"""Single actions of a hand on one path: cards dealt, moved and shown, cards and values chosen, players decided.

In which order they follow one another is told by `executor.py`.
"""

from __future__ import annotations

import z3

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Cases, Int
from trickproof.proofs.symbolic.card_expressions import CardEncoder
from trickproof.proofs.symbolic.path_state import BrokenError, Event, PathState, Picked
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import DECK, Key


class Actions:
    """Carries out single actions on a path."""

    def __init__(self, state: PathState, encoder: CardEncoder) -> None:
        self.state, self.encoder, self.world = state, encoder, state.world

    def player(self, e: c.Expr) -> int:
        """A player, decided.  Raises BrokenError where there is nobody."""
        alternatives = y.cases(self.encoder.player(e)).of
        known = [(x, when) for x, when in alternatives if x is not None]
        ways = [when for _, when in known]
        number = self.state.oracle.pick([*ways, y.neg(y.disj(*ways))])
        if number == len(known):
            raise BrokenError
        chosen = known[number][0]
        assert chosen is not None
        if isinstance(e, c.Variable) and len(known) > 1 and not e.arguments:
            self.state.variables[(e.name,)] = chosen
        return chosen

    def assign(self, t: c.Assign) -> None:
        """Sets a variable, of everybody whom its owners can mean."""
        encoder, variables = self.encoder, self.state.variables
        value, owners = encoder.value(t.value), encoder.owners(t.arguments, t.span)
        kind = self.state.program.variables[t.variable].type
        if kind in (c.CARDS, c.CARD):
            value = encoder.as_cards(value)
        for key, when in owners:
            place: Key = (t.variable, *key)
            variables[place] = value if when is True else encoder.merge(kind, when, value, variables[place])

    def choose_cards(self, t: c.ChooseCards) -> None:
        known, nobody_there = len(self.state.obligations), False
        actor, to = 0, None
        try:  # who it is is decided first, and looked at for what breaks down last, as in play
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
        if isinstance(low, int) and isinstance(high, int) and low == high:
            number: Int = low
        elif low is high or (not isinstance(low, int) and not isinstance(high, int) and low.eq(high)):
            number = low
        else:
            number = z3.Int(self.world.name())
            able = y.conj(y.compare("<=", low, high), y.compare("<=", low, size), y.compare(">=", low, 0))
            bounds = y.conj(number >= low, number <= high, y.compare("<=", number, size))
            self.world.count_facts.append(y.disj(y.neg(able), bounds))
        self.state.bound[t.binder] = self.world.part_of(domain, number, self.state.guard)
        self.state.picks.append(Picked(t.label, actor, to, number, low, high, t.span))
        self.state.decided.append(self.state.bound[t.binder])

    def choose_value(self, t: c.ChooseValue) -> None:
        self.player(t.actor)
        options = self.encoder.members(t.domain)
        truth = t.value_type.kind == "boolean"
        allowed: list[tuple[int | None, Bool]] = []
        for x, when in options:
            self.state.bound[t.binder] = bool(x) if truth else x
            with self.state.under(when):
                allowed.append((x, y.conj(when, self.encoder.truth(t.condition))))
        if t.or_none:
            allowed.append((None, True))
        possible = y.disj(*(when for _, when in allowed))
        self.fault_in(y.neg(possible), t, "no-legal-choice")
        if t.value_type.kind == "integer":
            number = z3.Int(self.world.name())
            within = y.disj(*(y.conj(number == x, when) for x, when in allowed if x is not None))
            self.state.oracle.facts.append(y.disj(y.neg(possible), within))
            self.state.bound[t.binder] = number
            self.state.decided.append(number)
            return
        index = z3.Int(self.world.name())
        indices = [(-1 if x is None else x, when) for x, when in allowed if when is not False]
        self.state.oracle.facts.append(
            y.disj(y.neg(possible), *(y.conj(index == x, when) for x, when in indices))
        )
        if truth:
            self.state.bound[t.binder] = index == 1
        else:
            self.state.bound[t.binder] = Cases(tuple((None if x < 0 else x, index == x) for x, _ in indices))
        self.state.decided.append(self.state.bound[t.binder])

    def fault_in(self, condition: Bool, t: c.ChooseValue, kind: str) -> None:
        """Notes that a move may break down."""
        self.state.oblige(condition, condition, t.span, kind, t.label)

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
        for owners, when in sources:
            key = (t.source.zone, *owners)
            self.state.zones[key] = self.world.choose(
                when, self.world.moved_out(self.state.zones[key], cards), self.state.zones[key]
            )
        for owners, when in targets:
            key = (t.target.zone, *owners)
            self.state.zones[key] = self.world.choose(
                when, self.world.moved_in(self.state.zones[key], cards), self.state.zones[key]
            )
        if actor is not None:
            after = self.state.zones[(t.source.zone, *sources[0][0])]
            for owners, when in sources[1:]:
                after = self.world.choose(when, self.state.zones[(t.source.zone, *owners)], after)
            self.state.events.append(Event(t.label, actor, to, cards, after, t.span))

    def show(self, t: c.Show) -> None:
        """Nobody is asked about where there is nothing to show."""
        with self.state.under(self.world.some(self.encoder.cards(t.cards))):
            self.encoder.members(t.to)
            self.encoder.player(t.actor)

    def shuffle(self) -> None:
        """All cards are in the deck."""
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
        for owners, when in self.encoder.owners(t.to.arguments, t.to.span):
            key: Key = (t.to.zone, *owners)
            self.state.zones[key] = self.world.choose(
                when, self.world.moved_in(self.state.zones[key], dealt), self.state.zones[key]
            )

    def announce(self, t: c.Announce) -> None:
        """Values that are told are only looked at for what may break down in them."""
        for _, announced in t.fields:
            if not isinstance(announced, str):
                self.encoder.value(announced)
