"""`zero-sum`: the amounts by which players are up or down, and scores and payouts where kept, each sum to zero.

What some players are up, the others are down; what one receives, the others pay. If that fails, every player
can be up at once, or a coin is missing from the bank. It fails, for example, with

    payout:
      rule: |
        for p in players:
            payout of p becomes over of p + 1

The claim applies to games that count deviations (`over`) or payments (`payout`). Scores are checked in such
games only, because points of other kinds need not balance.
"""

from __future__ import annotations

from trickproof.analysis.usage import SUMS, Usage, program_usage
from trickproof.checking.engines import State
from trickproof.checking.finding import Finding
from trickproof.checking.played_hand import following_hand
from trickproof.checking.property import Probe
from trickproof.checking.verdict import Method, Verdict
from trickproof.english.inflection import listed
from trickproof.proofs.hands.check import Check
from trickproof.proofs.kernel import Form
from trickproof.proofs.matches.verdicts import decide
from trickproof.proofs.model_checking.bounded_model_checking import Trace, search
from trickproof.proofs.model_checking.case_split import OVER_AT_START, Case, gave_up, no_deal
from trickproof.proofs.model_checking.exclusion import excluded
from trickproof.proofs.model_checking.induction import Region, prove, starting_at_zero, unbalanced
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof.testing.subject import Subject
from trickproof_dsl.semantics.values import as_number

HANDS = 8
"""Maximum number of deals of a match in which a nonzero sum is searched for."""


def _absent(usage: Usage) -> str | None:
    if (usage.assigns - usage.odd) & {"over", "payout"}:
        return None
    return "neither deviations (`over`) nor payments (`payout`) are counted"


def _names(usage: Usage) -> list[str]:
    return [name for name in SUMS if name in usage.assigns - usage.odd]


def _uneven(state: State) -> str | None:
    following = state if state.match_over else following_hand(state)
    later = following if isinstance(following, State) else following.begin
    later = state if later.fault else later
    for name in _names(program_usage(state.program)):
        for moment in (state,) if not state.program.variables[name].carried else (state, later):
            values = [as_number(value) for key, value in sorted(moment.variables.items()) if key[0] == name]
            if sum(values) != 0:
                shown = listed([f"{value:+d}" for value in values])
                return f"`{name}` is {shown}, which add up to {sum(values):+d}, not 0"
    return None


def _case(settlement: Settlement) -> Case:
    names = _names(settlement.subject.usage)
    carried = tuple(name for name in names if settlement.program.variables[name].carried)

    def event(hand: Hand) -> Bool:
        wrong = y.disj(*(unbalanced(settlement, hand, name) for name in names))
        return y.conj(y.neg(hand.broken), wrong)

    sums = listed([f"`{name}`" for name in names])
    if settlement.over_at_start:
        return Case(no_deal(OVER_AT_START), Method.ENUMERATION, OVER_AT_START)
    balanced = f"{sums} {'always sums' if len(names) == 1 else 'each always sum'} to zero"
    hypothesis = starting_at_zero(settlement, carried)
    if hypothesis is not None:
        proof = prove(settlement, event, Region(), hypothesis, balanced)
        if proof.theorem is not None:
            method = Method.INDUCTION if proof.carried else Method.SMT
            return Case(proof.theorem, method, balanced)
    outcome = next(search(settlement, event, HANDS))
    if isinstance(outcome, Trace):
        ways = search(settlement, event, HANDS)
        return Case(Form.RUN, Method.SMT, "not zero-sum", outcome.hands, ways, _uneven)
    never = outcome.never or excluded(settlement, event)
    if never is not None:
        return Case(never, Method.INDUCTION, balanced)
    if outcome.gave_up:
        return gave_up(outcome.hands)
    message = f"{sums} {'sums' if len(names) == 1 else 'each sum'} to zero in the first {outcome.hands} deals"
    return Case(Verdict.BOUNDED, Method.BOUNDED, message, outcome.hands)


def _run(check: Check, subject: Subject) -> Finding:
    return decide(check, subject, _case)


CHECK = Check(
    "zero-sum",
    ("scoring", "payout"),
    run=_run,
    absent=_absent,
    probes=(Probe("hand-ends", _uneven, ahead=True),),
    labels=("play",),
)
