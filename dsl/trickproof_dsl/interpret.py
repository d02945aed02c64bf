"""The reference interpreter: a resumable machine over immutable states.

`start` runs to the first decision; `apply` answers it and runs to the next; `next_hand` goes on after a complete
hand.  States are values: keep one, apply two different moves to it, compare.  Chance comes from a seed or from a
given deal; choices come from outside.  Plain on purpose: this file is what the other readers are compared with.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from trickproof_dsl import core as c
from trickproof_dsl.environment import Environment, Key, Value
from trickproof_dsl.faults import Fault, FaultError
from trickproof_dsl.meaning import flattened, meaning, parts
from trickproof_dsl.state import (
    DECK,
    VALUE_KEYS,
    Body,
    Chance,
    Decision,
    Event,
    State,
    fresh_values,
    initial,
    owner_keys,
    size_of,
)

MOST_ROUNDS_AT_ONCE = 50_000
"""Rounds of all loops between two decisions: rules that do more have loops in loops that nobody could carry out."""

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
    machine = _Machine(state)
    machine.stack.clear()
    machine.begin(flattened(body))
    return machine.go()


def apply(state: State, choice: Value) -> State:
    """Answers the decision.  Raises ValueError when there is none or the choice is not legal."""
    decision = state.decision
    if decision is None or not decision.allows(choice):
        raise ValueError("no decision is waiting" if decision is None else "not a legal choice")
    machine = _Machine(state)
    if decision.of_cards:
        machine.bound[decision.binder] = frozenset(choice)
    else:
        machine.bound[decision.binder] = choice
        value = (VALUE_KEYS[decision.type.kind], decision.type, choice)
        machine.announce(decision.label, (("player", c.PLAYER, decision.player), value))
    return machine.go()


@lru_cache(4096)
def seats_from(seats: frozenset[int], start: int, clockwise: bool, players: int) -> tuple[int, ...]:
    """Seats one after another from one on, which need not be among them."""
    turn = 1 if clockwise else -1
    return tuple(sorted(seats, key=lambda p: (p - start) * turn % players))


class _Machine(Environment):
    """One run from decision to decision, on copies that nobody else sees.  The text of steps calls what it can do."""

    __slots__ = ("chance", "decision", "events", "match_over", "stack", "state", "steps", "winners")

    def __init__(self, state: State) -> None:
        self.variables: dict[Key, Value]
        self.zones: dict[Key, tuple[int, ...]]
        variables, zones = dict(state.variables), dict(state.zones)
        super().__init__(state.program, variables, zones, state.bound, state.parameters, state.readings)
        self.state, self.stack, self.steps = state, list(state.stack), 0
        self.events, self.chance = list(state.events), state.chance
        self.match_over, self.winners = state.match_over, state.winners
        self.decision: Decision | None = None

    def go(self) -> State:
        fault: Fault | None = None
        try:
            while self.stack and self.decision is None:
                self._advance(*self.stack.pop())
        except FaultError as broken:
            fault = broken.fault
            self.stack.clear()
        return State(
            self.program,
            self.parameters,
            self.readings,
            self.chance,
            self.variables,
            self.zones,
            self.bound if self.stack else {},
            tuple(self.stack),
            tuple(self.events),
            self.decision,
            fault,
            self.match_over,
            self.winners,
        )

    def _advance(
        self, body: Body, at: int, loop: c.Loop | c.Until | None, left: tuple[Value, ...], rounds: int
    ) -> None:
        """The next steps of what was begun last; at its end the next round, if there is one."""
        if at == len(body):
            if isinstance(loop, c.Loop) and left:
                self.bound[loop.binder], left = left[0], left[1:]
            elif isinstance(loop, c.Until) and not meaning(loop.condition)(self):
                rounds = self.another(rounds, loop)
            else:
                return
            self.round(loop)
            at = 0
        if body:
            carry_out, at = parts(body)[at]
        self.stack.append((body, at, loop, left, rounds))
        if body:
            carry_out(self)

    # ----------------------------------------------------------------------------- going round and stopping

    def begin(self, body: Body) -> None:
        self.stack.append((body, 0, None, (), 0))

    def begin_loop(self, t: c.Loop, body: Body, elements: Sequence[Value]) -> None:
        self.stack.append((body, len(body), t, tuple(elements), 0))

    def begin_until(self, t: c.Until, body: Body, rounds: int) -> None:
        self.stack.append((body, len(body), t, (), rounds))

    def round(self, t: c.Loop | c.Until) -> None:
        """One more round of whatever loop."""
        self.steps += 1
        if self.steps > MOST_ROUNDS_AT_ONCE:
            raise FaultError("loop-bound", f"not done after {MOST_ROUNDS_AT_ONCE} rounds", t.span)

    def another(self, rounds: int, t: c.Until) -> int:
        """The rounds that are left after another one."""
        if rounds <= 0:
            raise FaultError("loop-bound", "not done after as many rounds as are allowed", t.span)
        return rounds - 1

    def ordered(
        self, domain: frozenset[int], start: int | None, key: Callable[[int], Key] | None, t: c.Loop
    ) -> Sequence[int]:
        """The elements in the order of the keys, ties as the order says."""
        if start is None:
            elements: Sequence[int] = sorted(domain)
        else:
            elements = seats_from(domain, start, t.order.clockwise, self.players)
        if key is None and t.order.ties != "impossible":
            return elements
        ranked = {x: key(x) for x in elements} if key else {}
        if t.order.ties == "impossible" and len(set(ranked.values()) or {()}) < len(elements):
            raise FaultError("tie", "two are equal in an order that allows no ties", t.span)
        return sorted(elements, key=ranked.__getitem__) if key else elements

    def end_match(self, winners: frozenset[int]) -> None:
        self.match_over, self.winners = True, winners
        self.events.append(Event("end", (("winners", c.PLAYERS, winners),)))
        self.stack.clear()

    def unspecified(self, t: c.Unspecified) -> None:
        raise FaultError("unspecified", f"nothing says what `{t.rule}` does", t.span)

    # ---------------------------------------------------------------------------------------- decisions

    def ask_cards(
        self,
        domain: frozenset[int],
        low: int,
        high: int,
        player: int,
        to: int | None,
        whose: Callable[[], int] | None,
        rule: str,
        t: c.ChooseCards,
    ) -> None:
        if low < 0 or high < low:
            raise FaultError("bad-number", f"between {low} and {high} cards are asked for", t.span, t.label)
        if high == 0:
            self.bound[t.binder] = frozenset()
            return
        if len(domain) < low:
            missing = f"player {player} must choose {low} of {len(domain)} cards"
            raise FaultError("no-legal-choice", missing, t.span, t.label)
        legal, high = tuple(sorted(domain)), min(high, len(domain))
        holder = whose() if whose else None
        holder = None if holder == player else holder
        self.decision = Decision(
            player, t.label, c.CARDS, legal, low, high, to, holder, t.single, t.blind, rule, t.binder, t.span
        )

    def options(self, domain: frozenset[int], t: c.ChooseValue) -> list[Value]:
        """What may be allowed, in order."""
        return [bool(x) for x in sorted(domain)] if t.value_type.kind == "boolean" else sorted(domain)

    def ask_value(self, player: int, legal: list[Value], t: c.ChooseValue) -> None:
        if t.or_none:
            legal.append(None)
        if not legal:
            raise FaultError("no-legal-choice", f"player {player} has no option", t.span, t.label)
        options, kind = tuple(legal), t.value_type
        self.decision = Decision(
            player, t.label, kind, options, 1, 1, None, None, True, False, t.rule, t.binder, t.span
        )

    # -------------------------------------------------------------------------------- cards and events

    def move(self, cards: frozenset[int], source: Key, target: Key, t: c.Move) -> bool:
        """Cards change place; answers whether there are any."""
        held = self.zones[source]
        if not cards.issubset(held):
            raise FaultError("cards-not-there", "cards are moved from where they are not", t.span, t.label)
        if cards:
            self.zones[source] = tuple([x for x in held if x not in cards])
            self.zones[target] += tuple(sorted(cards))
        return bool(cards)

    def tell(
        self, t: c.Move | c.Show, cards: frozenset[int], to: int | None, player: int, holder: int | None
    ) -> None:
        """A player has moved or shown cards; `holder` is whose they were."""
        told: tuple[tuple[str, c.Type, Value], ...] = (("player", c.PLAYER, player),)
        if holder is not None and holder != player:
            told += (("from", c.PLAYER, holder),)
        if to is not None:
            told += (("to", c.PLAYER, to),)
        if isinstance(t, c.Move) and t.single:
            told += (("card", c.CARD, next(iter(cards))),)
        else:
            told += (("cards", c.CARDS, cards),)
        self.events.append(Event(t.label, told))

    def announce(self, name: str, told: tuple[tuple[str, c.Type, Value], ...]) -> None:
        self.events.append(Event(name, told))

    def by_seat(self, variable: str) -> tuple[c.Type, Value]:
        """A per-player variable, as it is told."""
        kind = self.program.variables[variable].type
        return kind, tuple(self.variables[(variable, p)] for p in range(self.players))

    def shuffle(self) -> None:
        top = (self.chance.given or {}).get((DECK,), ())
        cards = [*top, *(x for x in range(len(self.program.deck.cards)) if x not in top)]
        if self.chance.given is None:
            random.Random(f"{self.chance.seed}/{self.chance.shuffles}").shuffle(cards)
        for key in self.zones:
            self.zones[key] = ()
        self.zones[(DECK,)] = tuple(cards)
        self.chance = Chance(self.chance.seed, self.chance.given, self.chance.shuffles + 1, {})

    def deal(self, target: Key, number: int | None, t: c.Deal) -> None:
        """From the cards given for the place while there are any, then from the deck those given nowhere."""
        deck, given = self.zones[(DECK,)], self.chance.given or {}
        kept = {card for place, cards in given.items() if place != (DECK,) for card in cards}
        there = given.get(target, ()) + tuple([card for card in deck if card not in kept])
        count = len(there) if number is None else number
        dealt = there[: max(count, 0)]
        gone = frozenset(dealt)
        if len(dealt) != count or not gone.issubset(deck):
            raise FaultError("deck-empty", f"{count} cards are dealt, {len(dealt)} are there", t.span)
        self.zones[(DECK,)] = tuple([card for card in deck if card not in gone])
        self.zones[target] = self.zones[target] + dealt
        told = {**self.chance.dealt, target: self.chance.dealt.get(target, ()) + tuple(sorted(dealt))}
        if target in given:
            given = {**given, target: given[target][len(dealt) :]}
        chance = self.chance
        self.chance = Chance(chance.seed, chance.given and given, chance.shuffles, told)
