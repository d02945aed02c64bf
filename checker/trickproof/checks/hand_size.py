"""`hand-size`: when play starts every hand holds as many cards as there are tricks.

If the exchange or the kitty leaves somebody with a card more or less, the last trick cannot be completed.  It fails
for a house rule that lets the dealer take the kitty and forgets the discard:

    kitty: {rule: dealer picks-up kitty, assumes: nobody said what to do with the extra cards}
"""

from __future__ import annotations

from trickproof.claim import Check, Probe, needs
from trickproof.subject import tested
from trickproof_dsl.interpret import State


def _uneven(state: State) -> str | None:
    size = state.variable("hand-size")
    for player in range(state.program.players):
        held = len(state.cards("hand", player))
        if held != size:
            return f"player {player} starts the play with {held} cards; {size} tricks are to be played"
    return None


CHECK = Check(
    "hand-size",
    ("kitty", "deal"),
    tested,
    absent=needs("hand-size"),
    probes=(Probe("play-starts", _uneven),),
    labels=("play",),
)
