"""`trick-total`: the tricks won in a deal sum to the number of tricks played.

Targets, deviations and payments are all counted from tricks; a trick counted twice, or for no player, spoils
them. It fails if a trick is not counted, or is counted for both the leader and the winner.
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
from trickproof_dsl.semantics.values import as_number


def _miscounted(state: StateView) -> str | None:
    tricks = [as_number(value) for key, value in sorted(state.variables.items()) if key[0] == "tricks"]
    size = state.variable("hand-size")
    if sum(tricks) == size:
        return None
    return f"the tricks won are {' + '.join(map(str, tricks))} = {sum(tricks)}; {size} were to be played"


def _claims(hand: SymbolicHand, moment: str) -> Iterator[Obligation]:
    if moment == "hand-ends":
        total = y.total(hand.variables[("tricks", p)] for p in range(hand.program.players))
        yield hand.claim("trick-total", y.compare("!=", total, hand.variables[("hand-size",)]))


CHECK = Check(
    "trick-total",
    ("trick", "trick-winner"),
    run=decide_by_hands,
    absent=needs("tricks", "hand-size"),
    probes=(Probe("hand-ends", _miscounted),),
    labels=("trick", "play"),
    claims=_claims,
    proved="as many tricks are won in a deal as are played",
)
