"""Search with exact leaves against exhaustion: two players, five cards each, every deal that fits what a player has seen.

Both value a deal by max^n over states of the reference: each player takes what is best for that player, seeing all cards.  The
exhaustion knows nothing of records and samplers: it tries every hand that the other player can hold, and keeps those in which the
reference takes the cards played so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from budget import slow_but
from checker.adapters.peer_rulesets import ROOT, replaced
from checker.search.hands import Asked, engine_of, moments
from trickproof.information.stream import Stream
from trickproof.search import player as searching
from trickproof.search.candidates import question
from trickproof.search.player import SearchPlayer
from trickproof.search.worlds import Worlds, viewed
from trickproof.simulate.script.machine import Sums, Trial
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.machine import apply, begin, begin_hand
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.values import DECK

CARDS = 5

GAME = replaced(
    ROOT / "tests/adversarial/cases/plain-two.yaml",
    ("deck: {ranks: K A,", "deck: {ranks: 9 T J Q K A,"),
    ("deal 2 cards", f"deal {CARDS} cards"),
    ("target of p becomes 1", "target of p becomes 2"),
)
"""Twelve cards; two are seen by nobody."""

Hands = tuple[frozenset[int], frozenset[int]]


def dealt(hands: Hands) -> State:
    """The first deal of a match, with these hands at its beginning."""
    dealer = 0
    order = (*sorted(hands[1 - dealer]), *sorted(hands[dealer]))
    return begin_hand(begin(GAME.program, Chance(0, {(DECK,): order})))


def after(hands: Hands, played: Sequence[int]) -> State | None:
    """The state after some cards are played; None if the rules forbid one of them."""
    state = dealt(hands)
    for card in played:
        assert state.decision is not None
        if not state.decision.allows(frozenset((card,))):
            return None
        state = apply(state, frozenset((card,)))
    return state


@cache
def worth(hands: Hands, played: tuple[int, ...]) -> tuple[int, int]:
    """max^n: `over` of both players at the end; among equals the first choice."""
    state = after(hands, played)
    assert state is not None
    return _worth(state, {})


def _worth(state: State, found: dict[Any, tuple[int, int]]) -> tuple[int, int]:
    if state.decision is None:
        assert state.fault is None
        over = [state.variable("over", p) for p in range(2)]
        return over[0], over[1]
    variables = state.variables
    key = (
        tuple(state.zones["hand", p] for p in range(2)),
        tuple(variables[name, p] for name in ("played", "tricks") for p in range(2)),
        variables["leader",],
        state.decision.player,
    )
    if key not in found:
        player = state.decision.player
        options = [_worth(apply(state, frozenset((x,))), found) for x in state.decision.legal]
        found[key] = max(options, key=lambda x: x[player])
    return found[key]


def possible(asked: Asked) -> Iterator[Hands]:
    """Both hands at the beginning of the deal, in every way that fits what the player to act has seen."""
    state, viewer = asked.state, asked.state.decision.player  # type: ignore[union-attr]
    played = cards_played(asked)
    own = frozenset(state.zones["hand", viewer]) | played_by(asked, viewer)
    theirs = played_by(asked, 1 - viewer)
    unseen = set(range(len(GAME.program.deck.cards))) - own - theirs
    for rest in combinations(sorted(unseen), CARDS - len(theirs)):
        other = theirs | frozenset(rest)
        hands = (own, other) if viewer == 0 else (other, own)
        if after(hands, played) is not None:
            yield hands


def plays(asked: Asked) -> list[tuple[int, int]]:
    """Who played which card, in order."""
    fields = [{name: value for name, _, value in e.fields} for e in asked.state.events if e.name == "play"]
    return [(x["player"], x["card"]) for x in fields]


def cards_played(asked: Asked) -> tuple[int, ...]:
    return tuple(card for _, card in plays(asked))


def played_by(asked: Asked, player: int) -> frozenset[int]:
    return frozenset(card for who, card in plays(asked) if who == player)


def exhausted(asked: Asked) -> dict[int, float]:
    """The mean worth of every option over all deals that fit, to the player to act."""
    assert asked.state.decision is not None
    deals, played = list(possible(asked)), cards_played(asked)
    viewer = asked.state.decision.player
    return {
        card: sum(worth(hands, (*played, card))[viewer] for hands in deals) / len(deals)
        for card in asked.state.decision.legal
    }


@dataclass
class ExactLeaves:
    """Worlds as search draws them, with exact leaves: a deal is not continued by a policy, but worth what max^n makes of it."""

    asked: Asked
    drawn: list[Hands] = field(default_factory=list)

    def worlds(self, *given: Any) -> Worlds:
        """In place of `Worlds`."""
        leaves, viewer = self, self.asked.state.decision.player  # type: ignore[union-attr]
        own, played = next(possible(self.asked))[viewer], cards_played(self.asked)

        class Exact(Worlds):
            def halved(self, choices: Sequence[int], *_: object) -> Trial:
                """Nothing is begun, so that one round after another is asked for."""
                return self._machine.tried(self._setting, choices, 0, 0, 0)

            def tried(self, choices: Sequence[int], number: int, stream: Stream) -> list[Sums]:
                before = len(self.found)
                self.draw(number, stream)
                others = [cards_of(world.cards[0]) for world in self.found[before:]]
                now: list[Hands] = [(own, x) if viewer == 0 else (x, own) for x in others]
                assert len(now) == number
                leaves.drawn += now
                values = [[worth(x, (*played, *cards_of(choice)))[viewer] for x in now] for choice in choices]
                return [Sums(number, sum(x), sum(y * y for y in x)) for x in values]

        return Exact(*given)


def cards_of(mask: int) -> frozenset[int]:
    return frozenset(engine_of(GAME).layout.cards(mask))


MOMENTS = [x for seed in range(3) for x in moments(GAME, 1, seed) if len(x.state.decision.legal) > 1]  # type: ignore[union-attr]
"""Decisions with a choice, in deals played at random."""

LATE = next(i for i, x in enumerate(MOMENTS) if len(cards_played(x)) == 4)

NEAR = 0.1
"""How much less than the best a choice may be worth, since search draws worlds instead of enumerating them."""


@pytest.mark.parametrize("moment", slow_but((LATE,), range(len(MOMENTS))))
def test_search_with_exact_leaves_finds_what_exhaustion_finds(
    moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, asked = engine_of(GAME), MOMENTS[moment]
    decision = asked.state.decision
    assert decision is not None
    leaves, worths = ExactLeaves(asked), exhausted(asked)
    monkeypatch.setattr(searching, "Worlds", leaves.worlds)
    seen = viewed(engine, asked.words, decision.player)
    last = engine.form.last(asked.words)
    thought = SearchPlayer(engine, 1500).thought(seen, question(last.site, asked.words[last.at :]), Stream(1))
    assert thought.exact
    assert set(leaves.drawn) == set(possible(asked))
    cards = [card for x in thought.tried for card in cards_of(x.choice)]
    assert set(cards) == set(worths)
    for card, tried in zip(cards, thought.tried, strict=True):
        assert abs(tried.mean - worths[card]) <= 2.5 * tried.error
    assert worths[cards[0]] >= max(worths.values()) - NEAR
