"""The transition of one deal as steps of a certificate, one for each dealer and each choice of parameters and readings.

A step holds, as named terms, the carried values that a deal begins with, the values after it,
those that the next deal begins with, and the conditions under which the match ends or the rules fail at run
time. The verifier builds the claims about steps itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import product

from trickproof.analysis.parameter_classes import first_alike
from trickproof.certificates.conditions import Conditions, NotStatedError
from trickproof.certificates.matches import about_steps, name_of
from trickproof.proofs.matches.lasso import AllEnd
from trickproof.proofs.matches.termination import FewStates
from trickproof.proofs.matches.verdicts import settled
from trickproof.proofs.model_checking.induction import balanced
from trickproof.proofs.model_checking.ranking_function import Ranking
from trickproof.proofs.model_checking.transition_system import as_term
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.parts import Parts
from trickproof.proofs.smt.symbolic_values import Bool, Cases, Members, Symbol
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c
from trickproof_dsl.semantics.expressions import value_in
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.values import Key

Json = dict[str, object]

OF_STEPS = ("zero-sum", "unique-winner", "no-fault")
"""Checks that are shown for each step, in addition to those shown within a deal."""


@dataclass(frozen=True, slots=True)
class Step:
    """A deal from an arbitrary state by one dealer, and what the next deal begins with."""

    settlement: Settlement
    parameters: Mapping[str, int]
    dealer: int | None
    hand: Hand
    following: Mapping[Key, Symbol]
    interrupted: Bool

    @property
    def nameless(self) -> Bool:
        """When it cannot be determined whether the match ends, or who has won."""
        rules_at = self.settlement.subject.rules_at
        return y.disj(*(when for when, span in self.hand.faults if {"end", "winner"} & set(rules_at(span))))

    def roots(self) -> Iterator[Symbol]:
        """Every term of the step."""
        hand = self.hand
        yield from (*hand.facts, hand.ended, hand.over, hand.broken)
        yield from (self.interrupted, self.nameless)
        yield from (when for _, when in hand.winners.of)
        for values in (hand.begin, hand.after, self.following):
            yield from _plain(values).values()


def steps(subject: Subject) -> list[Step]:
    """All steps of a ruleset. Raises NotEncodedError and GapError."""
    listed, alike = [], first_alike(subject.program)
    for settlement in settled(subject):
        taken = settlement.parameters
        values = ([x for x, first in alike[name].items() if first == of] for name, of in taken.items())
        choices = [dict(zip(taken, choice, strict=True)) for choice in product(*values)]
        for dealer in settlement.dealers:
            hand = settlement.anywhere(dealer)
            after = settlement.following(hand)
            listed += [Step(settlement, choice, dealer, hand, *after) for choice in choices]
    return listed


def written(step: Step, parts: Parts) -> Json:
    """The fields of the certificate node for a step."""
    hand = step.hand
    return {
        "parameters": step.parameters,
        "readings": step.settlement.readings,
        "dealer": step.dealer,
        "facts": [parts.name(fact) for fact in hand.facts if fact is not True],
        "begin": _values(hand.begin, parts),
        "after": _values(hand.after, parts),
        "following": _values(step.following, parts),
        "ended": parts.name(hand.ended),
        "over": parts.name(hand.over),
        "broken": parts.name(hand.broken),
        "interrupted": parts.name(step.interrupted),
        "nameless": parts.name(step.nameless),
        "winners": {str(player): parts.name(when) for player, when in hand.winners.of},
    }


def states(listed: Sequence[Step], name: str, held: bool) -> bool:
    """Whether the verifier can state an invariant of all steps by itself; `held` if it is assumed of their beginnings."""
    return all(_states(step, name, held) for step in listed)


def held_at_start(step: Step, condition: c.Expr) -> bool:
    """Whether a condition holds when the first deal of a match begins, according to the reference."""
    try:
        return value_in(step.settlement.at_start(), condition) is True
    except (FaultError, EngineLimitError, NotEncodedError):
        return False


def _states(step: Step, name: str, held: bool) -> bool:
    program, settlement = step.settlement.program, step.settlement
    chosen = {**settlement.parameters, **settlement.readings}
    every = [step.hand.after, *([step.hand.begin, step.following] if held else [])]
    try:
        for values in every:
            named = {name_of(key): "x" for key in _plain(values)}
            Conditions(program, chosen, named).holds(program.invariants[name].condition)
    except NotStatedError:
        return False
    return about_steps(program, name, held)


def sums(listed: Sequence[Step]) -> list[str]:
    """The variables whose sum is proved to stay zero in all settlements."""
    names = [set(balanced(step.settlement).sums) for step in listed if not step.settlement.over_at_start]
    return sorted(set.intersection(*names)) if names else []


def ending(by: AllEnd | Ranking | FewStates | None) -> tuple[str, Json]:
    """The rule and the fields of the certificate node that shows that every match ends; None if there is no deal at all."""
    match by:
        case None:
            return "unroll", {"deals": 0}
        case AllEnd():
            return "unroll", {"deals": by.hands}
        case Ranking():
            bound = -by.bound if by.falls else by.bound
            number: Json = {"sum": [name_of(key) for key in by.keys], "falls": by.falls}
            return "rank", {**number, "grows": by.step, "rounds": by.rounds, "bound": bound, "kept": by.kept}
    listed = list(TopologicalSorter(by.following).static_order())[::-1]
    number_of = {state: number for number, state in enumerate(listed)}
    following = [sorted(number_of[state] for state in by.following[of]) for of in listed]
    keys = [name_of(key) for key in by.keys]
    return "states", {"keys": keys, "states": [list(state) for state in listed], "following": following}


def _plain(values: Mapping[Key, Symbol]) -> dict[Key, Symbol]:
    """Numbers, truth values and finite values as one term each, omitting cards and sets."""
    return {
        key: as_term(value) if isinstance(value, Cases) else value
        for key, value in values.items()
        if value is not y.OPAQUE and not isinstance(value, Members) and (value is None or _is_term(value))
    }


def _is_term(value: Symbol) -> bool:
    return isinstance(value, Cases) or y.is_number(value) or y.is_truth(value)


def _values(values: Mapping[Key, Symbol], parts: Parts) -> Json:
    return {name_of(key): _value(value, parts) for key, value in sorted(_plain(values).items(), key=str)}


def _value(value: Symbol, parts: Parts) -> object:
    """A known value as itself (nobody is -1), otherwise the name of its term."""
    if value is None:
        return -1
    return value if isinstance(value, bool | int) else parts.name(value)
