"""What happens in a hand, symbolically: cards dealt and moved, cards and values chosen, players and readings decided.

Only the single acts are here; the order in which they follow one another is told by `executor.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.path_enumeration import PathOracle
from trickproof.proofs.smt.symbolic_values import Bool, Cases, Int, Symbol
from trickproof.proofs.symbolic.card_expressions import CardEncoder, Obligation
from trickproof.proofs.symbolic.card_set import CardSet
from trickproof.proofs.symbolic.card_theory import CardWorld
from trickproof.proofs.symbolic.frames import (
    BrokenError,
    Event,
    Frame,
    LazyVariables,
    LoopHead,
    Picked,
    Skipped,
)
from trickproof.proofs.symbolic.pre_play import anything
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import DECK, Key

Claims = Callable[[Any, str], Sequence[Obligation]]
"""What must hold of a reader at a moment (`play-starts`, `hand-ends`)."""


class HandActs(CardEncoder):
    """One run.  `picks` are choices of cards, `events` moves, `skipped` steps, in order.

    `decided` is what chance and the players decide, in order: cards dealt, cards and values chosen.
    """

    def __init__(
        self,
        program: c.Program,
        world: CardWorld,
        oracle: PathOracle,
        variables: Mapping[Key, Symbol],
        zones: Mapping[Key, CardSet],
        claims: Claims,
        playing: bool = False,
    ) -> None:
        super().__init__(program, world, variables, zones, {}, {})
        self.variables = LazyVariables(self, self.variables)
        self.oracle, self.claims, self.playing = oracle, claims, playing
        self.taken: dict[str, int] = {}
        self.given: dict[str, int] = {}
        self.picks: list[Picked] = []
        self.decided: list[Symbol] = []
        self.events: list[Event] = []
        self.skipped: list[Skipped] = []
        self.open_ties: list[Span] = []
        self.stack: list[Frame | LoopHead] = []
        self.milestone = 0
        """Obligations before the first card is played; what comes later may take them for cleared."""

    def forgetting(self, names: Sequence[str]) -> LazyVariables:
        """The variables, of which some are unknown."""
        return LazyVariables(self, {k: v for k, v in self.variables.items() if k[0] not in names})

    def unknown(self, kind: c.Type) -> Symbol:
        """A value of a type that nothing is known about."""
        if kind == c.CARDS:
            return self.world.anything()
        if kind == c.CARD:
            one = self.world.part_of(self.world.known(range(self.world.width)), 1, z3.Bool(self.world.name()))
            return one
        made = anything(self.program, kind, self.world.name(), self.oracle.facts)
        if made is y.OPAQUE:
            size = {"suits": len(self.program.deck.suits), "ranks": len(self.program.deck.ranks)}
            number = size.get(kind.kind, self.program.players)
            return y.Members(tuple((i, z3.Bool(self.world.name())) for i in range(number)))
        return made

    def claim(self, check: str, wrong: Bool, bits: Bool | None = None) -> Obligation:
        """A claim of a check at this moment, which fails under a condition (told in bits apart, if need be)."""
        place = self.program.rules["hand"].span
        return Obligation(wrong, wrong if bits is None else bits, place, "", "", check)

    def _moment(self, moment: str) -> None:
        self.obligations += self.claims(self, moment)
        if moment == "play-starts":
            self.milestone = len(self.obligations)

    def player(self, e: c.Expr) -> int:
        """A player, decided.  Raises BrokenError where there is nobody."""
        alternatives = y.cases(self._player(e)).of
        known = [(x, when) for x, when in alternatives if x is not None]
        ways = [when for _, when in known]
        number = self.oracle.pick([*ways, y.neg(y.disj(*ways))])
        if number == len(known):
            raise BrokenError
        chosen = known[number][0]
        assert chosen is not None
        if isinstance(e, c.Variable) and len(known) > 1 and not e.arguments:
            self.variables[(e.name,)] = chosen
        return chosen

    def _choose_cards(self, t: c.ChooseCards) -> None:
        if t.label == "play" and not self.playing:
            self._moment("play-starts")
            self.playing = True
        known, nobody_there = len(self.obligations), False
        actor, to = 0, None
        try:  # who it is is decided first, and looked at for what breaks down last, as in play
            actor, to = self.player(t.actor), None if t.to is None else self.player(t.to)
        except BrokenError:
            nobody_there = True
        asked = self.obligations[known:]
        del self.obligations[known:]
        domain, low, high = self.cards(t.domain), self.value(t.low), self.value(t.high)
        self.obligations += asked
        if nobody_there:
            raise BrokenError
        size = self.world.size(domain)
        senseless = y.disj(y.compare("<", low, 0), y.compare("<", high, low))
        self.oblige(senseless, senseless, t.span, "bad-number", t.label)
        too_few = y.conj(y.compare(">", high, 0), y.compare("<", size, low))
        least = isinstance(low, int) and low == 1
        nobody = y.conj(y.compare(">", high, 0), y.neg(self.world.some(domain))) if least else True
        self.oblige(too_few, nobody, t.span, "no-legal-choice", t.label)
        if t.whose is not None:
            self._player(t.whose)
        if isinstance(low, int) and isinstance(high, int) and low == high:
            number: Int = low
        elif low is high or (not isinstance(low, int) and not isinstance(high, int) and low.eq(high)):
            number = low
        else:
            number = z3.Int(self.world.name())
            able = y.conj(y.compare("<=", low, high), y.compare("<=", low, size), y.compare(">=", low, 0))
            bounds = y.conj(number >= low, number <= high, y.compare("<=", number, size))
            self.world.count_facts.append(y.disj(y.neg(able), bounds))
        self.bound[t.binder] = self.world.part_of(domain, number, self.path)
        self.picks.append(Picked(t.label, actor, to, number, low, high, t.span))
        self.decided.append(self.bound[t.binder])

    def _choose_value(self, t: c.ChooseValue) -> None:
        self.player(t.actor)
        options = self.members(t.domain)
        truth = t.value_type.kind == "boolean"
        allowed: list[tuple[int | None, Bool]] = []
        for x, when in options:
            self.bound[t.binder] = bool(x) if truth else x
            with self.under(when):
                allowed.append((x, y.conj(when, self.value(t.condition))))
        if t.or_none:
            allowed.append((None, True))
        possible = y.disj(*(when for _, when in allowed))
        self.fault_in(y.neg(possible), t, "no-legal-choice")
        if t.value_type.kind == "integer":
            number = z3.Int(self.world.name())
            within = y.disj(*(y.conj(number == x, when) for x, when in allowed if x is not None))
            self.oracle.facts.append(y.disj(y.neg(possible), within))
            self.bound[t.binder] = number
            self.decided.append(number)
            return
        index = z3.Int(self.world.name())
        told = [(-1 if x is None else x, when) for x, when in allowed if when is not False]
        self.oracle.facts.append(y.disj(y.neg(possible), *(y.conj(index == x, when) for x, when in told)))
        if truth:
            self.bound[t.binder] = index == 1
        else:
            self.bound[t.binder] = Cases(tuple((None if x < 0 else x, index == x) for x, _ in told))
        self.decided.append(self.bound[t.binder])

    def fault_in(self, condition: Bool, t: c.ChooseValue, kind: str) -> None:
        """Notes that a move may break down."""
        self.oblige(condition, condition, t.span, kind, t.label)

    def _move(self, t: c.Move) -> None:
        cards = self.cards(t.cards)
        sources = self.owners(t.source.arguments, t.source.span)
        targets = self.owners(t.target.arguments, t.target.span)
        for owners, when in sources:
            key: Key = (t.source.zone, *owners)
            lost = y.conj(when, self.world.outside(cards, self.zones[key]))
            self.oblige(True, lost, t.span, "cards-not-there", t.label)
        try:
            with self.under(self.world.some(cards)):
                actor = None if t.actor is None else self.player(t.actor)
                to = None if t.to is None else self.player(t.to)
        except BrokenError:
            if self.oracle.decide(self.world.some(cards)):
                raise
            return
        for owners, when in sources:
            key = (t.source.zone, *owners)
            self.zones[key] = self.world.choose(
                when, self.world.moved_out(self.zones[key], cards), self.zones[key]
            )
        for owners, when in targets:
            key = (t.target.zone, *owners)
            self.zones[key] = self.world.choose(
                when, self.world.moved_in(self.zones[key], cards), self.zones[key]
            )
        if actor is not None:
            after = self.zones[(t.source.zone, *sources[0][0])]
            for owners, when in sources[1:]:
                after = self.world.choose(when, self.zones[(t.source.zone, *owners)], after)
            self.events.append(Event(t.label, actor, to, cards, after, t.span))

    def _deal(self, t: c.Deal) -> None:
        deck = self.zones[(DECK,)]
        count = None if t.count is None else self.value(t.count)
        dealt = deck
        if count is not None:
            size = self.world.size(deck)
            wrong = y.disj(y.compare("<", count, 0), y.compare(">", count, size))
            self.oblige(wrong, True, t.span, "deck-empty")
            left = self.world.number_of(deck)
            dealt = deck if left is not None and left == count else self.world.part_of(deck, count, self.path)
        self.decided.append(dealt)
        self.zones[(DECK,)] = self.world.moved_out(deck, dealt)
        for owners, when in self.owners(t.to.arguments, t.to.span):
            key: Key = (t.to.zone, *owners)
            self.zones[key] = self.world.choose(
                when, self.world.moved_in(self.zones[key], dealt), self.zones[key]
            )

    def value(self, e: c.Expr) -> Symbol:
        match e:
            case c.Reading():
                return self._picked_once(self.taken, e.rule, range(len(self.program.readings[e.rule])))
            case c.Parameter():
                return self._picked_once(self.given, e.name, self.program.parameters[e.name])
        return super().value(e)

    def _picked_once(self, known: dict[str, int], name: str, values: Sequence[int]) -> int:
        """One of several values, the same whenever it is asked for on this path."""
        if name not in known:
            alternatives: list[Bool] = [z3.Bool(f"{name}={value}") for value in values]
            known[name] = values[self.oracle.pick(alternatives)] if len(values) > 1 else values[0]
        return known[name]
