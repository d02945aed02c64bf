"""`trick-total`: the tricks won in a hand sum to the tricks of a hand.

Targets, deviations and payments are all counted from tricks; one that is counted twice or for nobody spoils them.  It
fails where a trick is not counted, or counted for the leader and for the winner.
"""

from __future__ import annotations

from trickproof.claim import Check, Probe, needs
from trickproof.subject import tested
from trickproof_dsl.interpret import State


def _miscounted(state: State) -> str | None:
    tricks = [value for key, value in sorted(state.variables.items()) if key[0] == "tricks"]
    size = state.variable("hand-size")
    if sum(tricks) == size:
        return None
    return f"the tricks won are {' + '.join(map(str, tricks))} = {sum(tricks)}; {size} were to be played"


CHECK = Check(
    "trick-total",
    ("trick", "trick-winner"),
    tested,
    absent=needs("tricks", "hand-size"),
    probes=(Probe("hand-ends", _miscounted),),
    labels=("trick", "play"),
)
