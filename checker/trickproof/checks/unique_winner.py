"""`unique-winner`: when the match ends, exactly one player (or one team) has won.

If two players reach the goal in the same deal, or the match is over and nobody has won, the evening ends in
an argument. It fails, for example, with

    end: {rule: some player has score >= 10}
    winner: {rule: players with score >= 10}
"""

from __future__ import annotations

from collections.abc import Iterator

from trickproof.analysis.usage import Usage, rules_at
from trickproof.checking.finding import Finding
from trickproof.checking.property import Probe
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.verdicts import proved
from trickproof.proofs.kernel import Form
from trickproof.proofs.matches.ending_faults import ENDING, ending_faults
from trickproof.proofs.matches.verdicts import decide
from trickproof.proofs.model_checking.bounded_model_checking import Trace, search
from trickproof.proofs.model_checking.case_split import Case, gave_up, no_deal
from trickproof.proofs.model_checking.exclusion import ends_within, excluded
from trickproof.proofs.model_checking.induction import prove
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer
from trickproof.proofs.smt.symbolic_values import Bool, Members
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.hand_parts import stops
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof.testing.subject import Subject
from trickproof.testing.witness import MOST_DEALS
from trickproof_dsl import core as c
from trickproof_dsl.semantics.faults import Fault
from trickproof_dsl.semantics.state_view import StateView

UNNAMED, NOBODY, WITHOUT_TEAM, TOGETHER = (
    "nobody can be named the winner",
    "nobody has won",
    "wins without the rest of the team",
    "win together",
)
"""What can be wrong when a match ends."""

ONE_WINNER = "whenever the match ends, exactly one player has won"


def _absent(usage: Usage) -> str | None:
    return None if usage.ends else "no rule ends the match"


def _wrong(state: StateView) -> str | None:
    if state.fault is not None:
        named = not _breaks(state.fault, rules_at(state.program, state.fault.span))
        return None if named else f"{UNNAMED}, as {state.fault.message}"
    if not state.match_over or state.winners in state.program.sides:
        return None
    if not state.winners:
        return f"the match ends and {NOBODY}"
    names = [str(player) for player in sorted(state.winners)]
    if len(names) == 1:
        return f"player {names[0]} {WITHOUT_TEAM}"
    return f"players {', '.join(names[:-1])} and {names[-1]} {TOGETHER}"


def _unfair(program: c.Program, winners: Members) -> Bool:
    """When the winners are not exactly one player, or one team."""
    won = dict(winners.of)
    return y.neg(
        y.disj(
            *(
                y.conj(
                    *(
                        won.get(p, False) if p in side else y.neg(won.get(p, False))
                        for p in range(program.players)
                    )
                )
                for side in program.sides
            )
        )
    )


def _claims(hand: SymbolicHand, moment: str) -> Iterator[Obligation]:
    """Claims about a match that ends before the play is over; other endings are covered by the settlement of their deals."""
    if moment == "match-ends" and any(hand.state.ending is stop for stop in stops(hand.program)):
        yield hand.claim("unique-winner", _unfair(hand.program, hand.state.winners))


def _case(settlement: Settlement) -> Case:
    if settlement.over_at_start and _wrong(settlement.at_start()) is None:
        return Case(no_deal(ONE_WINNER), Method.ENUMERATION, ONE_WINNER)
    named = not settlement.stops or proved(settlement.subject, "unique-winner")

    def event(hand: Hand) -> Bool:
        unfair = _unfair(settlement.program, hand.winners)
        if named:
            unfair = y.conj(y.neg(hand.early), unfair)
        return y.disj(ending_faults(settlement, hand), y.conj(hand.ended, y.neg(hand.broken), unfair))

    proof = prove(settlement, event, claim=ONE_WINNER)
    if proof.theorem is not None:
        if prove(settlement, lambda hand: hand.ended).answer is Answer.NO:
            return Case(Verdict.NOT_APPLICABLE, Method.SMT, "no play ends the match")
        method = Method.INDUCTION if proof.carried else Method.SMT
        return Case(proof.theorem, method, ONE_WINNER)
    outcome = next(search(settlement, event, longest=MOST_DEALS))
    if isinstance(outcome, Trace):
        after = "the first deal" if outcome.hands == 1 else f"{outcome.hands} deals"
        message = f"the match can end after {after} without exactly one winner"
        ways = search(settlement, event, longest=MOST_DEALS)
        return Case(Form.RUN, Method.SMT, message, outcome.hands, ways, _wrong)
    if outcome.never is not None:
        return Case(outcome.never, Method.SMT, ONE_WINNER)
    never = excluded(settlement, event)
    if never is not None:
        return Case(never, Method.INDUCTION, ONE_WINNER)
    if outcome.gave_up:
        return gave_up(outcome.hands)
    if not ends_within(settlement, outcome.hands):
        message = f"no match is known to end within {outcome.hands} deals; who wins later is not known"
        return Case(Verdict.UNDECIDED, Method.BOUNDED, message, outcome.hands)
    message = f"exactly one player has won whenever the match ends within {outcome.hands} deals"
    return Case(Verdict.BOUNDED, Method.BOUNDED, message, outcome.hands)


def _run(check: Check, subject: Subject) -> Finding:
    return decide(check, subject, _case)


def _breaks(fault: Fault, rules: tuple[str, ...]) -> bool:
    return bool(ENDING & set(rules))


CHECK = Check(
    "unique-winner",
    ("winner", "end"),
    run=_run,
    absent=_absent,
    probes=(Probe("match-ends", _wrong),),
    breaks=_breaks,
    labels=("end",),
    claims=_claims,
    flaws=(UNNAMED, NOBODY, WITHOUT_TEAM, TOGETHER),
)
