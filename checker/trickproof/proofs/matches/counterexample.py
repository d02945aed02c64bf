"""Concrete matches from symbolic ones: every deal dealt and played with cards, each continuing from the one before.

The solver gives the tricks that each player takes; `construct` finds deals and plays; the interpreter alone
determines the values carried from deal to deal, which must agree with the solver's. The finished match is
replayed from its written form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from trickproof.analysis.live_variables import CARDS, lasting
from trickproof.analysis.usage import SUMS, usage_of
from trickproof.checking.engines import State
from trickproof.checking.played_hand import HandPlayed, following_hand
from trickproof.checking.verdict import DisagreementError, Method
from trickproof.proofs.hands.verdicts import may_fail, proved
from trickproof.proofs.kernel import Form
from trickproof.proofs.matches.always_reachable import Never
from trickproof.proofs.model_checking.bounded_model_checking import Trace
from trickproof.proofs.model_checking.case_split import Case
from trickproof.testing.deal_search import Aim, construct
from trickproof.testing.edge_cases import cut_short
from trickproof.testing.witness import MOST_DEALS, replayed_match, written
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.scenarios.json_values import Json
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.machine import begin
from trickproof_dsl.semantics.values import Key, Value, carried

Carried = Mapping[Key, Value]

Shows = Callable[[State], str | None]
"""Recognises in a finished deal what a witness must show and describes it; None if it is not there."""


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """The deals in scenario format, and a description of how the last one ends."""

    hands: tuple[dict[str, Json], ...]
    shown: str


def made_of_cards(way: Trace, shows: Shows) -> MatchPlayed | None:
    """The match with cards; None if no deal and play was found for one of its deals.

    Also None if the interpreter gives up, or if a deal that may stop early leads somewhere else. Raises
    DisagreementError if the interpreter and the solver disagree.
    """
    try:
        return _made_of_cards(way, shows)
    except EngineLimitError:
        return None
    except DisagreementError:
        if way.settlement.stops or way.settlement.bare is not None:
            return None
        raise


def _made_of_cards(way: Trace, shows: Shows) -> MatchPlayed | None:
    if way.hands > MOST_DEALS:
        return None
    ruleset = way.settlement.subject.ruleset
    before: HandPlayed | None = None
    begins: list[Carried] = []
    for number in range(way.hands):
        begun = _start(way) if before is None else _next(way, number - 1, before.state)
        if begun is None:
            return None
        begins.append(begun)
        before = _hand(way, number, begins, shows, before)
        if before is None:
            return None
    assert before is not None
    match = written(ruleset, before)
    again = replayed_match(ruleset, match)
    for number, (mine, theirs) in enumerate(zip(before.match, again.match, strict=True)):
        if _carried(mine.state) != _carried(theirs.state):
            raise _disagreement(way, number, "ends in another state when it is replayed")
    shown = shows(_settled(again.state))
    if not _comes_back(way, begins, again.state):
        kinds = way.settlement.program.variables
        if any(kinds[name].carried for name in _not_followed(way)):
            return None
        raise _disagreement(way, way.hands - 1, "does not return to the state where the loop begins")
    if shown is None:
        raise _disagreement(way, way.hands - 1, "does not show what the solver found when it is replayed")
    return MatchPlayed(match, shown)


def _start(way: Trace) -> Carried | None:
    """What the match begins with, if it agrees with the trace."""
    settlement = way.settlement
    begun = _carried(begin(settlement.program, Chance(), settlement.parameters, settlement.readings))
    symbolic = way.begins[0]
    return begun if all(symbolic.get(key, value) == value for key, value in begun.items()) else None


def _hand(
    way: Trace, number: int, begins: Sequence[Carried], shows: Shows, before: HandPlayed | None
) -> HandPlayed | None:
    """One deal with the tricks, and the decisions before the play, that the solver gives."""
    settlement, last = way.settlement, number + 1 == way.hands
    decided = {
        key: value for key, value in way.afters[number].items() if key[0] in settlement.reckoned - {"target"}
    }

    def fits(state: State) -> bool:
        if not last:
            return _agrees(way, number, state)
        return shows(_settled(state)) is not None and _comes_back(way, begins, state)

    subject = settlement.subject
    played_out = settlement.outcome.fixed_total and proved(subject, "hand-size") and not may_fail(subject)
    open_end = bool(decided or _guessed(way) or settlement.bare is not None) or not played_out
    open_end = open_end or way.leads_to is not None
    aim = Aim(decided, fits) if open_end else None
    tricks = way.tricks[number]
    ruleset = settlement.subject.ruleset
    if way.stopped[number]:
        return cut_short(ruleset, (settlement.parameters, settlement.readings), fits, before)
    return construct(ruleset, settlement.parameters, settlement.readings, {}, tricks, aim, before)


def _guessed(way: Trace) -> frozenset[str]:
    """Variables that the solver chose freely, because they are set during play or depend on cards, and that matter afterwards or to a claim."""
    settlement = way.settlement
    stated = (x.condition for x in settlement.program.invariants.values())
    later = usage_of(settlement.after, settlement.program.between, *stated).reads
    by_cards = any(isinstance(node, CARDS) for node in walk(*settlement.matters.nodes))
    reckoned = frozenset() if by_cards else settlement.reckoned
    return (settlement.set_before & later.union(SUMS)) - reckoned - {"tricks", "hand-size"}


def _settled(state: State) -> State:
    """A finished deal, continued to the end of the match if the match ends before the next deal."""
    if state.fault is not None or state.match_over or not state.hand_over:
        return state
    following = following_hand(state)
    return following if isinstance(following, State) and following.match_over else state


def _next(way: Trace, number: int, state: State) -> Carried | None:
    """What the next deal begins with according to the interpreter; None if the choices made differ from the solver's.

    The solver does not follow choices before the play that do not matter for the settlement, nor what they set.
    """
    if not _agrees(way, number, state):
        if way.settlement.matters.choices or _agrees(way, number, state, _not_followed(way)):
            return None
        raise _disagreement(way, number, "is followed by another deal than the solver says")
    return _carried_on(state)


def _not_followed(way: Trace) -> frozenset[str]:
    """Variables set before the play by steps that the solver leaves out."""
    return way.settlement.set_before - way.settlement.matters.names


def _agrees(way: Trace, number: int, state: State, but: frozenset[str] = frozenset()) -> bool:
    """Whether the match continues from a deal as the solver says, except for some variables."""
    after = _carried_on(state)
    if after is None:
        return False
    symbolic = way.begins[number + 1]
    return all(symbolic.get(key, value) == value for key, value in after.items() if key[0] not in but)


def _comes_back(way: Trace, begins: Sequence[Carried], state: State) -> bool:
    """Whether a loop returns to its first deal in everything that matters, and a match leads to what is claimed."""
    if way.loop_from is None and way.leads_to is None:
        return True
    after = _carried_on(state)
    if after is None:
        return False
    if way.leads_to is not None and any(way.leads_to.get(key, x) != x for key, x in after.items()):
        return False
    if way.loop_from is None:
        return True
    names, first = lasting(way.settlement.program) - way.drifting, begins[way.loop_from]
    return all(value == first[key] for key, value in after.items() if key[0] in names)


def _carried_on(state: State) -> dict[Key, Value] | None:
    """What the next deal begins with; None if there is none."""
    if state.fault is not None or state.match_over:
        return None
    following = following_hand(state)
    return None if isinstance(following, State) else _carried(following.begin)


def _carried(state: State) -> dict[Key, Value]:
    return carried(state.program, state.variables)


def _disagreement(way: Trace, number: int, what: str) -> DisagreementError:
    ruleset, tricks = way.settlement.subject.ruleset.id, way.tricks[number]
    return DisagreementError(f"{ruleset}: deal {number + 1}, with tricks {tricks}, {what}")


def goes_on(state: State) -> str | None:
    """Recognises a match that is not yet over and in which no rule has failed."""
    return None if state.match_over or state.fault is not None else ""


def never(answer: Never, message: str) -> Case:
    """No match ends: with a match that continues as a witness, if there are cards for it."""
    way, theorem = answer.way, answer.theorem
    if way is None or made_of_cards(way, goes_on) is None:
        return Case(Form.THEOREM, Method.INDUCTION, message, theorem=theorem)
    form = Form.RUN_AND_THEOREM
    return Case(form, Method.INDUCTION, message, way.hands, iter([way]), goes_on, theorem=theorem)
