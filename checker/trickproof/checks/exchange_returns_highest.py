"""`exchange-returns-highest`: the cards returned match those given in suit, and no higher ones are kept.

In each suit, one card is returned for each card received, and the highest ones: otherwise the exchange does
not penalise the players it is meant to. It fails if the lowest card is returned, the very card that was
given, or a card of another suit:

    exchange-returns:
      rule: taker returns lowest of hand matching gift(giver, taker) to giver as returned(taker, giver)

If a player returns cards to several givers in turn, what counts is what that player keeps in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trickproof.analysis.usage import Usage
from trickproof.checking.property import Probe
from trickproof.english.inflection import counted
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.exchange_history import INTO_HAND, answers, exchanged, told_by_events
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.symbolic.cards.card_set import CardSet
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.path_state import Event, Obligation
from trickproof_dsl.semantics.state_view import StateView


def absent(usage: Usage) -> str | None:
    """Why the check does not apply: no gifts are answered."""
    if {"give", "return"} <= usage.labels:
        return None
    return "no cards are given and returned (`give` and `return`)"


def _wrong(state: StateView) -> str | None:
    wrong = _told(state)
    return wrong if wrong is not None and told_by_events(state.program) else None


def _told(state: StateView) -> str | None:
    """What is wrong with the moves, as far as events tell."""
    moves, deck = exchanged(state), state.program.deck
    for move, received, remaining in answers(moves or []):
        for suit in range(len(deck.suits)):
            mine = [x for x in move.cards if deck.card_suit[x] == suit]
            came = [x for x in received if deck.card_suit[x] == suit]
            if len(mine) != len(came):
                name = deck.suits[suit]
                number = counted(len(mine), name.removesuffix("s"))
                return f"player {move.player} returns {number} to player {move.to} for {len(came)} received"
            remaining_of_suit = [x for x in remaining if deck.card_suit[x] == suit]
            higher = [
                x
                for x in remaining_of_suit
                if mine and deck.card_rank[x] > min(deck.card_rank[z] for z in mine)
            ]
            if higher:
                lowest = min(mine, key=lambda x: deck.card_rank[x])
                return (
                    f"player {move.player} returns {deck.cards[lowest]} to player {move.to} "
                    f"and keeps {deck.cards[max(higher, key=lambda x: deck.card_rank[x])]}"
                )
    return None


def _claims(hand: SymbolicHand, moment: str) -> Iterator[Obligation]:
    if moment != "play-starts":
        return
    world, events = hand.world, hand.events
    if hand.unlisted & {"give", "return"}:
        yield hand.claim("exchange-returns-highest", True)
    for i, event in enumerate(events):
        if event.label != "return":
            continue
        came = _received(hand, events[:i], event)
        differ = y.disj(*(y.compare("!=", a, b) for a, b in zip(event.cards.counts, came, strict=True)))
        yield hand.claim("exchange-returns-highest", differ, True)
        remaining = _remaining_cards(events[i:])
        yield hand.claim("exchange-returns-highest", True, world.surpassed(event.cards, remaining))


def _received(hand: SymbolicHand, before: Sequence[Event], event: Event) -> list[y.Int]:
    """The number of cards of each suit that a return answers."""
    totals: list[y.Int] = [0] * hand.world.suits
    for earlier in reversed(before):
        if (earlier.label, earlier.actor, earlier.to) == ("return", event.actor, event.to):
            break
        if (earlier.label, earlier.actor, earlier.to) == ("give", event.to, event.actor):
            totals = [a + b for a, b in zip(totals, earlier.cards.counts, strict=True)]
    return totals


def _remaining_cards(events: Sequence[Event]) -> CardSet:
    """What the returning player keeps after the last return."""
    first, remaining = events[0], events[0].after
    for later in events[1:]:
        if later.to == first.actor or (later.actor == first.actor and later.label in INTO_HAND):
            break
        if later.actor == first.actor and later.label == "return":
            remaining = later.after
    return remaining


CHECK = Check(
    "exchange-returns-highest",
    ("exchange-returns",),
    run=decide_by_hands,
    absent=absent,
    probes=(Probe("play-starts", _wrong),),
    labels=("return",),
    claims=_claims,
    proved="in each suit, the highest cards are returned, one for each card received",
)
