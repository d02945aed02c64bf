"""`cards-conserved`: at every step every card is in exactly one zone.

If a card vanishes, or is in two zones, the game cannot be played at the table: some player is short of a card
for the last trick. It fails if a rule deals more cards than there are, or moves cards from a zone that does
not hold them:

    deal:
      rule: |
        for p in players, clockwise from left of dealer:
            deal 18 cards to hand of p
"""

from __future__ import annotations

from trickproof.checking.property import Probe
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof_dsl.semantics.faults import Fault
from trickproof_dsl.semantics.state_view import StateView


def _misplaced(state: StateView) -> str | None:
    cards = [card for zone in state.zones.values() for card in zone]
    deck = state.program.deck.cards
    if len(cards) == len(deck) == len(set(cards)):
        return None
    lost = [deck[card] for card in range(len(deck)) if card not in cards]
    if lost:
        return f"in no place: {' '.join(lost)}"
    return f"in two places: {' '.join(deck[card] for card in sorted(set(cards)) if cards.count(card) > 1)}"


def _breaks(fault: Fault, rules: tuple[str, ...]) -> bool:
    if fault.label in ("give", "return"):
        return False
    return fault.kind in ("cards-not-there", "deck-empty") or (bool(rules) and rules[-1] == "deal")


CHECK = Check(
    "cards-conserved",
    ("deal", "kitty"),
    run=decide_by_hands,
    probes=(Probe("always", _misplaced),),
    breaks=_breaks,
    proved="for all deals and choices, every move takes cards from the zone that holds them",
)
