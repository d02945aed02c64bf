"""The verdict on what the exchange rules leave open.

Nothing is left open (proved), something that matters is (refuted), or something that did not matter in the
deals tried (tested).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

from trickproof.checking.finding import Finding
from trickproof.checking.verdict import DisagreementError, Method, Verdict
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.exchange_determinism import (
    Compared,
    Matter,
    Parting,
    compared,
    held,
    ties_before,
)
from trickproof.proofs.hands.prover import Gifts
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer, SolverSession, recording
from trickproof.proofs.smt.symbolic_values import Bool
from trickproof.support.locations import at
from trickproof.testing.subject import Subject, limits_met
from trickproof.testing.witness import replayed_match, written
from trickproof_dsl.semantics.state_view import StateView

NONE = (0, 0)
"""No cards are given."""


def same_numbers(subject: Subject, gifts: Sequence[Gifts]) -> Theorem | None:
    """That all readings give the same numbers of cards given and received after the same previous deal; None if it is not shown."""
    differences: list[Bool] = []
    leaves: list[Theorem] = []
    for one, other in combinations(gifts, 2):
        if one.start is not other.start or one.readings == other.readings:
            continue
        differ = y.disj(
            *(
                y.compare("!=", a, b)
                for pair in one.numbers.keys() | other.numbers.keys()
                for a, b in zip(one.numbers.get(pair, NONE), other.numbers.get(pair, NONE), strict=True)
            )
        )
        differences.append(differ)
        if differ is False:
            continue
        solver = SolverSession(subject.session)
        solver.add(*one.facts, *other.facts)
        with recording(subject.session) as answered:
            if solver.possible(differ) is not Answer.NO:
                return None
        leaves += answered
    ways = [(differ is not False, "", True) for differ in differences]
    return kernel.path("as many cards are given under every reading", ways, leaves)


def decide_openness(
    check: Check, subject: Subject, matter: Matter, shown: Callable[[], Theorem | None] = lambda: None
) -> Finding:
    """The finding; `shown` yields the theorem that what is left open makes no difference, if there is one.

    Raises DisagreementError if a diverging deal does not replay.
    """
    comparison = compared(subject)
    parting = comparison.partings.get(matter)
    if parting is not None:
        return _refuted(check, subject, parting)
    elsewhere = ties_before(subject)
    if elsewhere:
        message = "a tie that is left open before the deal may decide it"
        details = tuple(f"left open: which of two tied players goes first ({at(span)})" for span in elsewhere)
        return subject.finding(
            check, Verdict.UNDECIDED, Method.STATIC, message, where=elsewhere[0], details=details
        )
    if not comparison.opened:
        method = Method.SMT if comparison.solver_asked or matter == "amounts" else Method.STATIC
        theorem = kernel.static(check.proved, comparison.opened)
        return subject.finding(check, kernel.verdict(theorem), method, check.proved)
    if all(rule for rule, _ in comparison.opened) and (makes_none := shown()) is not None:
        message = f"{check.proved}, under every reading"
        return subject.finding(check, kernel.verdict(makes_none), Method.SMT, message)
    if comparison.unreached.get(matter):
        message = "what is left open matters in deals to which no match was found to lead"
        return subject.finding(
            check, Verdict.UNDECIDED, Method.SIMULATION, message, details=tuple(_open(comparison))
        )
    if comparison.limits and not comparison.hands:
        message = "the engine gave up in every deal that was tried"
        details = (*_open(comparison), *limits_met(comparison.limits))
        return subject.finding(check, Verdict.UNDECIDED, Method.SIMULATION, message, cases=0, details=details)
    if not comparison.hands:
        message = "no deal was found in which to try what is left open"
        return subject.finding(
            check, Verdict.UNDECIDED, Method.SIMULATION, message, cases=0, details=tuple(_open(comparison))
        )
    before = "each the second of a match" if comparison.first_only else "after every possible earlier result"
    message = f"what is left open made no difference in {comparison.hands:,} deals, {before}"
    finding = subject.finding(check, Verdict.TESTED, Method.SIMULATION, message, cases=comparison.hands)
    return replace(finding, details=(*_open(comparison), *limits_met(comparison.limits)))


def _open(comparison: Compared) -> list[str]:
    return [
        f"left open: `{rule}`" if rule else "left open: which of two tied players goes first"
        for rule, _ in comparison.opened
    ]


def _refuted(check: Check, subject: Subject, parting: Parting) -> Finding:
    first, second = parting.ways
    match = written(subject.ruleset, parting.hand)
    again = replayed_match(subject.ruleset, match).state
    if held(again) != held(parting.hand.state):
        raise DisagreementError(
            f"{subject.ruleset.id}: the witness of `{check.name}` does not replay to the same violation"
        )
    readings = dict.fromkeys(second.readings, 0)
    standard = " and ".join(f"`{name}`" for name in subject.reading_names(readings)) or first.says
    what = "who gives how many to whom" if parting.matter == "amounts" else "the order of the exchange"
    finding = subject.finding(
        check,
        kernel.refuted(check.name, kernel.Form.TWO_RUNS, runs=match),
        Method.ENUMERATION,
        f"{what} is left open, and it matters: {standard} and {second.says} lead to different exchanges",
        match=match,
        readings=(*subject.reading_names(readings), *subject.reading_names(dict(second.readings))),
    )
    return replace(finding, details=(f"with {second.says}: {_told(parting.other.state)}",))


def _told(state: StateView) -> str:
    """The hands when play starts."""
    deck = state.program.deck
    hands = [
        " ".join(deck.cards[x] for x in sorted(state.cards("hand", p))) for p in range(state.program.players)
    ]
    return "; ".join(f"player {p} holds {hand}" for p, hand in enumerate(hands))
