"""`legal-play-exists`: the player to act always has a legal card.

A rule for following suit that covers only players who can follow leaves the others without a legal card. It
fails for

    follow: {rule: cards in hand with followed-suit = led}
"""

from __future__ import annotations

from trickproof.checking.property import needs_label
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof_dsl.semantics.faults import Fault

_RULES = {"play", "others-play", "lead", "may-lead", "follow", "followed-suit"}


def _breaks(fault: Fault, rules: tuple[str, ...]) -> bool:
    if fault.kind in ("no-legal-choice", "bad-number") and fault.label:
        return fault.label == "play"
    return bool(rules) and rules[-1] in _RULES


CHECK = Check(
    "legal-play-exists",
    ("follow", "may-lead", "trick"),
    run=decide_by_hands,
    absent=needs_label("play"),
    breaks=_breaks,
    labels=("play",),
    proved="the player to act always has a legal card",
)
