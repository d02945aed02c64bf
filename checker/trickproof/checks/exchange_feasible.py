"""`exchange-feasible`: every player who must give or return cards can do so, after any previous deal.

A rule that asks for three cards of one suit, or for cards that have just been given away, stops the game
before it starts. It fails, for example, with

    exchange-returns: {rule: taker returns 3 cards of hand with suit = trump to giver}
"""

from __future__ import annotations

from trickproof.checking.property import needs_label
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof_dsl.semantics.faults import Fault

_RULES = {"exchange-order", "exchange-amounts", "exchange-returns"}


def _breaks(fault: Fault, rules: tuple[str, ...]) -> bool:
    if fault.kind == "cards-not-there" or fault.label:
        return fault.label in ("give", "return")
    return bool(_RULES & set(rules))


CHECK = Check(
    "exchange-feasible",
    ("exchange-returns", "exchange-amounts"),
    run=decide_by_hands,
    absent=needs_label("give", "return"),
    breaks=_breaks,
    labels=("give", "return"),
    proved="every player who must give or return cards can do so, after any deal",
)
