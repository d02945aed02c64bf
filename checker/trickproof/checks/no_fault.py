"""`no-fault`: no rule can fail at run time in a way that no other check covers, from the start of a match to its end.

A rule fails if it asks for something that does not exist: the only player with the most tricks, when two are
tied; the suit of a card that nobody played; more cards than a zone holds. The table then has no rule to
continue with. What a more specific check covers is reported only there: `legal-play-exists` says whether a player
can be without a legal card. This check fails, for example, with

    next-dealer: {rule: only player in players with the highest over}

as soon as two players have equal overtricks.
"""

from __future__ import annotations

from dataclasses import replace

from trickproof.checking.engines import State
from trickproof.checking.finding import Finding
from trickproof.checking.played_hand import following_hand
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof.proofs.kernel import Form
from trickproof.proofs.matches.verdicts import decide
from trickproof.proofs.model_checking.bounded_model_checking import Trace, search
from trickproof.proofs.model_checking.case_split import Case, gave_up, no_deal
from trickproof.proofs.model_checking.exclusion import excluded
from trickproof.proofs.model_checking.induction import prove
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof.testing.random_play import FALLBACK
from trickproof.testing.subject import Subject, tested
from trickproof.testing.witness import replayed_match
from trickproof_dsl.files.model import in_prelude
from trickproof_dsl.semantics.faults import Fault

HANDS = 8
"""Maximum number of deals of a match in which a failure between deals is searched for."""

FAILS = "a rule can fail between two deals"


def _fails_before_the_next(state: State) -> str | None:
    """How the rules fail at run time between a complete deal and the next one."""
    fault = _fault_after(state)
    return None if fault is None else fault.message


def _fault_after(state: State) -> Fault | None:
    if state.fault is not None or state.match_over or not state.hand_over:
        return None
    following = following_hand(state)
    return following.fault if isinstance(following, State) else None


def _placed(subject: Subject, finding: Finding) -> Finding:
    """The finding at the rule that fails after the last deal of its match, with that rule's name."""
    fault = _fault_after(replayed_match(subject.ruleset, finding.match or ()).state)
    if fault is None or in_prelude(fault.span):
        return finding
    message = finding.message
    for rule in [rule for rule in subject.rules_at(fault.span) if not subject.is_standard(rule)][-1:]:
        message = message.replace(FAILS, f"`{rule}` can fail between two deals")
    return replace(finding, message=message, where=fault.span)


def _case(settlement: Settlement) -> Case:
    if settlement.over_at_start:
        return Case(no_deal(CHECK.proved), Method.ENUMERATION, CHECK.proved)

    def event(hand: Hand) -> Bool:
        _, interrupted = settlement.following(hand)
        return y.conj(y.neg(hand.broken), y.neg(hand.ended), interrupted)

    always = prove(settlement, event, claim=CHECK.proved).theorem
    if always is not None:
        return Case(always, Method.INDUCTION, CHECK.proved)
    outcome = next(search(settlement, event, HANDS))
    if isinstance(outcome, Trace):
        ways = search(settlement, event, HANDS)
        return Case(Form.RUN, Method.SMT, FAILS, outcome.hands, ways, _fails_before_the_next)
    never = outcome.never or excluded(settlement, event)
    if never is not None:
        return Case(never, Method.INDUCTION, CHECK.proved)
    if outcome.gave_up:
        return gave_up(outcome.hands)
    return Case(
        Verdict.BOUNDED, Method.BOUNDED, f"no rule fails in the first {outcome.hands} deals", outcome.hands
    )


def _run(check: Check, subject: Subject) -> Finding:
    """Within a deal every fault is an obligation of its proof; between deals, of the settlement."""
    if check.name in subject.played.violations:
        return tested(check, subject)
    within = decide_by_hands(check, subject)
    if within.verdict.refuted or not subject.program.between:
        return within
    between = decide(check, subject, _case)
    if between.verdict.refuted and between.match:
        between = _placed(subject, between)
    if within.verdict.proved or between.verdict.negative:
        return between
    if not between.verdict.proved:
        details = (*within.details, f"between two deals: {between.verdict}, {between.message}")
        return replace(within, details=details)
    return replace(within, details=(*within.details, "between two deals no rule can fail"))


CHECK = Check(
    FALLBACK,
    (),
    run=_run,
    proved="no rule can fail in a way that no other check covers, from the start of a match to its end",
)
