"""Whether the rules can fail where they say that the match is over and who has won: `unique-winner` reports that, beside ties.

A match that stops there has not ended, so what is proved of its end rests on there being no such fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trickproof.checking.verdict import Verdict
from trickproof.proofs.hands.verdicts import check_of_fault, hand_proof
from trickproof.proofs.kernel import Rule
from trickproof.proofs.matches.bounded_model_checking import invariant_sums, prove
from trickproof.proofs.matches.case_split import Case
from trickproof.proofs.matches.exclusion import excluded
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer
from trickproof.proofs.smt.symbolic_values import Bool
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof_dsl.core.faults import fault_sites
from trickproof_dsl.core.traversal import walk

ENDING = frozenset({"end", "winner"})

REPORTED_BY = "unique-winner"
"""The check that such faults belong to."""


def ending_faults(settlement: Settlement, hand: Hand) -> Bool:
    """When `end` or `winner` fails after the play."""
    return y.disj(*(when for when, span in hand.faults if ENDING & set(settlement.subject.rules_at(span))))


def unless_ending_fails(case: Case, settlement: Settlement) -> Case:
    """The case, undecided where it is proved of the end of a match and that may not be reached for such a fault."""
    if not isinstance(case.answer, Rule) or settlement.over_at_start or _excluded(settlement):
        return case
    message = f"{case.message}, if no rule fails in `end` and `winner`, which is not proved"
    return replace(case, answer=Verdict.UNDECIDED, message=message, ways=None, termination=None, details=())


def _excluded(settlement: Settlement) -> bool:
    if any(_in_play(settlement)):
        return False

    def event(hand: Hand) -> Bool:
        return ending_faults(settlement, hand)

    proof = prove(settlement, event, invariant_sums(settlement))
    return proof.answer is Answer.NO or excluded(settlement, event)


def _in_play(settlement: Settlement) -> Iterator[str]:
    """What may fail so before the play is over, where a match may end there."""
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
