"""Hands as the interpreter plays them, with all that chance and the players decide, in order, and all moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from unittest.mock import patch

from agreement.careful import carried_out_with
from trickproof.testing.random_play import pick
from trickproof_dsl import core as c
from trickproof_dsl.compiled import event_log as happened
from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.compiled import runtime_actions as actions
from trickproof_dsl.compiled import statements as python_steps
from trickproof_dsl.compiled.evaluator import Key, Value
from trickproof_dsl.compiled.machine import Chance, Decision, Event, State
from trickproof_dsl.compiled.state import Match


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
    marked: tuple[int, int] = 0, 0

    def mark(self) -> None:
        """What is noted from now on is of the next steps."""
        self.marked = len(self.decided), len(self.moved)

    def again(self) -> None:
        """The steps since the mark are carried out again."""
        del self.decided[self.marked[0] :], self.moved[self.marked[1] :]


def play(program: c.Program, seed: int, variables: Mapping[Key, Value], most: int = 60) -> Played | None:
    """Plays a hand at random from a start; None if it takes too long."""
    rng, chance = Random(seed), Chance(seed)
    begin = interpret.initial(program, chance, variables=variables)
    played = Played(begin, begin)
    with _recording(played):
        state = interpret.run(begin, program.hand)
        for _ in range(most):
            if state.decision is None:
                assert state.events is not None  # makes the moves of the notes
                played.end = state
                return played
            choice = pick(state.decision, rng)
            played.decided.append(choice)
            played.mark()
            state = interpret.apply(state, choice)
    return None


@contextmanager
def _recording(played: Played) -> Iterator[None]:
    """Within, everything decided and moved is noted; nothing twice when a breakdown is looked at again."""

    def deal(m: Match, v: list[Any], target: int, number: int | None, t: c.Deal) -> None:
        deck = frozenset(v[m.places.deck])
        actions.deal(m, v, target, number, t)
        played.decided.append(deck - frozenset(v[m.places.deck]))

    def ask_cards(v: list[Any], *asked: Any) -> Any:
        answer = actions.ask_cards(v, *asked)
        if not isinstance(answer, Decision):
            played.decided.append(frozenset())
        return answer

    def move(v: list[Any], cards: frozenset[int], source: int, target: int, t: c.Move) -> bool:
        actions.move(v, cards, source, target, t)
        if t.actor is not None:
            played.moved.append(Moved(t.label, None, None, cards, frozenset(v[source])))
        return bool(cards)

    def moved(
        t: c.Move | c.Show,
        cards: frozenset[int],
        player: int,
        to: int | None = None,
        holder: int | None = None,
    ) -> Event:
        if isinstance(t, c.Move):
            at = next(i for i, x in enumerate(played.moved) if x.cards and x.actor is None)
            played.moved[at] = replace(played.moved[at], actor=player, to=to)
        return happened.moved(t, cards, player, to, holder)

    own = {"deal": deal, "ask_cards": ask_cards, "move": move}
    with patch.object(python_steps, "moved", moved), carried_out_with(lambda *_: own, played.again):
        yield
