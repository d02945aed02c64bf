"""Whether the rules for the end of the match and its winner can fail; `unique-winner` reports that, along with ties.

A match that stops at such a fault has not ended, so proofs about its end depend on there being none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from trickproof.checking.verdict import Verdict
from trickproof.proofs import kernel
from trickproof.proofs.hands.verdicts import check_of_fault, hand_proof
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.model_checking.case_split import Case
from trickproof.proofs.model_checking.exclusion import excluded
from trickproof.proofs.model_checking.induction import prove
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof_dsl.core.faults import fault_sites
from trickproof_dsl.core.traversal import walk

ENDING = frozenset({"end", "winner"})

REPORTED_BY = "unique-winner"
"""The check that reports such faults."""


def ending_faults(settlement: Settlement, hand: Hand) -> Bool:
    """When `end` or `winner` fails after the play."""
    return y.disj(*(when for when, span in hand.faults if ENDING & set(settlement.subject.rules_at(span))))


def unless_ending_fails(case: Case, settlement: Settlement) -> Case:
    """The case, made undecided if it is a proof about the end of a match that such a fault may prevent."""
    if not isinstance(case.answer, Theorem) or settlement.over_at_start:
        return case
    faultless = _excluded(settlement)
    if faultless is not None:
        return replace(case, answer=kernel.resting(case.answer, faultless))
    message = f"if `end` and `winner` never fail, {case.message}"
    return replace(case, answer=Verdict.UNDECIDED, message=message, ways=None, termination=None, details=())


def _excluded(settlement: Settlement) -> Sequence[Theorem] | None:
    """That there is no such fault, neither in play nor after it; None if that is not shown."""
    in_play = list(_in_play(settlement))
    if in_play:
        return None

    def event(hand: Hand) -> Bool:
        return ending_faults(settlement, hand)

    after = prove(settlement, event).theorem or excluded(settlement, event)
    return None if after is None else [kernel.static("none is possible in play", in_play), after]


def _in_play(settlement: Settlement) -> Iterator[str]:
    """Possible faults of this kind before the play is over, in rulesets where a match may end there."""
    if not settlement.stops:
        return
    subject, proof = settlement.subject, hand_proof(settlement.subject)
    after = {id(node) for node in walk(*settlement.after)}
    places = {site.span for node in settlement.before for site in fault_sites(node)}
    yield from proof.limits
    for left in proof.open:
        obligation = left.obligation
        if (
            not obligation.check
            and obligation.span in places
            and check_of_fault(subject, obligation) == REPORTED_BY
        ):
            yield "an open obligation"
    for skipped in proof.skipped:
        sites = fault_sites(skipped.step) if id(skipped.step) not in after else ()
        if any(check_of_fault(subject, site) == REPORTED_BY for site in sites):
            yield skipped.what
