"""Whether an event happens in no deal of any match: invariants over the values that deals begin with, found in several ways."""

from __future__ import annotations

from trickproof.proofs.kernel import Theorem
from trickproof.proofs.model_checking.bounded_model_checking import Event, Trace, match_ends, search
from trickproof.proofs.model_checking.horn_clauses import can_happen
from trickproof.proofs.model_checking.induction import prove
from trickproof.proofs.model_checking.inductive_invariants import region_with_limits, region_with_numbers
from trickproof.proofs.smt.solver import recorded_once
from trickproof.proofs.symbolic.hand_summary import Settlement


def excluded(settlement: Settlement, event: Event) -> Theorem | None:
    """The theorem, if it is found, that the event happens in no deal, although it could with other carried values.

    For use when one step from an arbitrary state proves nothing and no short match shows the event: tries
    invariants suggested by the rules, then those that Spacer finds.
    """
    for region_of in (region_with_limits, region_with_numbers):
        region = recorded_once(settlement.subject, region_of, settlement)
        proof = prove(settlement, event, region) if region.limits else None
        if proof is not None and proof.theorem is not None:
            return proof.theorem
    return can_happen(settlement, event).never


def ends_within(settlement: Settlement, hands: int) -> bool:
    """Whether, ignoring cards, the rules are known to allow a match that is over within `hands` deals."""
    return isinstance(next(search(settlement, match_ends, hands)), Trace)
