"""`terminates-surely`: no infinite match exists.

Where a match can come back to where it was, the players can prolong it for ever, though chance may see to it that they
hardly will.  The finding shows the hands after which everything is as it was before; or a number that grows in every
hand and is bounded, so that every match is over after so many hands.  It fails for

    end: {rule: some player has tricks >= 12}

as nobody need ever take twelve.  A match that need not end may still end with probability 1; the finding says so where
an end is always within reach of so many hands (`end-always-reachable`), and how many hands it takes on average if all
divisions of the tricks were equally likely, where that can be told exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs.hands.check import Check
from trickproof.proofs.kernel import Form, Rule
from trickproof.proofs.matches.always_reachable import Dead, Within, always_reachable
from trickproof.proofs.matches.bounded_model_checking import NoTrace, Trace
from trickproof.proofs.matches.case_split import Case
from trickproof.proofs.matches.expected_length import expected_hands
from trickproof.proofs.matches.lasso import AllEnd, drift, lasso
from trickproof.proofs.matches.markov_chain import decimal_text
from trickproof.proofs.matches.ranking_function import ranking
from trickproof.proofs.matches.verdicts import FAULTLESS, decide
from trickproof.proofs.symbolic.hand_summary import Settlement
from trickproof.testing.subject import Subject
from trickproof_dsl.semantics.state_view import StateView


def _goes_on(state: StateView) -> str | None:
    return None if state.match_over or state.fault is not None else ""


def _case(settlement: Settlement) -> Case:
    ways = lasso(settlement)
    first = next(ways)
    if isinstance(first, Trace):
        return _endless(
            settlement, chain([first], (way for way in ways if not isinstance(way, AllEnd))), first
        )
    if isinstance(first, AllEnd):
        number = "the first hand" if first.hands == 1 else f"{first.hands} hands"
        return Case(Rule.UNROLL, Method.SMT, f"every match is over after {number} at the latest")
    why = ranking(settlement)
    if why is not None:
        message = f"every match is over after {why.hands} hands at the latest: {why.reason}"
        return Case(Rule.RANK, Method.INDUCTION, message)
    drifts = drift(settlement)
    if drifts is not None:
        return _endless(settlement, iter([drifts]), drifts)
    stuck = always_reachable(settlement)
    if isinstance(stuck, Dead):
        after = "the first hand" if stuck.way.hands == 1 else f"{stuck.way.hands} hands"
        message = f"the match can go on for ever: after {after} it can be that no play ends it any more"
        if stuck.ever:
            message = "the match never ends, as no play ends it"
        way = iter([stuck.way])
        return Case(Form.RUN_AND_THEOREM, Method.INDUCTION, message, stuck.way.hands, way, _goes_on)
    what = "gave up" if first.gave_up else "no match comes back to where it was"
    message = (
        f"not decided: {what} within {first.hands} hands, and no number was found that shows that all end"
    )
    return Case(Verdict.UNDECIDED, Method.BOUNDED, message, first.hands)


def _endless(settlement: Settlement, ways: Iterator[Trace | NoTrace], first: Trace) -> Case:
    assert first.loop_from is not None
    begin, end = first.loop_from + 1, first.hands
    which = f"hands {begin} to {end}" if begin < end else f"hand {begin}"
    lines = (f"{which} can be repeated for ever",)
    method = Method.INDUCTION if first.drifting else Method.SMT
    message = f"the match can go on for ever, {_chance(settlement)}"
    return Case(Form.RUN, method, message, first.hands, ways, _goes_on, lines, _back)


def _back(way: Trace) -> str:
    """How the match comes back to where it was."""
    assert way.loop_from is not None
    but = " but for " + " and ".join(f"`{name}`" for name in sorted(way.drifting)) if way.drifting else ""
    back = f"after hand {way.hands} everything is as it was before hand {way.loop_from + 1}{but}"
    counted = "over" in way.settlement.subject.usage.assigns
    overs = [value for after in way.afters for key, value in after.items() if key[0] == "over"]
    return f"{back}, nobody being up or down" if counted and not any(overs) else back


def _chance(settlement: Settlement) -> str:
    """Whether the match ends almost surely, and when."""
    if not settlement.subject.usage.ends:
        return "as no rule ends it"
    answer = always_reachable(settlement)
    if isinstance(answer, Dead):
        return "as no play ends it" if answer.ever else "and some scores leave no way to an end"
    if not isinstance(answer, Within):
        return "and whether chance ends it is not known"
    what = "every decision and every division" if answer.decided else "every division"
    certain = f"but ends with probability 1 if {what} of the tricks can happen"
    length = expected_hands(settlement)
    if length is None:
        return certain
    number = " or ".join(map(str, length.divisions))
    return (
        f"{certain}, after {decimal_text(length.hands)} hands on average if all {number} are equally likely"
    )


def _run(check: Check, subject: Subject) -> Finding:
    return decide(check, subject, _case)


CHECK = Check("terminates-surely", ("end",), run=_run, rests_on=FAULTLESS)
