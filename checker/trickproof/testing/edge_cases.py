"""Low-probability deals and unusual play: long suits, all high cards in one hand, one player helped by all others.

What proofs leave open often fails only in such deals, or only after many deals of a match. They are played if
a claim is neither proved nor refuted otherwise, and prove nothing themselves. The sequence is deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Protocol

from trickproof.checking.engines import State, run
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.checking.property import Property
from trickproof.testing.named_cards import (
    HANDS as NAMED_HANDS,
    MATCHES as NAMED,
    NamedCardsMatch,
    named_cards,
)
from trickproof.testing.random_play import (
    Played,
    Terms,
    blame,
    drawn_terms,
    ended_early,
    groundless,
    next_deal,
    pick,
    play_hand,
)
from trickproof.testing.witness import cards_may_be_given
from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import Key, Value, as_number

MATCHES = 120
HANDS = 8
"""Maximum number of matches, and of deals in each."""

DEALS_TRIED = 400
"""Maximum number of deals tried for one that is cut short."""

WHIM = 0.06
"""Probability that a choice is made at random."""


class Course(Protocol):
    """The course of one match: the cards of its deals and the choices of its players."""

    rng: Random

    def given(self, dealt: Mapping[Key, tuple[int, ...]]) -> dict[Key, tuple[int, ...]]:
        """Replacement cards for the zones of a deal, as many for each."""

    def chosen(self, state: StateView, decision: Decision) -> Value:
        """The choice of a player."""


class Corners:
    """Such deals of one ruleset, played as far as somebody asks, and the probes of the properties in them."""

    def __init__(self, ruleset: Ruleset, properties: Sequence[Property]) -> None:
        self.played = Played()
        self._violating: dict[str, Played] = {}
        self._matches = self._play(ruleset, properties)

    def violating(self, check: str) -> Played | None:
        """The run up to the first match that violates a check, whatever was asked before; None if no match does."""
        while check not in self._violating:
            if not next(self._matches, False):
                return None
            for name in self.played.violations.keys() - self._violating.keys():
                self._violating[name] = Played().with_more(self.played)
        return self._violating[check]

    def _play(self, ruleset: Ruleset, properties: Sequence[Property]) -> Iterator[bool]:
        played, program = self.played, ruleset.program
        named = named_cards(program)
        for number in range(NAMED if named else 0):
            with played.within_limits():
                _play(ruleset, properties, played, NamedCardsMatch(program, number, named), NAMED_HANDS)
            yield True
        for number in range(MATCHES):
            with played.within_limits():
                _play(ruleset, properties, played, CornerMatch(program, number), HANDS)
            yield True


def _play(
    ruleset: Ruleset, properties: Sequence[Property], played: Played, match: Course, hands: int
) -> None:
    hand = first_hand(ruleset.program, Chance(), *drawn_terms(ruleset.program, match.rng.getrandbits))
    for number in range(1, hands + 1):
        if hand.state.fault is not None:
            blame(ruleset, properties, played, hand)
            return
        hand = play_hand(ruleset, properties, played, redealt(hand, match), match.chosen)
        if not hand.state.hand_over or hand.state.match_over or groundless(properties, hand):
            return
        after = next_deal(ruleset, properties, played, hand, Chance(number))
        if after is None:
            return
        hand = after


def redealt(hand: HandPlayed, match: Course) -> HandPlayed:
    """The deal with other cards, as many in each zone, if any cards could have been dealt."""
    program, state = hand.begin.program, hand.state
    if not cards_may_be_given(program) or state.match_over or not state.chance.dealt:
        return hand
    begin = hand.begin.but(chance=replace(hand.begin.chance, given=match.given(state.chance.dealt)))
    return replace(hand, begin=begin, state=run(begin, program.hand))


class CornerMatch:
    """One match; in most deals all players help one (`favourite`) to a chosen number of tricks.

    Some matches are balanced (`even`): players who are ahead in tricks play low, so that nobody gets far.
    """

    def __init__(self, program: c.Program, number: int) -> None:
        self.program, self.rng = program, Random(f"corner {number}")
        self.favourite, self.greedy, self.even = number % program.players, number % 4 == 0, number % 4 == 1
        self.suits = list(range(len(program.deck.suits)))
        tricks = program.variables.get("tricks")
        self.counts_tricks = tricks is not None and tricks.of == (c.PLAYER,)
        self.alone, self.by_rank, self.enough = True, False, 0

    def given(self, dealt: Mapping[Key, tuple[int, ...]]) -> dict[Key, tuple[int, ...]]:
        """Replacement cards for the zones of a deal, as many for each."""
        deck = self.program.deck
        self.alone, self.by_rank = self.rng.random() < 0.75, self.rng.random() < 0.4
        most = max((len(cards) for cards in dealt.values()), default=0)
        self.enough = most if self.greedy else self.rng.randint(0, most)
        self.rng.shuffle(self.suits)
        undealt = sorted(range(len(deck.cards)), key=self._height, reverse=True)
        spread = 80 if self.even else self.rng.choice([0, 0, 8, 40])
        undealt = [
            card for _, card in sorted((i + self.rng.random() * spread, x) for i, x in enumerate(undealt))
        ]
        places = sorted(dealt, key=lambda key: (key[0] != "hand", self._from_favourite(key), key))
        given: dict[Key, tuple[int, ...]] = {}
        for place in places:
            number = len(dealt[place])
            given[place], undealt = tuple(undealt[:number]), undealt[number:]
        return given

    def _height(self, card: int) -> tuple[int, int]:
        """The position of a card among all cards, by suit or by rank."""
        suit, rank = self.suits.index(self.program.deck.card_suit[card]), self.program.deck.card_rank[card]
        return (rank, -suit) if self.by_rank else (-suit, rank)

    def _from_favourite(self, place: Key) -> int:
        return (place[1] - self.favourite) % self.program.players if len(place) == 2 else 0

    def chosen(self, state: StateView, decision: Decision) -> Value:
        """Give cards to the favourite, name the favourite's suit, and let the favourite win tricks."""
        if self.rng.random() < WHIM:
            return pick(decision, self.rng)
        if decision.type == c.SUIT:
            return next((suit for suit in self.suits if suit in decision.legal), decision.legal[0])
        if decision.type != c.CARDS:
            value: Value = decision.legal[-1 if decision.player == self.favourite else 0]
            return value
        if decision.label != "play":
            high = decision.to == self.favourite
        elif self.even or not self.alone:
            high = not self.even or self._taken(state, decision.player) == min(
                self._taken(state, player) for player in range(self.program.players)
            )
        else:
            tries = self._taken(state, self.favourite) < self.enough
            high = tries == (decision.player == self.favourite)
        by = self._height if self.alone else self._rank
        return frozenset(sorted(decision.legal, key=by, reverse=high)[: decision.high])

    def _taken(self, state: StateView, player: int) -> int:
        return as_number(state.variable("tricks", player)) if self.counts_tricks else 0

    def _rank(self, card: int) -> int:
        return self.program.deck.card_rank[card]


def cut_short(
    ruleset: Ruleset, terms: Terms, fits: Callable[[State], bool], before: HandPlayed | None = None
) -> HandPlayed | None:
    """A deal that stops before its last step (thrown in, given up, or at the end of the match) and satisfies `fits`.

    It continues from `before`, if given. It is found by random dealing and play; every other deal tried is a
    low-probability one, since deals are often thrown in because of their cards.
    """
    try:
        for seed in range(DEALS_TRIED):
            hand = _played_at_random(ruleset, terms, seed, before)
            if hand.state.fault is None and ended_early(hand.state) and fits(hand.state):
                return hand
    except EngineLimitError:
        pass
    return None


def _played_at_random(ruleset: Ruleset, terms: Terms, seed: int, before: HandPlayed | None) -> HandPlayed:
    chance, rng = Chance(seed), Random(seed)
    hand = first_hand(ruleset.program, chance, *terms) if before is None else before.then(chance)
    if seed % 2:
        hand = redealt(hand, CornerMatch(ruleset.program, seed))
    while (decision := hand.state.decision) is not None:
        hand = hand.choose(pick(decision, rng))
    return hand
