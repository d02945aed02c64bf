"""`target-total`: the targets sum to the number of tricks in a deal.

Otherwise the players together are up or down whatever happens, and what one player pays is not what the others
receive. It fails for targets of 8, 5 and 4 in a deal of sixteen tricks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trickproof.checking.finding import Finding
from trickproof.checking.property import Probe, needs
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof.testing.hand_constants import Varies, hands_of
from trickproof.testing.subject import Subject, tested
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import as_number


def _unbalanced(state: StateView) -> str | None:
    targets = [as_number(value) for key, value in sorted(state.variables.items()) if key[0] == "target"]
    size = state.variable("hand-size")
    if sum(targets) == size:
        return None
    return f"the targets are {' + '.join(map(str, targets))} = {sum(targets)}; a deal has {size} tricks"


def _run(check: Check, subject: Subject) -> Finding:
    finding = tested(check, subject)
    if finding.verdict is not Verdict.TESTED:
        return finding
    finding, hands = decide_by_hands(check, subject), hands_of(subject)
    if not finding.verdict.proved or isinstance(hands, Varies):
        return finding
    total = sorted({sum(hand.targets) for hand in hands})
    message = (
        f"the targets sum to {' or '.join(map(str, total))}, the number of cards in a hand, whoever deals"
    )
    return replace(finding, method=Method.ENUMERATION, message=message)


def _claims(hand: SymbolicHand, moment: str) -> Iterator[Obligation]:
    if moment == "play-starts":
        total = y.total(hand.variables[("target", p)] for p in range(hand.program.players))
        yield hand.claim("target-total", y.compare("!=", total, hand.variables[("hand-size",)]))


CHECK = Check(
    "target-total",
    ("targets", "deal"),
    run=_run,
    absent=needs("target", "hand-size"),
    probes=(Probe("play-starts", _unbalanced),),
    labels=("play",),
    claims=_claims,
    of_a_deal=True,
    proved="the targets sum to the number of tricks in a deal, whatever is chosen",
)
