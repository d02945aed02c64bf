"""Invariants of the carried values at the start of every deal: sums that stay zero, bounds, and multiples.

Houdini-style: proposes that every number stays on one side of its initial value and every Boolean keeps its
initial value, drops what some deal violates until nothing more is dropped, and so proves the rest by
induction over deals.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from trickproof.proofs.matches.bounded_model_checking import invariant_sums
from trickproof.proofs.matches.transition_system import Transition, as_term, cone, transitions
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key

MOST_NUMBERS = 8
"""Maximum number of integers in the rules that are used to suggest bounds and multiples."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A carried value is at least, at most or equal to a constant."""

    key: Key
    operator: str
    value: int | bool

    def holds(self, values: Mapping[Key, Symbol]) -> Bool:
        value = values[self.key]
        if self.operator == "=":
            return y.equal(value, self.value)
        assert y.is_number(value)
        return y.compare(self.operator, value, self.value)


@dataclass(frozen=True, slots=True)
class Multiple:
    """A carried number differs from its initial value by a multiple of a constant."""

    key: Key
    start: int
    modulus: int

    def holds(self, values: Mapping[Key, Symbol]) -> Bool:
        return y.equal((as_term(values[self.key]) - self.start) % self.modulus, 0)


@dataclass(frozen=True, slots=True)
class Region:
    """A set of carried values that contains those at the start of every deal."""

    sums: tuple[str, ...]
    limits: tuple[Limit | Multiple, ...] = ()

    def holds(self, values: Mapping[Key, Symbol]) -> list[Bool]:
        zero = [y.total(x for key, x in values.items() if key[0] == name) for name in self.sums]
        return [
            *(y.compare("=", total, 0) for total in zero),
            *(limit.holds(values) for limit in self.limits),
        ]

    def begins(self, hand: Hand) -> Bool:
        """Whether a deal begins within the region."""
        return y.conj(*self.holds(hand.begin))


def plain_region(settlement: Settlement) -> Region:
    """The region given by sums only."""
    return Region(invariant_sums(settlement))


def region_with_limits(settlement: Settlement) -> Region:
    """The region given by sums and inductive bounds (no bounds if the solver gave up)."""
    return _region(settlement, ())


def region_with_numbers(settlement: Settlement, terms: Collection[Bool] = ()) -> Region:
    """The region given by sums, bounds, and what the numbers in the rules suggest: multiples of them and bounds just short of them.

    Bounds are tried for the values on which the end of the match or `terms` depend.
    """
    nodes = walk(settlement.after, settlement.program.between)
    literals = (node.value for node in nodes if isinstance(node, c.Literal) and node.type == c.INTEGER)
    numbers = {abs(n) for n in (*literals, *settlement.parameters.values()) if isinstance(n, int)}
    return _region(settlement, sorted(n for n in numbers if n >= 2)[:MOST_NUMBERS], terms)


def _region(settlement: Settlement, numbers: Sequence[int], terms: Collection[Bool] = ()) -> Region:
    steps = transitions(settlement)
    start = settlement.start()
    limits: list[Limit | Multiple] = []
    for key in cone(settlement, steps, terms):
        value, kind = start[key], settlement.program.variables[key[0]].type.kind
        if isinstance(value, bool):
            limits.append(Limit(key, "=", value))
        elif kind == "integer" and isinstance(value, int):
            limits += [Limit(key, ">=", value), Limit(key, "<=", value)]
            for number in numbers:
                limits.append(Multiple(key, value, number))
                limits += [Limit(key, ">=", 1 - number)] if value > -number else []
                limits += [Limit(key, "<=", number - 1)] if value < number else []
    region = Region(invariant_sums(settlement), tuple(limits))
    while region.limits:
        broken = next((b for step in steps if (b := _broken(settlement, step, region)) != []), [])
        if broken is None:
            return Region(region.sums)
        if not broken:
            break
        region = Region(region.sums, tuple(limit for limit in region.limits if limit not in broken))
    return region


def _broken(settlement: Settlement, step: Transition, region: Region) -> list[Limit | Multiple] | None:
    """The bounds that some deal violates although all of them held before it; None if the solver gave up."""
    questions = settlement.solver()
    questions.add(*step.hand.facts, *region.holds(step.hand.begin), step.goes_on)
    passed = y.disj(*(y.neg(limit.holds(step.following)) for limit in region.limits))
    answer = questions.possible(passed) if passed is not False else Answer.NO
    if answer is Answer.GAVE_UP:
        return None
    if answer is Answer.NO:
        return []
    with questions.supposing(passed):
        questions.model()
        return [limit for limit in region.limits if not questions.truth(limit.holds(step.following))]
