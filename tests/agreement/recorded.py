"""Hands as the interpreter plays them, with all that chance and the players decide, in order, and all moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from trickproof.playing import pick
from trickproof_dsl import core as c
from trickproof_dsl import interpret
from trickproof_dsl.evaluate import Key, Value
from trickproof_dsl.interpret import Chance, State


@dataclass(frozen=True)
class Moved:
    """A move by a player, and what the place it came from holds afterwards."""

    label: str
    actor: int
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

        def _deal(self, t: c.Deal) -> None:
            deck = frozenset(self.zones[("deck",)])
            super()._deal(t)
            played.decided.append(deck - frozenset(self.zones[("deck",)]))

        def _ask_cards(self, t: c.ChooseCards) -> None:
            super()._ask_cards(t)
            if self.decision is None:
                played.decided.append(frozenset())

        def _move(self, t: c.Move) -> None:
            cards = self.value(t.cards)
            super()._move(t)
            if t.actor is not None:
                to = None if t.to is None else self.env.given(t.to)
                after = frozenset(self.zones[self._place(t.source)])
                played.moved.append(Moved(t.label, self.env.given(t.actor), to, cards, after))

    interpret._Machine = Recorder  # type: ignore[misc]
    try:
        yield
    finally:
        interpret._Machine = plain  # type: ignore[misc]
