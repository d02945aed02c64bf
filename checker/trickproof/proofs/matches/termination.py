"""Whether every match is over within a known number of deals, for all deals and choices.

Shown by unrolling matches until none continues (`lasso.py`), by a ranking function (`ranking_function.py`),
or by enumerating the values that the end depends on if they are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from trickproof.checking.verdict import Method
from trickproof.english.inflection import counted
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Rule, Theorem
from trickproof.proofs.matches.lasso import AllEnd, lasso
from trickproof.proofs.model_checking.bounded_model_checking import Trace
from trickproof.proofs.model_checking.case_split import OVER_AT_START, no_deal
from trickproof.proofs.model_checking.ranking_function import Ranking, ranking
from trickproof.proofs.model_checking.transition_system import cone
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import PATIENCE, Answer, recorded_once
from trickproof.proofs.smt.symbolic_values import Members, Symbol
from trickproof.proofs.symbolic.hand_summary import Settlement, Transition, transitions
from trickproof_dsl.semantics.values import Key, Value

State = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class FewStates:
    """The states in which deals can begin, as values of `keys`, each with those in which the next can."""

    keys: tuple[Key, ...]
    following: Mapping[State, frozenset[State]]


@dataclass(frozen=True, slots=True)
class Surely:
    """Every match is over within `deals` deals; `why` puts the argument into words unless it is plain enumeration.

    `by` is what shows it; None if there is no deal at all.
    """

    deals: int
    theorem: Theorem
    why: str = ""
    by: AllEnd | Ranking | FewStates | None = None

    @property
    def method(self) -> Method:
        """The proof method."""
        methods = {Rule.UNROLL: Method.SMT, Rule.RANK: Method.INDUCTION}
        return methods.get(self.theorem.rule, Method.ENUMERATION)

    @property
    def message(self) -> str:
        """The claim in words."""
        if self.deals == 0:
            return OVER_AT_START
        within = f"every match ends within {counted(self.deals, 'deal')}"
        return f"{within}: {self.why}" if self.why else within


def surely(settlement: Settlement) -> Surely | None:
    """The answer for one choice of parameters and readings; None if it is not shown."""
    return recorded_once(settlement.subject, _surely, settlement)


def _surely(settlement: Settlement) -> Surely | None:
    if settlement.over_at_start:
        return Surely(0, no_deal(OVER_AT_START))
    outcome = next(lasso(settlement))
    if isinstance(outcome, AllEnd):
        return Surely(outcome.hands, outcome.theorem, by=outcome)
    if isinstance(outcome, Trace):
        return None
    why = ranking(settlement)
    if why is not None:
        return Surely(why.hands, why.theorem, why.reason, why)
    return _in_few_states(settlement)


SHORT = 3
"""Number of deals up to which unrolling them is the simplest proof; a longer one takes other solvers much longer."""


def simplest(settlement: Settlement) -> AllEnd | Ranking | FewStates | None:
    """What shows that every match ends, by questions about few deals at a time if possible; None if nothing does."""
    shown = surely(settlement)
    if shown is None or not isinstance(shown.by, AllEnd) or shown.by.hands <= SHORT:
        return None if shown is None else shown.by
    return ranking(settlement) or shown.by


# ------------------------------------------------------------------------------------------ few carried values

MOST_STATES = 100
"""Maximum number of states that are enumerated, and (`MOST_NEXT`) of successors of one state."""
MOST_NEXT = 12


def _in_few_states(settlement: Settlement) -> Surely | None:
    """The length of the longest match; None if the states that its end depends on are too many or recur."""
    steps = {step.dealer: step for step in transitions(settlement)}
    keys, start = cone(settlement, steps.values()), settlement.start()
    symbols = [step.following[key] for step in steps.values() for key in keys]
    if any(isinstance(symbol, Members) or symbol is y.OPAQUE for symbol in symbols):
        return None
    begun = tuple(_known(start[key]) for key in keys)
    nexts: dict[State, tuple[frozenset[State], Theorem]] = {}
    waiting = [begun]
    while waiting:
        state = waiting.pop()
        if state not in nexts:
            following = _following(settlement, steps, keys, state) if len(nexts) < MOST_STATES else None
            if following is None:
                return None
            nexts[state] = following
            waiting += following[0]
    graph = {state: states for state, (states, _) in nexts.items()}
    try:
        deals = sum(1 for _ in _levels(begun, graph))
    except CycleError:
        return None
    theorem = kernel.unroll_states("no match goes through a state twice", begun, nexts)
    return Surely(deals, theorem, by=FewStates(tuple(keys), graph))


def _known(symbol: Symbol) -> Value:
    assert symbol is None or isinstance(symbol, int)
    return symbol


def _levels(begun: State, nexts: Mapping[State, frozenset[State]]) -> Iterator[frozenset[State]]:
    """The states before the first deal, before the second, and so on. Raises CycleError if a state can recur."""
    TopologicalSorter(nexts).prepare()
    level = frozenset([begun])
    while level:
        yield level
        level = frozenset().union(*(nexts[state] for state in level))


def _following(
    settlement: Settlement, steps: Mapping[int | None, Transition], keys: Sequence[Key], state: State
) -> tuple[frozenset[State], Theorem] | None:
    """The states with which a match can continue after a deal that begins in this one, and that there are no others.

    None if they are too many or unknown.
    """
    carried = dict(zip(keys, state, strict=True))
    dealer = carried.get(("dealer",))
    step = steps.get(dealer if isinstance(dealer, int) else None) or steps.get(None)
    if step is None:
        return None
    questions = settlement.solver(PATIENCE)
    same = [y.equal(step.hand.begin[key], value) for key, value in carried.items()]
    questions.add(*step.hand.facts, *same, step.goes_on)
    following = set[State]()
    while (answer := questions.possible()) is Answer.YES and len(following) < MOST_NEXT:
        if not questions.model():
            return None
        values = tuple(questions.concrete(step.following[key]) for key in keys)
        following.add(values)
        again = (y.equal(step.following[key], value) for key, value in zip(keys, values, strict=True))
        questions.add(y.neg(y.conj(*again)))
    return (
        None
        if answer is not Answer.NO or questions.theorem is None
        else (frozenset(following), questions.theorem)
    )
