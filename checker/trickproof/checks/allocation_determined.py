"""`allocation-determined`: who gives how many cards to whom is fixed by the rules.

With two players up and two down, "each gives as many as they are up" does not say to whom; and a player who
may give "up to" three cards decides the number. It fails, for example, with

    exchange-amounts:
      of: player giver
      rule: |
        for taker in players with over < 0, clockwise from giver:
            giver gives up to over of giver cards of hand to taker as gift(giver, taker)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from trickproof.checking.finding import Finding
from trickproof.checking.property import Probe, needs_label
from trickproof.english.inflection import counted
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.exchange_verdicts import decide_openness, same_numbers
from trickproof.proofs.hands.verdicts import decide_by_hands, hand_proof
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof.testing.subject import Subject
from trickproof_dsl.semantics.state_view import StateView


def _free(state: StateView) -> str | None:
    decision = state.decision
    if decision is None or decision.label != "give" or decision.low == decision.high:
        return None
    low, high = decision.low, decision.high
    number = f"{low} {'or' if high == low + 1 else 'to'} {counted(high, 'card')}"
    return f"player {decision.player} may give {number} to player {decision.to}"


def _claims(hand: SymbolicHand, moment: str) -> Iterator[Obligation]:
    if moment == "play-starts":
        picks = [pick for pick in hand.picks if pick.label == "give"]
        free = y.disj("give" in hand.unlisted, *(y.compare("!=", p.low, p.high) for p in picks))
        yield hand.claim("allocation-determined", free, True)


def _run(check: Check, subject: Subject) -> Finding:
    finding = decide_by_hands(check, subject)
    if finding.verdict.refuted:
        return finding
    fixed = finding.verdict.proved
    shown = partial(same_numbers, subject, hand_proof(subject).gifts) if fixed else lambda: None
    left_open = decide_openness(check, subject, "amounts", shown)
    if left_open.verdict.refuted or fixed:
        return left_open
    return finding


CHECK = Check(
    "allocation-determined",
    ("exchange-amounts", "exchange-order"),
    run=_run,
    absent=needs_label("give"),
    probes=(Probe("always", _free),),
    labels=("give",),
    claims=_claims,
    proved="how many cards each player gives to whom is determined by the previous deal",
)
