"""Invariants that a ruleset file states itself: each is a check of its own name.

`when: always` is evaluated before every decision, `play-starts` before the first card is played, `hand-ends`
once the deal has been scored. Write one for what your table takes for granted:

    invariants:
      scores-sum-to-zero: {rule: sum of score for players = 0, when: hand-ends, assumes: a zero-sum game}

An invariant for the start of play is proved card by card, and so is one for the end of a deal about what the
play sets; other invariants for the end of a deal are proved by induction over deals, if they are about counts,
and so are those for any time about values that only change after the play. All others are tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import cast

from trickproof.analysis.dependencies import first_part, in_play, last_part
from trickproof.analysis.usage import usage_of
from trickproof.checking.finding import Finding
from trickproof.checking.property import Moment, Probe
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check, nothing
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof.proofs.kernel import Form
from trickproof.proofs.matches.verdicts import decide
from trickproof.proofs.model_checking.bounded_model_checking import Trace, search
from trickproof.proofs.model_checking.case_split import Case, gave_up, no_deal
from trickproof.proofs.model_checking.exclusion import excluded
from trickproof.proofs.model_checking.induction import Hypothesis, prove
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.cards.card_places import Places
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.expressions import Encoder, NotEncodedError
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof.support.locations import on_one_line
from trickproof.testing.subject import Subject, tested
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.expressions import value_in
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import Key

HANDS = 8
"""Maximum number of deals of a match in which a failure is searched for."""


def invariants(program: c.Program) -> tuple[Check, ...]:
    """The checks for the invariants that a ruleset states."""
    return tuple(_check(invariant, program) for invariant in program.invariants.values())


def _of_the_play(program: c.Program) -> frozenset[str]:
    """Variables that the play sets, of which little but the tricks is known after it unless each card is followed."""
    return in_play(program) - {"tricks"}


def _check(invariant: c.InvariantCode, program: c.Program) -> Check:
    def wrong(state: StateView) -> str | None:
        try:
            return None if value_in(state, invariant.condition) else _untrue(state, invariant.condition)
        except FaultError as broken:
            return f"has no value: {broken.fault.message}"
        except EngineLimitError:
            return None

    def claims(hand: SymbolicHand, moment: str) -> Iterator[Obligation]:
        if moment == invariant.when:
            yield hand.claim(invariant.name, *hand.untrue(invariant.condition))

    in_deals = invariant.when == "play-starts" or (
        invariant.when == "hand-ends"
        and bool(
            usage_of(invariant.condition).reads
            & (_of_the_play(program) | usage_of(first_part(program)).assigns - {"tricks"})
        )
    )
    runs: dict[str, Callable[[Check, Subject], Finding]] = {
        "play-starts": decide_by_hands,
        "hand-ends": partial(_at_the_end, invariant),
        "always": partial(_always, invariant),
    }
    return Check(
        invariant.name,
        (),
        run=runs.get(invariant.when, tested),
        probes=(Probe(cast(Moment, invariant.when), wrong),),
        labels=("play",) if invariant.when == "play-starts" else (),
        claims=claims if in_deals else nothing,
        proved="holds in every deal",
        of_a_deal=in_deals,
    )


def _untrue(state: StateView, condition: c.Expr) -> str:
    """What is the case instead: the number that should be another, if the condition says that two are equal."""
    if isinstance(condition, c.Compare) and condition.operator == "=" and condition.left.type == c.INTEGER:
        left, right = (value_in(state, e) for e in (condition.left, condition.right))
        return f"{_quoted(condition.left)} is {left}, not {right}"
    return f"{_quoted(condition)} does not hold"


def _quoted(e: c.Expr) -> str:
    return f"`{on_one_line(e.span)}`"


def _settled(check: Check, subject: Subject, case: Callable[[Settlement], Case]) -> Finding:
    """The finding of what is decided between deals; its message says what is the case instead."""
    finding = decide(check, subject, case)
    return replace(finding, message=finding.message.removeprefix("fails: "))


def _at_the_end(invariant: c.InvariantCode, check: Check, subject: Subject) -> Finding:
    if check.claims is not nothing:
        finding = decide_by_hands(check, subject)
        if finding.verdict.proved or finding.verdict.refuted:
            return finding
    return _settled(check, subject, lambda settlement: _case(invariant, check, settlement))


def _always(invariant: c.InvariantCode, check: Check, subject: Subject) -> Finding:
    """Decided if it is about carried values that no step changes before the play of a deal is over, and no decision follows."""
    program, reads = subject.program, usage_of(invariant.condition).reads
    steps = (last_part(program), program.between)
    decided = any(isinstance(n, c.Choice) for n in walk(*steps))
    carried = _about_carried(program, invariant)
    if not carried or decided or reads & usage_of(first_part(program)).assigns:
        return tested(check, subject)
    return _settled(check, subject, lambda settlement: _case(invariant, check, settlement, always=True))


def _about_carried(program: c.Program, invariant: c.InvariantCode) -> bool:
    """Whether an invariant is about carried values only, and not about cards."""
    condition = invariant.condition
    cards = any(isinstance(node, c.ZoneCards) for node in walk(condition))
    return not cards and all(program.variables[name].carried for name in usage_of(condition).reads)


def lasts(program: c.Program, invariant: c.InvariantCode) -> bool:
    """Whether an invariant that holds after a deal holds when the next one begins, as it is about carried values only."""
    reads = usage_of(invariant.condition).reads
    carried = _about_carried(program, invariant)
    return carried and not reads & usage_of(*program.between).assigns


def _case(invariant: c.InvariantCode, check: Check, settlement: Settlement, always: bool = False) -> Case:
    if settlement.over_at_start:
        return Case(no_deal(check.proved), Method.ENUMERATION, check.proved)

    def untrue(variables: Mapping[Key, Symbol], places: Places | None = None) -> Bool:
        values = Encoder(settlement.environment(variables, places=places))
        holds = values.value(invariant.condition)
        return y.disj(y.neg(holds), *(when for when, _ in values.state.faults))

    def shown(hand: Hand) -> Bool:
        return y.conj(y.neg(hand.broken), untrue(hand.after, hand.places))

    def fails(hand: Hand) -> Bool:
        wrong = untrue(hand.after, hand.places)
        if always:
            following, interrupted = settlement.following(hand)
            goes_on = y.conj(y.neg(hand.ended), y.neg(interrupted))
            wrong = y.disj(wrong, y.conj(goes_on, untrue(following)))
        return y.conj(y.neg(hand.broken), wrong)

    def held(hand: Hand) -> Bool:
        """That the condition held when the deal began, if that follows from what was shown of the previous one."""
        return y.neg(untrue(hand.begin))

    lasting = always or lasts(settlement.program, invariant)
    holds_at_first = lasting and held(next(settlement.match())) is True
    if always and not holds_at_first:
        raise NotEncodedError("it may not hold when the first deal begins", invariant.span)
    hypothesis = None
    if holds_at_first:
        hypothesis = Hypothesis(held, kernel.lineage("it holds before the first deal", not holds_at_first))
    proof = prove(settlement, fails, hypothesis=hypothesis, claim=check.proved)
    if proof.theorem is not None:
        method = Method.INDUCTION if proof.carried else Method.SMT
        return Case(proof.theorem, method, check.proved)
    outcome = next(search(settlement, fails, HANDS))
    if isinstance(outcome, Trace):
        if always:  # what fails when a deal begins is shown by that deal
            outcome = next(search(settlement, shown, HANDS))
        if not isinstance(outcome, Trace):
            return Case(Verdict.UNDECIDED, Method.SMT, "fails between deals in the prover's model", HANDS)
        ways = search(settlement, shown, HANDS)
        return Case(Form.RUN, Method.SMT, "fails", outcome.hands, ways, check.probes[0].wrong)
    never = outcome.never or excluded(settlement, fails)
    if never is not None:
        return Case(never, Method.INDUCTION, check.proved)
    if outcome.gave_up:
        return gave_up(outcome.hands)
    return Case(Verdict.BOUNDED, Method.BOUNDED, f"holds in the first {outcome.hands} deals", outcome.hands)
