"""`one-trick-winner`: every complete trick has exactly one winner.

One player must take the trick and lead the next one. It fails if the rule finds nobody (the highest trump,
when no trump was played) or several players (the highest rank, regardless of suit):

    trick-winner: {rule: players with the highest rank of played}
"""

from __future__ import annotations

from trickproof.checking.property import needs_label
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof_dsl.semantics.faults import Fault

_RULES = {"trick", "trick-winner"}


def _breaks(fault: Fault, rules: tuple[str, ...]) -> bool:
    return not fault.label and bool(_RULES & set(rules[-1:])) and fault.kind != "no-legal-choice"


CHECK = Check(
    "one-trick-winner",
    ("trick-winner", "trick"),
    run=decide_by_hands,
    absent=needs_label("play"),
    breaks=_breaks,
    labels=("play",),
    proved="every trick has exactly one winner, whatever cards are played",
)
