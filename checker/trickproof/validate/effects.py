"""What a house rule does to play: hands of it and of its base, dealt the same cards and played by the same policy.

The reference interpreter plays, a few hundred hands a second.  A match that ends is followed by another; where the rules break
down a new match is begun, and the hand is counted as broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any

from trickproof.estimates import Estimate, mean_of, per_event, share
from trickproof.playing import pick
from trickproof.pool import results
from trickproof.subject import seat
from trickproof.witness import HandPlayed, first_hand, following_hand
from trickproof_dsl import core as c
from trickproof_dsl.interpret import Chance, State
from trickproof_dsl.load import Ruleset

HANDS = 300
"""Hands played of each."""

POLICY = "random"
"""How decisions are made: uniformly among what is legal (a uniform number of cards, then a uniform set)."""


@dataclass
class Hands:
    """What happened: tricks by seat from the dealer on, hand by hand; ends of matches and who won them."""

    tricks: list[tuple[int, ...]] = field(default_factory=list)
    ends: int = 0
    broken: int = 0
    wins: list[int] = field(default_factory=list)
    """How often the player won who sits so many seats clockwise of the first dealer."""
    met: list[int] = field(default_factory=list)
    """How often the player so many seats clockwise of the dealer met or passed the target."""


@dataclass(frozen=True)
class Effects:
    """Both sides, and the paired difference of the tricks by seat (house less base)."""

    seed: int
    base: Hands
    house: Hands

    def difference(self) -> list[Estimate]:
        """Tricks by seat: how many more under the house rule; nothing where the seats differ in number."""
        pairs = list(zip(self.base.tricks, self.house.tricks, strict=False))
        if not pairs or len(pairs[0][0]) != len(pairs[0][1]):
            return []
        seats = range(len(pairs[0][0]))
        return [mean_of([theirs[s] - mine[s] for mine, theirs in pairs]) for s in seats]

    def as_json(self) -> dict[str, Any]:
        """Estimates with their intervals."""
        return {
            "policy": POLICY,
            "seed": self.seed,
            "base": hands_json(self.base),
            "house": hands_json(self.house),
            "difference": {"tricks_by_seat": [x.as_json() for x in self.difference()]},
        }


def effects(base: Ruleset, house: Ruleset, hands: int = HANDS, seed: int = 0, workers: int = 2) -> Effects:
    """Plays both."""
    jobs = {
        number: partial(play_hands, ruleset.program, hands, seed)
        for number, ruleset in enumerate((base, house))
    }
    found = dict(results([{number: job} for number, job in jobs.items()], workers))
    return Effects(seed, found[0], found[1])


def play_hands(program: c.Program, hands: int, seed: int) -> Hands:
    """So many hands, match after match; hand n is dealt from the seed and n, whatever happened before."""
    made = Hands(wins=[0] * program.players, met=[0] * program.players)
    hand: HandPlayed | None = None
    first = 0
    for number in range(hands):
        if hand is None:
            hand, first = _match(program, seed, number), number % program.players
        dealer = hand.state.variables.get(("dealer",), 0) if seat(program) else 0
        rng = Random(f"{seed}/{number}")
        while (decision := hand.state.decision) is not None:
            hand = hand.choose(pick(decision, rng))
        made.tricks.append(_by_seat(program, hand.state, dealer))
        hand = _counted(made, program, hand.state, dealer, first, seed, number)
    return made


def _match(program: c.Program, seed: int, number: int) -> HandPlayed:
    dealer = {("dealer",): number % program.players} if seat(program) else {}
    parameters = {name: values[0] for name, values in program.parameters.items()}
    return first_hand(program, _chance(seed, number), parameters, {}, dealer)


def _chance(seed: int, number: int) -> Chance:
    """The cards of the hand so numbered: another shuffle of the same seed."""
    return Chance(seed, shuffles=number)


def _by_seat(program: c.Program, state: State, dealer: int) -> tuple[int, ...]:
    n = program.players
    return tuple(int(state.variables.get(("tricks", (dealer + s) % n), 0)) for s in range(n))


def _counted(
    made: Hands, program: c.Program, state: State, dealer: int, first: int, seed: int, number: int
) -> HandPlayed | None:
    """Counts a complete hand; answers the next one of the match, or nothing where it has ended."""
    n = program.players
    if state.fault is not None:
        made.broken += 1
        return None
    for s in range(n):
        p = (dealer + s) % n
        made.met[s] += state.variables.get(("tricks", p), 0) >= state.variables.get(("target", p), 0)
    if state.match_over:
        made.ends += 1
        for p in state.winners:
            made.wins[(p - first) % n] += 1
        return None
    after = following_hand(_reshuffled(state, seed, number + 1))
    if isinstance(after, State):
        made.broken += 1
        return None
    return after


def _reshuffled(state: State, seed: int, number: int) -> State:
    return replace(state, chance=_chance(seed, number))


def hands_json(hands: Hands) -> dict[str, Any]:
    """Estimates of one side."""
    number = len(hands.tricks)
    return {
        "hands": number,
        "matches": hands.ends,
        "broken": hands.broken,
        "tricks_by_seat": [x.as_json() for x in tricks_by_seat(hands)],
        "target_met": [share(count, number).as_json() for count in hands.met],
        "match_length": match_length(hands).as_json(),
        "win_share": [share(count, hands.ends).as_json() for count in hands.wins],
    }


def match_length(hands: Hands) -> Estimate:
    """Hands a match takes, which are one at least."""
    told = per_event(len(hands.tricks), hands.ends)
    return Estimate(told.mean, max(1.0, told.low), told.high)


def tricks_by_seat(hands: Hands) -> list[Estimate]:
    """Mean tricks of the dealer, the player on his left, …"""
    columns: Sequence[Sequence[float]] = list(zip(*hands.tricks, strict=True))
    return [mean_of(column) for column in columns]
