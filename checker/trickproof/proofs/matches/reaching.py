"""Matches that lead to given carried values: the solver gives the tricks, `match_search` the deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from trickproof.checking.played_hand import HandPlayed
from trickproof.proofs.model_checking.bounded_model_checking import NoTrace, search
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof.testing.match_search import leading_to, made_of_cards
from trickproof_dsl.semantics.values import Key, Value

HANDS = 12
"""Maximum number of deals in such a match."""

WAYS = 3
"""Maximum number of traces that are made concrete."""


def matches_to(settlement: Settlement, wanted: Sequence[Mapping[Key, Value]]) -> Iterator[HandPlayed | None]:
    """Matches after which the next deal begins with one of the `wanted` carried values; None if that is the first deal.

    Matches found by plain search come first.
    """
    ruleset, terms = settlement.subject.ruleset, (settlement.parameters, settlement.readings)
    yield from leading_to(ruleset, terms, wanted)

    def leads(hand: Hand) -> Bool:
        following, interrupted = settlement.following(hand)
        there = y.disj(*(_equal(following, values) for values in wanted))
        return y.conj(y.neg(hand.ended), y.neg(hand.broken), y.neg(interrupted), there)

    for way in islice(search(settlement, leads, HANDS), WAYS):
        if isinstance(way, NoTrace):
            return
        match = made_of_cards(ruleset, terms, way.tricks, wanted)
        if match is not None:
            yield match


def _equal(following: Mapping[Key, object], values: Mapping[Key, Value]) -> Bool:
    return y.conj(
        *(y.equal(following[key], value) for key, value in values.items() if not isinstance(value, frozenset))
    )
