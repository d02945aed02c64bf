"""`end-reachable`: some play ends the match.

A match that no play can end is not a match.  The finding names the fewest deals after which it can be over and shows
the last of them, played out.  It fails, for example, with

    end: {rule: some player has tricks >= 17}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from trickproof.checking.finding import Finding
from trickproof.checking.played_hand import HandPlayed
from trickproof.checking.verdict import DisagreementError, Method, Verdict
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check
from trickproof.proofs.kernel import Form, Rule
from trickproof.proofs.matches.verdicts import decide
from trickproof.proofs.model_checking.bounded_model_checking import Trace, match_ends, search
from trickproof.proofs.model_checking.case_split import OVER_AT_START, Case, gave_up, no_deal
from trickproof.proofs.model_checking.horn_clauses import can_end
from trickproof.proofs.model_checking.induction import prove
from trickproof.proofs.smt.solver import Answer
from trickproof.proofs.symbolic.hand_parts import looked_at
from trickproof.proofs.symbolic.hand_summary import Settlement
from trickproof.testing.match_search import ending_under, played_to_its_end
from trickproof.testing.random_play import Terms
from trickproof.testing.subject import MOST_COMBINATIONS, Subject
from trickproof.testing.witness import MOST_DEALS, replayed_on, written
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json
from trickproof_dsl.semantics.state_view import StateView

Match = tuple[dict[str, Json], ...]
"""A match in scenario format."""

MANY = 40
"""Maximum number of deals searched if it is known that the end is reachable."""


def _ends(state: StateView) -> str | None:
    return "" if state.match_over else None


def _case(settlement: Settlement) -> Case:
    if settlement.over_at_start:
        return Case(no_deal(OVER_AT_START), Method.ENUMERATION, OVER_AT_START)
    outcome = next(search(settlement, match_ends))
    if isinstance(outcome, Trace):
        after = "the first deal" if outcome.hands == 1 else f"{outcome.hands} deals"
        message = f"the match can be over after {after}"
        return Case(Rule.RUN, Method.SMT, message, outcome.hands, search(settlement, match_ends), _ends)
    if outcome.gave_up:
        return gave_up(outcome.hands)
    never = prove(settlement, match_ends).theorem
    if never is not None:
        message = "no play ends the match, whatever the score"
        return Case(Form.THEOREM, Method.SMT, message, theorem=kernel.closed(message, never))
    ever = can_end(settlement)
    if ever.never is not None:
        message = "no play ends the match, however many deals are played"
        return Case(Form.THEOREM, Method.INDUCTION, message, theorem=kernel.closed(message, ever.never))
    if ever.answer is Answer.YES:
        later = next(search(settlement, match_ends, MANY))
        if isinstance(later, Trace):
            message = f"the match can be over after {later.hands} deals"
            return Case(Rule.RUN, Method.SMT, message, later.hands, iter([later]), _ends)
        outcome = later
    message = f"no play ends the match within {outcome.hands} deals; beyond that it is not known"
    return Case(Verdict.UNDECIDED, Method.BOUNDED, message, outcome.hands)


def _run(check: Check, subject: Subject) -> Finding:
    if not subject.usage.ends:
        return subject.finding(
            check, kernel.refuted(check.name, Form.STATIC), Method.STATIC, "no rule ends the match"
        )
    if looked_at(subject.program):
        # What the solver says of cards is seldom dealt, and a match that was played does as well.
        shown = _by_play(check, subject)
        if shown is not None:
            return shown
    finding = decide(check, subject, _case)
    if finding.verdict is not Verdict.UNDECIDED:
        return finding
    shown = _by_play(check, subject, finding.details)
    if shown is not None:
        return shown
    if _ended(subject) is None:
        hands = subject.played_out.hands
        what = f"no match ended in the {hands} deals played (`--hands` plays more)"
    else:
        what = "a simulated match ended under some parameters or readings only"
    return replace(finding, message=f"{finding.message}; {what}")


def _ended(subject: Subject) -> HandPlayed | None:
    """The last deal of a match that ended in random play, or else in greedy play."""
    ended = subject.played.ended or subject.played_out.ended
    terms = subject.parameters()[0], subject.readings(frozenset(subject.program.readings))[0]
    return ended or subject.once("played to its end", lambda: played_to_its_end(subject.program, terms))


def _by_play(check: Check, subject: Subject, details: Sequence[str] = ()) -> Finding | None:
    """What matches that were played to their ends show; None unless there is one under each choice of parameters and readings."""
    hand = _ended(subject)
    matches = None if hand is None else _ended_everywhere(subject, hand)
    if matches is None:
        return None
    message = "a simulated match ended"
    runs = [kernel.run(message, match[-1]) for match in matches]
    return subject.finding(
        check,
        kernel.verdict(kernel.choices(message, len(matches), runs)),
        Method.SIMULATION,
        message + (" under each choice of parameters and readings" if len(matches) > 1 else ""),
        match=matches[0],
        details=tuple(details),
    )


def _ended_everywhere(subject: Subject, ended: HandPlayed) -> list[Match] | None:
    """Matches that end, under each choice of parameters and readings; None if one is missing."""
    parameters, taken = subject.parameters(), subject.readings(frozenset(subject.program.readings))
    if MOST_COMBINATIONS in (len(parameters), len(taken)):
        return None
    return ended_under(subject.ruleset, ended, list(product(parameters, taken)))


def ended_under(ruleset: Ruleset, ended: HandPlayed, choices: Sequence[Terms]) -> list[Match] | None:
    """Matches like the one that `ended`, as the reference replays them, under each choice; None if one is missing.

    If there is only one choice, `ended` was played under it.
    """
    matches: list[Match] = []
    for terms in choices:
        hand = ended if len(choices) == 1 else ending_under(ruleset.program, terms, ended)
        if hand is None or len(hand.match) > MOST_DEALS:
            return None
        match = written(ruleset, hand)
        if not replayed_on(ruleset, match).state.match_over:
            raise DisagreementError(f"{ruleset.id}: a match that ended does not end when it is replayed")
        matches.append(match)
    return matches


CHECK = Check("end-reachable", ("end",), run=_run)
