"""Hands as the interpreter plays them, with all that chance and the players decide, in order, and all moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from trickproof.playing import pick
from trickproof_dsl import core as c
from trickproof_dsl import interpret
from trickproof_dsl.evaluate import Key, Value
from trickproof_dsl.interpret import Chance, State


@dataclass(frozen=True)
class Moved:
    """A move by a player (nobody where no card is moved), and what the place it came from holds afterwards."""

    label: str
    actor: int | None
    to: int | None
    cards: frozenset[int]
    after: frozenset[int]


@dataclass
class Played:
    """A hand as the interpreter played it: what was decided, what was moved, where it ended."""

    begin: State
    end: State
    decided: list[Value] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)


def play(program: c.Program, seed: int, variables: Mapping[Key, Value], most: int = 60) -> Played | None:
    """Plays a hand at random from a start; None if it takes too long."""
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
    plain = interpret._Machine

    class Recorder(plain):  # type: ignore[misc,valid-type]
        """The interpreter, with a note of everything decided and moved."""

        def deal(self, target: Key, number: int | None, t: c.Deal) -> None:
            deck = frozenset(self.zones[("deck",)])
            super().deal(target, number, t)
            played.decided.append(deck - frozenset(self.zones[("deck",)]))

        def ask_cards(self, *asked: Any) -> None:
            super().ask_cards(*asked)
            if self.decision is None:
                played.decided.append(frozenset())

        def move(self, cards: frozenset[int], source: Key, target: Key, t: c.Move) -> bool:
            super().move(cards, source, target, t)
            if t.actor is not None:
                played.moved.append(Moved(t.label, None, None, cards, frozenset(self.zones[source])))
            return bool(cards)

        def tell(
            self, t: c.Move | c.Show, cards: frozenset[int], to: int | None, player: int, holder: int | None
        ) -> None:
            super().tell(t, cards, to, player, holder)
            if isinstance(t, c.Move):
                played.moved[-1] = replace(played.moved[-1], actor=player, to=to)

    interpret._Machine = Recorder  # type: ignore[misc]
    try:
        yield
    finally:
        interpret._Machine = plain  # type: ignore[misc]
