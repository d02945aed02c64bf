"""The verdict on a claim about single deals: proved for all of them, refuted by one, or only tested.

What the symbolic executor could not exclude is searched for in concrete play, from the carried values that
the solver names; if it is not found, the claim remains tested and the finding says what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from trickproof.analysis.dependencies import last_part, steps_of_deal
from trickproof.analysis.seats import seats_alike
from trickproof.analysis.usage import usage_of
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import DisagreementError, Method
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check, checks_of
from trickproof.proofs.hands.initial_states import seen_from
from trickproof.proofs.hands.path_queries import ASSUMED_LATER
from trickproof.proofs.hands.prover import HandProof, Open, prove_fixed_total, prove_hand
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt.solver import recorded_once
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof.support.locations import at
from trickproof.testing.match_search import leading_to
from trickproof.testing.random_play import FALLBACK, play_from
from trickproof.testing.subject import Subject, refuted, seat, tested
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import FaultSite, fault_sites
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import in_prelude
from trickproof_dsl.semantics.faults import FAULTS, Fault
from trickproof_dsl.semantics.values import Key, Value


def hand_proof(subject: Subject) -> HandProof:
    """What can go wrong in a deal of a ruleset, memoised."""
    return recorded_once(subject, _hand_proof, subject)


def fixed_total(subject: Subject) -> bool:
    """Whether it is proved that the dealer, parameters and readings determine how many tricks are taken in a deal."""
    return recorded_once(subject, _fixed_total, subject) is not None


def _hand_proof(subject: Subject) -> HandProof:
    known = subject.known((_fixed_total, subject, subject.session.writing))
    found = known and recorded_once(subject, _fixed_total, subject)
    return found or prove_hand(subject, partial(_claims, subject))


def _fixed_total(subject: Subject) -> HandProof | None:
    return prove_fixed_total(subject, partial(_claims, subject))


def _claims(subject: Subject, hand: SymbolicHand, moment: str) -> list[Obligation]:
    return [obligation for check in checks_of(subject) for obligation in check.claims(hand, moment)]


def suppose(subject: Subject, outcome: PlayOutcome) -> None:
    """Has a subject's deals taken to be like this without a proof: nothing follows from it, but matches it leads to can be replayed."""
    supposed = HandProof(limits=["it is only supposed"], outcome=outcome)
    subject.once((_hand_proof, subject, subject.session.writing), lambda: (supposed, []))


def decide_by_hands(check: Check, subject: Subject) -> Finding:
    """The finding. Raises DisagreementError if something proved has failed in play."""
    proof = hand_proof(subject)
    obstacles = list(dict.fromkeys(missing(check, subject, proof)))
    if not obstacles:
        theorem = _conjunct(check, subject, proof)
        if check.name in subject.played.violations:
            raise DisagreementError(
                f"{subject.ruleset.id}: `{check.name}` is both proved and refuted by play"
            )
        return _proved(check, subject, proof, theorem)
    return (
        _from_the_solver(check, subject, proof)
        or _from_corners(check, subject)
        or _sampled(check, subject, obstacles)
    )


def _from_the_solver(check: Check, subject: Subject, proof: HandProof) -> Finding | None:
    """The refutation in a deal that begins where the solver says the claim may fail, with few cards exchanged.

    Counts only if a match leads to that deal from its start.
    """
    for obligation in proof.open:
        if obligation.begin is not None and answering(subject, obligation.obligation) == check.name:
            terms = {**subject.program.defaults, **obligation.parameters}, dict(obligation.readings)
            wanted = beginnings(subject.program, obligation.begin)
            for before in leading_to(subject.ruleset, terms, wanted):
                there = play_from(subject.ruleset, subject.properties, before, terms, check.name)
                if check.name in there.violations:
                    return refuted(check, subject, there, smaller=False)
    return None


def beginnings(program: c.Program, begin: Mapping[Key, Value]) -> list[Mapping[Key, Value]]:
    """The part of an initial state that matters up to the end of the play; if the seats are alike, from each of them."""
    after = last_part(program)
    early = [step for step in steps_of_deal(program) if step not in after]
    names = usage_of(*early).reads
    return from_all_seats(program, {key: value for key, value in begin.items() if key[0] in names})


def from_all_seats(program: c.Program, matters: Mapping[Key, Value]) -> list[Mapping[Key, Value]]:
    """Values of an initial state; if the seats are alike, as seen from each of them."""
    turns = range(program.players) if seat(program) and seats_alike(program) else [0]
    return [seen_from(program, matters, by) for by in turns]


def _from_corners(check: Check, subject: Subject) -> Finding | None:
    """The refutation in a low-probability deal, unless random play finds one, which is plainer."""
    cornered = None if check.name in subject.played.violations else subject.corners.violating(check.name)
    return None if cornered is None else refuted(check, subject, cornered, smaller=False)


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


def _conjunct(check: Check, subject: Subject, proof: HandProof) -> Theorem:
    """A check's claim, of which nothing is missing."""
    assert proof.theorem is not None
    whose: dict[object, str] = {site: answering(subject, obligation) for site, obligation in proof.whose}
    return kernel.conjunct(check.name, proof.theorem, whose)


def proved(subject: Subject, name: str) -> Theorem | None:
    """A check's claim about single deals, for every deal of a ruleset; None if it is not proved."""
    check = next((check for check in checks_of(subject) if check.name == name), None)
    proof = hand_proof(subject)
    if check is None or any(missing(check, subject, proof)):
        return None
    return _conjunct(check, subject, proof)


def may_fail(subject: Subject) -> bool:
    """Whether a deal may stop at a runtime fault, as far as is proved."""
    proof = hand_proof(subject)
    return bool(proof.limits or proof.skipped) or any(not left.obligation.check for left in proof.open)


def decided_by_deals(subject: Subject, name: str) -> bool:
    """Whether a check's claim is proved by the induction over deals alone."""
    check = next((check for check in checks_of(subject) if check.name == name), None)
    if check is None or not (check.run is decide_by_hands or check.of_a_deal):
        return False
    return not any(missing(check, subject, hand_proof(subject)))


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
    rests = proof.even and any(o.obligation.check == ASSUMED_LATER for o in proof.open)
    if rests and check.name != ASSUMED_LATER and ("play" in check.labels or not check.labels):
        yield f"it is proved only for deals in which `{ASSUMED_LATER}` holds"


def _obstacle(subject: Subject, obligation: Open) -> str:
    what = FAULTS.get(obligation.obligation.kind, "the claim may fail")
    return f"{'gave up on whether ' if obligation.gave_up else 'not ruled out: '}{what}{_place(obligation.obligation.span)}"


def _place(span: Span) -> str:
    return "" if in_prelude(span) else f" ({at(span)})"


def answering(subject: Subject, obligation: Obligation) -> str:
    """The check that an obligation belongs to."""
    return obligation.check or check_of_fault(subject, obligation)


def check_of_fault(subject: Subject, site: FaultSite | Obligation) -> str:
    """The check that a runtime fault belongs to."""
    fault = Fault(site.kind, "", site.span, site.label)
    rules = subject.rules_at(site.span)
    return next((prop.name for prop in subject.properties if prop.breaks(fault, rules)), FALLBACK)
