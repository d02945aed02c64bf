"""`hand-size`: when play starts every hand holds as many cards as there are tricks.

If the exchange or the kitty leaves somebody with a card more or less, the last trick cannot be completed.  It fails
for a house rule that lets the dealer take the kitty and forgets the discard:

    kitty: {rule: dealer picks-up kitty, assumes: nobody said what to do with the extra cards}
"""

from __future__ import annotations

from collections.abc import Iterator

from trickproof.checking.check import Check, Probe, needs
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.symbolic.card_expressions import Obligation
from trickproof.proofs.symbolic.executor import HandReader
from trickproof_dsl.compiled.state import State


def _uneven(state: State) -> str | None:
    size = state.variable("hand-size")
    for player in range(state.program.players):
        held = len(state.cards("hand", player))
        if held != size:
            return f"player {player} starts the play with {held} cards; {size} tricks are to be played"
    return None


def _claims(reader: HandReader, moment: str) -> Iterator[Obligation]:
    if moment == "play-starts":
        size, world = reader.variables[("hand-size",)], reader.world
        wrong = y.disj(
            *(
                y.compare("!=", world.size(reader.zones[("hand", p)]), size)
                for p in range(reader.program.players)
            )
        )
        yield reader.claim("hand-size", wrong)


CHECK = Check(
    "hand-size",
    ("kitty", "deal"),
    decide_by_hands,
    absent=needs("hand-size"),
    probes=(Probe("play-starts", _uneven),),
    labels=("play",),
    claims=_claims,
    proved="every hand is as many cards as there are tricks, after any exchange",
)
