"""The reference interpreter: a resumable machine over immutable states.

`start` runs to the first decision; `apply` answers it and runs to the next; `next_hand` goes on after a complete
hand.  States are values: keep one, apply two different moves to it, compare.  Chance comes from a seed or from a
given deal; choices come from outside.  Plain on purpose: this file is what the other readers are compared with.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from trickproof_dsl import core as c
from trickproof_dsl.evaluate import Evaluator, Fault, FaultError, Key, Value
from trickproof_dsl.source import Span
from trickproof_dsl.state import (
    DECK,
    VALUE_KEYS,
    Chance,
    Decision,
    Event,
    Frame,
    State,
    fresh_values,
    initial,
    owner_keys,
    size_of,
)

MOST_STEPS = 100_000
"""Steps between two decisions: rules that do more have loops in loops that nobody could carry out."""

__all__ = [
    "DECK",
    "Chance",
    "Decision",
    "Event",
    "State",
    "apply",
    "initial",
    "next_hand",
    "owner_keys",
    "run",
    "size_of",
    "start",
]


def start(
    program: c.Program,
    chance: Chance | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    variables: Mapping[Key, Value] | None = None,
) -> State:
    """The first hand of a match, run to its first decision; `variables` override what the match starts with."""
    begun = run(initial(program, chance, parameters, readings), program.setup)
    if begun.fault:
        return begun
    begun = replace(begun, variables={**begun.variables, **(variables or {})})
    return run(begun, program.hand)


def next_hand(state: State) -> State:
    """The next hand of a match; what is not carried starts afresh, and a given deal is used up.

    Raises ValueError when this hand is not complete or the match is over.
    """
    if not state.hand_over or state.match_over:
        raise ValueError("the match is over" if state.match_over else "the hand is not complete")
    program = state.program
    fresh = {
        k: v
        for info in program.variables.values()
        if not info.carried
        for k, v in fresh_values(program, info)
    }
    chance = replace(state.chance, given=None)
    state = replace(state, variables={**state.variables, **fresh}, bound={}, events=(), chance=chance)
    state = run(state, program.between)
    return state if state.fault else run(state, program.hand)


def run(state: State, body: tuple[c.Stmt, ...]) -> State:
    """Carries out steps from a state that waits for nothing, up to the next decision, fault or the end."""
    return _Machine(replace(state, stack=(Frame(body),))).go()


def apply(state: State, choice: Value) -> State:
    """Answers the decision.  Raises ValueError when there is none or the choice is not legal."""
    decision = state.decision
    if decision is None or not decision.allows(choice):
        raise ValueError("no decision is waiting" if decision is None else "not a legal choice")
    choice = frozenset(choice) if decision.type == c.CARDS else choice
    event = () if decision.type == c.CARDS else (_chosen_event(decision, choice),)
    bound = {**state.bound, decision.binder: choice}
    return _Machine(replace(state, bound=bound, decision=None, events=state.events + event)).go()


def _chosen_event(decision: Decision, choice: Value) -> Event:
    value = (VALUE_KEYS[decision.type.kind], decision.type, choice)
    return Event(decision.label, (("player", c.PLAYER, decision.player), value))


def limiting_rule(domain: c.Expr) -> str | None:
    """The rule whose value the choice is made from, if it is one."""
    while isinstance(domain, c.Filter):
        domain = domain.domain
    return domain.rule if isinstance(domain, c.RuleValue) else None


class _Machine:
    """One run from decision to decision, on copies that nobody else sees."""

    def __init__(self, state: State) -> None:
        self.state, self.program = state, state.program
        self.stack = list(state.stack)
        self.variables, self.zones = dict(state.variables), dict(state.zones)
        self.events, self.chance = list(state.events), state.chance
        self.match_over, self.winners = state.match_over, state.winners
        self.decision: Decision | None = None
        self.env = Evaluator(
            self.program, self.variables, self.zones, state.bound, state.parameters, state.readings
        )
        self.value = self.env.value

    def go(self) -> State:
        fault: Fault | None = None
        try:
            for _ in range(MOST_STEPS):
                if not self.stack or self.decision is not None:
                    break
                self._advance()
            else:
                raise FaultError("loop-bound", f"not done after {MOST_STEPS} steps", self._loop_span())
        except FaultError as broken:
            fault = broken.fault
            self.stack.clear()
        before = self.state
        return State(
            self.program,
            before.parameters,
            before.readings,
            self.chance,
            self.variables,
            self.zones,
            self.env.bound if self.stack else {},
            tuple(self.stack),
            tuple(self.events),
            self.decision,
            fault,
            self.match_over,
            self.winners,
        )

    def _advance(self) -> None:
        """The next step, or the next round, of what was begun last."""
        stack = self.stack
        body, at, loop, left, rounds = stack[-1]
        if at < len(body):
            stack[-1] = Frame(body, at + 1, loop, left, rounds)
            self._step(body[at])
        elif isinstance(loop, c.Loop) and left:
            self.env.bound[loop.binder] = left[0]
            stack[-1] = Frame(body, 0, loop, left[1:])
        elif isinstance(loop, c.Until) and not self.value(loop.condition):
            if rounds <= 0:
                raise FaultError("loop-bound", "not done after as many rounds as are allowed", loop.span)
            stack[-1] = Frame(body, 0, loop, left, rounds - 1)
        else:
            stack.pop()

    def _loop_span(self) -> Span:
        """The innermost loop, or what is being done."""
        loops = [frame.loop.span for frame in self.stack if frame.loop is not None]
        return loops[-1] if loops else self.stack[-1].body[0].span

    def _step(self, t: c.Stmt) -> None:
        match t:
            case c.Assign():
                value = self.value(t.value)
                self.variables[self.env.key(t.variable, t.arguments, t.span)] = value
            case c.Branch():
                self.stack.append(Frame(t.then if self.value(t.condition) else t.otherwise))
            case c.Loop():
                self.stack.append(Frame(t.body, len(t.body), t, self._ordered(t)))
            case c.Until():
                self.stack.append(Frame(t.body, len(t.body), t, rounds=self.value(t.bound)))
            case c.InRule():
                self.stack.append(Frame(t.body))
            case c.ChooseCards():
                self._ask_cards(t)
            case c.ChooseValue():
                self._ask_value(t)
            case c.Move():
                self._move(t)
            case c.Show():
                shown = self.value(t.cards)
                if shown:
                    for player in sorted(self.value(t.to)):
                        self._tell(t, t.actor, shown, player)
            case c.Shuffle():
                self._shuffle()
            case c.Deal():
                self._deal(t)
            case c.Announce():
                told = tuple((key, *self._told(value)) for key, value in t.fields)
                self.events.append(Event(t.event, told))
            case c.EndMatch():
                self.match_over, self.winners = True, self.value(t.winners)
                self.events.append(Event("end", (("winners", c.PLAYERS, self.winners),)))
                self.stack.clear()
            case c.Unspecified():
                raise FaultError("unspecified", f"nothing says what `{t.rule}` does", t.span)
            case _:
                assert_never(t)

    def _ordered(self, t: c.Loop) -> tuple[Value, ...]:
        """The elements in the order of the keys, ties as the order says."""
        elements = sorted(self.value(t.domain))
        order = t.order
        if order.start is not None:
            first, turn = self.env.given(order.start), 1 if order.clockwise else -1
            elements.sort(key=lambda p: (p - first) * turn % self.program.players)
        ranked = {x: self._keys(order, x) for x in elements}
        if order.ties == "impossible" and len(set(ranked.values())) < len(elements):
            raise FaultError("tie", "two are equal in an order that allows no ties", t.span)
        return tuple(sorted(elements, key=ranked.__getitem__))

    def _keys(self, order: c.Order, element: Value) -> tuple[int, ...]:
        keys = []
        for highest, binder, e in order.keys:
            self.env.bound[binder] = element
            keys.append(-self.env.given(e) if highest else self.env.given(e))
        return tuple(keys)

    def _ask_cards(self, t: c.ChooseCards) -> None:
        domain, low, high = self.value(t.domain), self.value(t.low), self.value(t.high)
        player, to = self.env.given(t.actor), None if t.to is None else self.env.given(t.to)
        if low < 0 or high < low:
            raise FaultError("bad-number", f"between {low} and {high} cards are asked for", t.span, t.label)
        if high == 0:
            self.env.bound[t.binder] = frozenset()
            return
        if len(domain) < low:
            missing = f"player {player} must choose {low} of {len(domain)} cards"
            raise FaultError("no-legal-choice", missing, t.span, t.label)
        legal, high = tuple(sorted(domain)), min(high, len(domain))
        holder = None if t.whose is None else self.env.given(t.whose)
        whose = None if holder == player else holder
        rule = limiting_rule(t.domain) or t.rule
        self.decision = Decision(
            player, t.label, c.CARDS, legal, low, high, to, whose, t.single, t.blind, rule, t.binder, t.span
        )

    def _ask_value(self, t: c.ChooseValue) -> None:
        player = self.env.given(t.actor)
        options: list[Value] = sorted(self.value(t.domain))
        if t.value_type.kind == "boolean":
            options = [bool(x) for x in options]
        legal: list[Value] = []
        for option in options:
            self.env.bound[t.binder] = option
            if self.value(t.condition):
                legal.append(option)
        if t.or_none:
            legal.append(None)
        if not legal:
            raise FaultError("no-legal-choice", f"player {player} has no option", t.span, t.label)
        self.decision = Decision(
            player,
            t.label,
            t.value_type,
            tuple(legal),
            1,
            1,
            None,
            None,
            True,
            False,
            t.rule,
            t.binder,
            t.span,
        )

    def _move(self, t: c.Move) -> None:
        cards = self.value(t.cards)
        source, target = self._place(t.source), self._place(t.target)
        if not cards <= frozenset(self.zones[source]):
            raise FaultError("cards-not-there", "cards are moved from where they are not", t.span, t.label)
        if not cards:
            return
        self.zones[source] = tuple(x for x in self.zones[source] if x not in cards)
        self.zones[target] = self.zones[target] + tuple(sorted(cards))
        if t.actor is not None:
            to = None if t.to is None else self.env.given(t.to)
            self._tell(t, t.actor, cards, to, t.single)

    def _place(self, place: c.Place) -> Key:
        return self.env.key(place.zone, place.arguments, place.span)

    def _tell(
        self, t: c.Move | c.Show, actor: c.Expr, cards: frozenset[int], to: int | None, single: bool = False
    ) -> None:
        player = self.env.given(actor)
        told: list[tuple[str, c.Type, Value]] = [("player", c.PLAYER, player)]
        if isinstance(t, c.Move) and self.program.zones[t.source.zone].of == (c.PLAYER,):
            holder = self.env.given(t.source.arguments[0])
            if holder != player:
                told.append(("from", c.PLAYER, holder))
        if to is not None:
            told.append(("to", c.PLAYER, to))
        told.append(("card", c.CARD, next(iter(cards))) if single else ("cards", c.CARDS, cards))
        self.events.append(Event(t.label, tuple(told)))

    def _told(self, value: c.Expr | str) -> tuple[c.Type, Value]:
        """A field of an announcement; zones keep their order, per-player variables become a tuple by seat."""
        if isinstance(value, str):
            kind = self.program.variables[value].type
            return kind, tuple(self.variables[(value, p)] for p in range(self.program.players))
        if isinstance(value, c.ZoneCards):
            return c.CARDS, self.zones[self.env.key(value.zone, value.arguments, value.span)]
        return value.type, self.value(value)

    def _shuffle(self) -> None:
        top = (self.chance.given or {}).get((DECK,), ())
        cards = [*top, *(x for x in range(len(self.program.deck.cards)) if x not in top)]
        if self.chance.given is None:
            random.Random(f"{self.chance.seed}/{self.chance.shuffles}").shuffle(cards)
        for key in self.zones:
            self.zones[key] = ()
        self.zones[(DECK,)] = tuple(cards)
        self.chance = replace(self.chance, shuffles=self.chance.shuffles + 1, dealt={})

    def _deal(self, t: c.Deal) -> None:
        """From the cards given for the place while there are any, then from the deck those given nowhere."""
        deck, target, given = self.zones[(DECK,)], self._place(t.to), self.chance.given or {}
        kept = {card for place, cards in given.items() if place != (DECK,) for card in cards}
        there = given.get(target, ()) + tuple(card for card in deck if card not in kept)
        count = len(there) if t.count is None else self.value(t.count)
        dealt = there[: max(count, 0)]
        if len(dealt) != count or not set(dealt) <= set(deck):
            raise FaultError("deck-empty", f"{count} cards are dealt, {len(dealt)} are there", t.span)
        self.zones[(DECK,)] = tuple(card for card in deck if card not in dealt)
        self.zones[target] = self.zones[target] + dealt
        told = {**self.chance.dealt, target: self.chance.dealt.get(target, ()) + tuple(sorted(dealt))}
        if target in given:
            given = {**given, target: given[target][len(dealt) :]}
        self.chance = replace(self.chance, given=self.chance.given and given, dealt=told)
