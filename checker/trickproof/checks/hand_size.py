"""`hand-size`: when play starts, every hand holds as many cards as there are tricks.

If the exchange or the kitty leaves a player with a card too many or too few, the last trick cannot be
completed. It fails for a house rule that lets the dealer take the kitty and forgets the discard:

    kitty: {rule: dealer picks-up kitty, assumes: nobody said what to do with the extra cards}
"""

from __future__ import annotations

from collections.abc import Iterator

from trickproof.checking.property import Probe, needs
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof_dsl.semantics.state_view import StateView


def _uneven(state: StateView) -> str | None:
    size = state.variable("hand-size")
    for player in range(state.program.players):
        held = len(state.cards("hand", player))
        if held != size:
            return f"player {player} starts the play with {held} cards; {size} tricks are to be played"
    return None


def _claims(hand: SymbolicHand, moment: str) -> Iterator[Obligation]:
    if moment == "play-starts":
        size, world = hand.variables[("hand-size",)], hand.world
        wrong = y.disj(
            *(y.compare("!=", world.size(hand.zones[("hand", p)]), size) for p in range(hand.program.players))
        )
        yield hand.claim("hand-size", wrong)


CHECK = Check(
    "hand-size",
    ("kitty", "deal"),
    run=decide_by_hands,
    absent=needs("hand-size"),
    probes=(Probe("play-starts", _uneven),),
    labels=("play",),
    claims=_claims,
    proved="when play starts, every player holds as many cards as there are tricks",
)
