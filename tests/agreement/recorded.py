"""Deals as the interpreter plays them, with all decisions of chance and players, in order, and all moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from agreement.instrumented import carried_out_with
from trickproof.testing.random_play import pick
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as interpret, runtime_actions as actions
from trickproof_dsl.compiled.memory import Match, Memory
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics import events
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.values import Key, Value


@dataclass(frozen=True)
class Moved:
    """A move by a player (None if no card is moved), and the contents of its source afterwards."""

    label: str
    actor: int | None
    to: int | None
    cards: frozenset[int]
    after: frozenset[int]


@dataclass
class Played:
    """A deal as the interpreter played it: the decisions, the moves, the final state."""

    begin: State
    end: State
    decided: list[Value] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)


def play(program: c.Program, seed: int, variables: Mapping[Key, Value], most: int = 60) -> Played | None:
    """Play a deal at random from a given start; None if it takes too long."""
    rng, chance = Random(seed), Chance(seed)
    begin = interpret.initial(program, chance, variables=variables)
    played = Played(begin, begin)
    with _recording(played):
        state = interpret.run(begin, program.hand)
        for _ in range(most):
            if state.decision is None:
                played.end = state
                return played
            choice = pick(state.decision, rng)
            played.decided.append(choice)
            state = interpret.apply(state, choice)
    return None


@contextmanager
def _recording(played: Played) -> Iterator[None]:
    """Within the context, all decisions and moves are recorded."""

    def deal(m: Match, s: Memory, target: int, number: int | None, t: c.Deal) -> None:
        deck = frozenset(s.zones[m.slots.deck])
        actions.deal(m, s, target, number, t)
        played.decided.append(deck - frozenset(s.zones[m.slots.deck]))

    def ask_cards(*arguments: Any) -> Decision | None:
        decision = actions.ask_cards(*arguments)
        if decision is None:
            played.decided.append(frozenset())
        return decision

    def move(zones: list[Any], cards: frozenset[int], source: int, target: int, t: c.Move) -> bool:
        actions.move(zones, cards, source, target, t)
        if t.actor is not None:
            played.moved.append(Moved(t.label, None, None, cards, frozenset(zones[source])))
        return bool(cards)

    def moved(
        t: c.Move | c.Show,
        cards: frozenset[int],
        player: int,
        to: int | None = None,
        holder: int | None = None,
    ) -> Event:
        if isinstance(t, c.Move):
            played.moved[-1] = replace(played.moved[-1], actor=player, to=to)
        return events.moved(t, cards, player, to, holder)

    own = {"deal": deal, "ask_cards": ask_cards, "move": move, "moved": moved}
    with carried_out_with(lambda *_: own):
        yield
