"""The verdict on a claim about single hands: proved for all of them, refuted by one of them, or only tested.

What the symbolic reader could not exclude is looked for at the table, from the carried values the solver names; where
it is not found, the claim stays tested and the finding says what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from trickproof.checking.finding import Finding
from trickproof.checking.verdict import DisagreementError, Method
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check, checks_of
from trickproof.proofs.hands.path_queries import ASSUMED_LATER
from trickproof.proofs.hands.prover import HandProof, Open, prove_hand
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt.solver import recorded_once
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof.support.locations import at
from trickproof.testing.random_play import FALLBACK, play_from
from trickproof.testing.subject import Subject, in_prelude, refuted, tested
from trickproof_dsl.core.faults import FaultSite, fault_sites
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.faults import FAULTS, Fault


def hand_proof(subject: Subject) -> HandProof:
    """What can go wrong in a hand of a ruleset, worked out once."""
    return recorded_once(subject, _hand_proof, subject)


def _hand_proof(subject: Subject) -> HandProof:
    def claims(hand: SymbolicHand, moment: str) -> list[Obligation]:
        return [obligation for check in checks_of(subject) for obligation in check.claims(hand, moment)]

    return prove_hand(subject, claims)


def decide_by_hands(check: Check, subject: Subject) -> Finding:
    """The finding.  Raises DisagreementError where what is proved has failed in play."""
    proof = hand_proof(subject)
    obstacles = list(dict.fromkeys(missing(check, subject, proof)))
    if not obstacles:
        assert proof.theorem is not None
        whose: dict[object, str] = {site: answering(subject, obligation) for site, obligation in proof.whose}
        theorem = kernel.conjunct(check.name, proof.theorem, whose)
        if check.name in subject.played.violations:
            raise DisagreementError(f"{subject.ruleset.id}: `{check.name}` is proved, and refuted by play")
        return _proved(check, subject, proof, theorem)
    return (
        _from_the_solver(check, subject, proof)
        or _from_corners(check, subject)
        or _sampled(check, subject, obstacles)
    )


def _from_the_solver(check: Check, subject: Subject, proof: HandProof) -> Finding | None:
    """The refutation in a hand that begins as the solver says it may fail: one with few cards exchanged."""
    for obligation in proof.open:
        if obligation.begin is not None and answering(subject, obligation.obligation) == check.name:
            there = play_from(
                subject.ruleset,
                subject.properties,
                obligation.begin,
                obligation.parameters,
                obligation.readings,
                check.name,
            )
            if check.name in there.violations:
                with suppress(DisagreementError):  # the solver may allow what no scenario can begin with
                    return refuted(check, subject, there, smaller=False)
    return None


def _from_corners(check: Check, subject: Subject) -> Finding | None:
    """The refutation in a hand that chance would not have dealt, unless random play finds one, which is plainer."""
    if check.name in subject.played.violations or check.name not in subject.cornered.violations:
        return None
    return refuted(check, subject, subject.cornered, smaller=False)


def _sampled(check: Check, subject: Subject, obstacles: Sequence[str]) -> Finding:
    finding = tested(check, subject)
    if finding.verdict.refuted:
        return finding
    return replace(finding, details=(*finding.details, *(f"no proof: {what}" for what in obstacles)))


def _proved(check: Check, subject: Subject, proof: HandProof, theorem: Theorem) -> Finding:
    method = Method.INDUCTION if proof.loops and {"play", "trick"} & set(check.labels) else Method.SMT
    message = check.proved or "nothing can break it"
    if proof.readings:
        message += " (under every reading)"
    return subject.finding(check, kernel.verdict(theorem), method, message)


def proved(subject: Subject, name: str) -> bool:
    """Whether the claim of a check about single hands is proved for every hand of a ruleset."""
    check = next((check for check in checks_of(subject) if check.name == name), None)
    return check is not None and not any(missing(check, subject, hand_proof(subject)))


def missing(check: Check, subject: Subject, proof: HandProof) -> Iterator[str]:
    """What keeps a claim from being proved, in words."""
    for obligation in proof.open:
        if answering(subject, obligation.obligation) == check.name:
            yield _obstacle(subject, obligation)
    for skipped in proof.skipped:
        if any(check_of_fault(subject, site) == check.name for site in fault_sites(skipped.step)):
            yield f"{skipped.what}{_place(skipped.span)}"
    yield from proof.limits
    yield from (f"nothing says what `{rule}` is{_place(span)}" for rule, span in proof.gaps)
    rests = any(o.obligation.check == ASSUMED_LATER for o in proof.open)
    if rests and check.name != ASSUMED_LATER and ("play" in check.labels or not check.labels):
        yield f"it is proved for hands in which `{ASSUMED_LATER}` holds only"


def _obstacle(subject: Subject, obligation: Open) -> str:
    what = FAULTS.get(obligation.obligation.kind, "the claim may fail")
    return f"{'gave up on whether ' if obligation.gave_up else 'not excluded that '}{what}{_place(obligation.obligation.span)}"


def _place(span: Span) -> str:
    return "" if in_prelude(span) else f" ({at(span)})"


def answering(subject: Subject, obligation: Obligation) -> str:
    """The check that an obligation belongs to."""
    return obligation.check or check_of_fault(subject, obligation)


def check_of_fault(subject: Subject, site: FaultSite | Obligation) -> str:
    """The check that a breakdown belongs to."""
    fault = Fault(site.kind, "", site.span, site.label)
    rules = subject.rules_at(site.span)
    return next((prop.name for prop in subject.properties if prop.breaks(fault, rules)), FALLBACK)
