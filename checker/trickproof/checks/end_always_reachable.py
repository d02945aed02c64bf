"""`end-always-reachable`: from every reachable score some play ends the match.

A match can begin well and reach a score from which no player can finish it; then the rules never let the
evening end. The finding says within how many deals the end can always be reached, or shows the deals that
lead to a score without one. It fails, for example, with

    end: {rule: first-hand and some player has tricks >= 12}

It is shown for every score that an inductive invariant does not rule out, by checking that one of a few plans,
such as one player taking every trick, always works. To show that the cards allow a plan, a deal and legal
choices were found for each division of the tricks used, whatever is carried over from earlier deals.
"""

from __future__ import annotations

from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check
from trickproof.proofs.kernel import Form
from trickproof.proofs.matches.always_reachable import (
    Dead,
    Eventually,
    Never,
    Open,
    Within,
    always_reachable,
)
from trickproof.proofs.matches.counterexample import goes_on, never
from trickproof.proofs.matches.ending_faults import unless_ending_fails
from trickproof.proofs.matches.strategies import SHOWN
from trickproof.proofs.matches.termination import surely
from trickproof.proofs.matches.verdicts import FAULTLESS, decide
from trickproof.proofs.model_checking.case_split import Case
from trickproof.proofs.symbolic.hand_summary import Settlement
from trickproof.testing.subject import Subject


def _case(settlement: Settlement) -> Case:
    return unless_ending_fails(_within(settlement), settlement)


def _within(settlement: Settlement) -> Case:
    plans_take_long = settlement.bare is not None
    shown = surely(settlement) if settlement.over_at_start or plans_take_long else None
    if shown is None:
        answer = always_reachable(settlement)
        shown = surely(settlement) if isinstance(answer, Open) else None
    if shown is not None:
        return Case(shown.theorem, shown.method, shown.message)
    if isinstance(answer, Within):
        number = "the next deal" if answer.hands == 1 else f"{answer.hands} deals"
        message = f"whatever the score, some play ends the match within {number}"
        method = Method.INDUCTION if answer.carried else Method.SMT
        return Case(answer.theorem, method, message, details=(SHOWN,))
    if isinstance(answer, Eventually):
        why = answer.why.reason.replace(f" of {answer.player} ", " of that player ")
        message = f"whatever the score, one player can end the match by taking every trick: {why}"
        return Case(answer.theorem, Method.INDUCTION, message, details=(SHOWN,))
    if isinstance(answer, Never):
        return never(answer, "no play ends the match, whatever the score")
    if isinstance(answer, Dead):
        hands = answer.way.hands
        after = "the first deal" if hands == 1 else f"{hands} deals"
        message = f"after {after} a state can arise from which no play ends the match"
        form, ways = Form.RUN_AND_THEOREM, iter([answer.way])
        return Case(form, Method.INDUCTION, message, hands, ways, goes_on, theorem=answer.theorem)
    if answer.hands:
        message = f"some play ends the match from every score that is reached within {answer.hands} deals"
        return Case(Verdict.BOUNDED, Method.BOUNDED, message, answer.hands)
    return Case(Verdict.UNDECIDED, Method.SMT, f"{answer.why}")


def _run(check: Check, subject: Subject) -> Finding:
    if not subject.usage.ends:
        return subject.finding(
            check, kernel.refuted(check.name, Form.STATIC), Method.STATIC, "no rule ends the match"
        )
    return decide(check, subject, _case)


CHECK = Check("end-always-reachable", ("end",), run=_run, rests_on=FAULTLESS)
