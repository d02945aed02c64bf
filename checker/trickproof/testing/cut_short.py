"""Deals that end before their last step (thrown in, given up, or at the end of the match), found by random dealing and play.

Every other deal is a low-probability one (`edge_cases.py`), since deals are often thrown in because of their
cards.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from trickproof.checking.engines import State
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.testing.edge_cases import CornerMatch, redealt
from trickproof.testing.random_play import Terms, ended_early, pick
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError

DEALS = 400
"""Maximum number of deals tried."""


def cut_short(
    ruleset: Ruleset, terms: Terms, fits: Callable[[State], bool], before: HandPlayed | None = None
) -> HandPlayed | None:
    """A deal that stops before its last step and satisfies `fits`; it continues from `before`, if given."""
    try:
        for seed in range(DEALS):
            hand = _played(ruleset, terms, seed, before)
            if hand.state.fault is None and ended_early(hand.state) and fits(hand.state):
                return hand
    except EngineLimitError:
        pass
    return None


def _played(ruleset: Ruleset, terms: Terms, seed: int, before: HandPlayed | None) -> HandPlayed:
    chance, rng = Chance(seed), Random(seed)
    hand = first_hand(ruleset.program, chance, *terms) if before is None else before.then(chance)
    if seed % 2:
        hand = redealt(hand, CornerMatch(ruleset.program, seed))
    while (decision := hand.state.decision) is not None:
        hand = hand.choose(pick(decision, rng))
    return hand
