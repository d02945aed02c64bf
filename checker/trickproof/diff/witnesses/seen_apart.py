"""Whether two rulesets visibly differ in a few matches: a quick check before anything is proved.

The matches are played at random; in one more deal a player takes every trick, as random play hardly ever has it.
Only definite differences count: after the same cards and choices, another player is to decide, the legal
choices differ, or the match ends differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from random import Random

from trickproof.checking.engines import State
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.diff.witnesses.paired_replay import same_chance
from trickproof.testing.deal_search import construct
from trickproof.testing.random_play import pick
from trickproof.testing.witness import cards_may_be_given
from trickproof_dsl.core.program import Program
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import as_number

MATCHES, DEALS = 3, 6
"""Number of matches played, and deals in each."""

MOST_READINGS = 64
"""Maximum number of combinations of the second ruleset's readings; with more, the answer is False."""


def seen_apart(a: Ruleset, b: Ruleset) -> bool:
    """Whether the first readings of `a` differ from every combination of readings of `b` in some match."""
    readings = list(islice(_readings(b.program), MOST_READINGS + 1))
    if len(readings) > MOST_READINGS:
        return False
    return all(
        any(_match_apart(a, b, taken, seed) for seed in range(MATCHES)) or _sweep_apart(a, b, taken)
        for taken in readings
    )


def _readings(program: Program) -> Iterator[dict[str, int]]:
    names = list(program.readings)
    for taken in product(*(range(len(program.readings[name])) for name in names)):
        yield dict(zip(names, taken, strict=True))


def _match_apart(a: Ruleset, b: Ruleset, readings: Mapping[str, int], seed: int) -> bool:
    """Whether they differ in one match."""
    if a.program.players != b.program.players:
        return True
    rng = Random(seed)
    try:
        mine, theirs = _begun(a, b, readings, Chance(seed))
        for deal in range(DEALS):
            while (decision := mine.state.decision) is not None:
                if _asked(mine.state) != _asked(theirs.state):
                    return same_chance(mine.state, theirs.state)
                choice = pick(decision, rng, most=seed % 2 == 0)
                mine, theirs = mine.choose(choice), theirs.choose(choice)
            if _asked(theirs.state) is not None or _ended(mine.state) != _ended(theirs.state):
                return same_chance(mine.state, theirs.state)
            if mine.state.fault or mine.state.match_over:
                return False
            mine, theirs = (hand.then(Chance(seed + 100 * (deal + 1))) for hand in (mine, theirs))
            if _stopped(mine, deal) or _stopped(theirs, deal):
                return _stopped(mine, deal) != _stopped(theirs, deal)
    except EngineLimitError:
        return False
    return False


def _sweep_apart(a: Ruleset, b: Ruleset, readings: Mapping[str, int]) -> bool:
    """Whether they differ in a first deal of the same cards in which one player takes every trick."""
    players = a.program.players
    if players != b.program.players or not cards_may_be_given(b.program):
        return False
    try:
        mine, _ = _begun(a, b, readings, Chance())
        while (decision := mine.state.decision) is not None:
            mine = mine.choose(pick(decision, None))
        size = sum(as_number(mine.state.variables.get(("tricks", p), 0)) for p in range(players))
        all_to_one = (size, *(0,) * (players - 1))
        swept = construct(a, a.program.defaults, dict.fromkeys(a.program.readings, 0), {}, all_to_one)
        if swept is None:
            return False
        mine, theirs = _begun(a, b, readings, swept.begin.chance)
        for _, choice in swept.choices:
            if _asked(mine.state) != _asked(theirs.state):
                break
            mine, theirs = mine.choose(choice), theirs.choose(choice)
    except EngineLimitError:
        return False
    ends = [(_asked(hand.state), _ended(hand.state)) for hand in (mine, theirs)]
    return ends[0] != ends[1] and mine.state.chance.dealt == theirs.state.chance.dealt


def _begun(
    a: Ruleset, b: Ruleset, readings: Mapping[str, int], chance: Chance
) -> tuple[HandPlayed, HandPlayed]:
    """The first deal of both, with the first readings of `a`."""
    return (
        first_hand(a.program, chance, a.program.defaults, dict.fromkeys(a.program.readings, 0)),
        first_hand(b.program, chance, b.program.defaults, readings),
    )


def _asked(state: State) -> object:
    d = state.decision
    return None if d is None else (d.player, tuple(d.legal), d.low, d.high)


def _ended(state: State) -> object:
    return state.fault is None, state.match_over, state.winners


def _stopped(hand: HandPlayed, deal: int) -> bool:
    """Whether no further deal has begun."""
    return len(hand.earlier) <= deal
