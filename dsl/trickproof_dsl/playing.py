"""Hands and matches played by functions, one for each seat.

A player is called with the state and the decision and returns a choice: a set of cards if cards are chosen
(`decision.type` is `cards`), otherwise one of `decision.legal`.  The state has everybody's cards; `visible`
gives those that a player may see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, begin, begin_hand, between_hands
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Key, Value

Player = Callable[[State, Decision], Value]

MOST_HANDS = 1000
"""Hands after which `play_match` gives up, since some rules allow endless matches."""


def play_hand(
    ruleset: Ruleset,
    players: Sequence[Player],
    seed: int = 0,
    *,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    variables: Mapping[Key, Value] | None = None,
) -> State:
    """The first hand of a match, played to its end (or to where the rules fail at run time).

    `variables` override the initial values of a match, by name and owners: `{("dealer",): 2, ("over", 0):
    1}`.  Raises ValueError if there is not one player per seat, or a player's choice is illegal.
    """
    _check_seats(ruleset.program, players)
    return _hand(begin(ruleset.program, Chance(seed), parameters, readings, variables), players)


def play_match(
    ruleset: Ruleset,
    players: Sequence[Player],
    seed: int = 0,
    *,
    most_hands: int = MOST_HANDS,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
) -> list[State]:
    """The final states of all hands of a match; the last is `match_over` unless `most_hands` did not suffice.

    Raises ValueError like `play_hand`.  A match in which the rules fail at run time ends with that hand.
    """
    hands = [play_hand(ruleset, players, seed, parameters=parameters, readings=readings)]
    while hands[-1].hand_over and not hands[-1].match_over and len(hands) < most_hands:
        hands.append(_hand(between_hands(hands[-1]), players))
    return hands


class DecisionPlayer:
    """A player that uses nothing but the decision."""

    __slots__ = ("choose",)

    def __init__(self, choose: Callable[[Decision], Value]) -> None:
        self.choose = choose

    def __call__(self, _: State, decision: Decision) -> Value:
        return self.choose(decision)


def random_player(seed: int = 0) -> Player:
    """A player that picks a uniform number of cards, then a uniform set of that size; or a uniform value."""
    chance = Random(seed)

    def choose(decision: Decision) -> Value:
        legal, number = decision.legal, decision.low
        if number != decision.high:
            number = chance.randint(number, decision.high)
        if number != 1:
            return frozenset(chance.sample(legal, number))
        one = legal[int(chance.random() * len(legal))]
        return frozenset((one,)) if decision.of_cards else one

    return DecisionPlayer(choose)


def visible(state: State, player: int) -> dict[Key, tuple[int, ...]]:
    """The zones that a player sees into: public ones, and the player's own private ones."""
    zones = state.program.zones
    return {
        key: cards
        for key, cards in state.zones.items()
        if zones[key[0]].seen_by == "everyone" or (zones[key[0]].seen_by == "owner" and player in key[1:])
    }


def _hand(state: State, players: Sequence[Player]) -> State:
    """Begin a hand and play it to its end; no hand begins after a fault or the end of the match."""
    state = begin_hand(state)
    while (decision := state.decision) is not None:
        state = apply(state, players[decision.player](state, decision))
    return state


def _check_seats(program: c.Program, players: Sequence[Player]) -> None:
    if len(players) != program.players:
        raise ValueError(f"{program.players} players are needed, {len(players)} are given")
