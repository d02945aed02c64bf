"""Bounds of carried numbers that hold whenever a deal begins, such as a hand size that grows up to 7.

Houdini-style: proposes the bounds that the numbers in the rules suggest, and drops what some deal does not
preserve until nothing is dropped. They hold if the deals before went as assumed (`PlayOutcome`), which the
proof that supposes them shows of each deal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer
from trickproof.proofs.smt.symbolic_values import Bool, Symbol, constants
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.hand_summary import (
    Settlement,
    Transition,
    carried_keys,
    transitions,
    unknown_name,
)
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key

MOST = 60
"""Maximum number of bounds that are tried."""


class Claim(Protocol):
    """Something that may hold of carried values."""

    def holds(self, values: Mapping[Key, Symbol]) -> Bool: ...


L = TypeVar("L", bound=Claim)
Supposed = Callable[[Mapping[Key, Symbol]], Iterable[Bool]]


@dataclass(frozen=True, slots=True)
class Limit:
    """A carried value is at least, at most or equal to a constant."""

    key: Key
    operator: str
    value: int | bool

    def holds(self, values: Mapping[Key, Symbol]) -> Bool:
        """Whether it holds of these values."""
        value = values[self.key]
        if self.operator == "=":
            return y.equal(value, self.value)
        assert y.is_number(value)
        return y.compare(self.operator, value, self.value)


def bounds(settlement: Settlement, read: Collection[str]) -> tuple[tuple[Limit, ...], Theorem | None]:
    """Bounds of what these carried variables, and what they depend on, hold when a deal begins; with the theorem."""
    try:
        steps, start = transitions(settlement), settlement.start()
    except NotEncodedError:
        return (), None
    variables = settlement.program.variables
    numbers = {
        unknown_name(key): key for key in carried_keys(settlement) if variables[key[0]].type == c.INTEGER
    }
    keys, frontier = set[Key](), {key for key in numbers.values() if key[0] in read}
    while frontier:
        keys |= frontier
        named = constants(*(step.following[key] for step in steps for key in frontier))
        frontier = {numbers[name] for name in named if name in numbers} - keys
    limits = _suggested(settlement, {key: value for key in keys if isinstance(value := start[key], int)})
    return inductive(settlement, steps, limits) if len(limits) <= MOST else ((), None)


def _suggested(settlement: Settlement, begun: Mapping[Key, int]) -> list[Limit]:
    """Bounds at what the numbers begin with, and at or beside the numbers in the rules."""
    nodes = walk(settlement.after, settlement.program.between)
    literals = (node.value for node in nodes if isinstance(node, c.Literal) and node.type == c.INTEGER)
    written = {n for n in (*literals, *settlement.parameters.values()) if isinstance(n, int)}
    beside = sorted({n + by for n in written for by in (-1, 0, 1)})
    suggested = []
    for key, value in sorted(begun.items(), key=str):
        suggested += [Limit(key, ">=", n) for n in dict.fromkeys((value, *beside)) if n <= value]
        suggested += [Limit(key, "<=", n) for n in dict.fromkeys((value, *beside)) if n >= value]
    return suggested


def inductive(
    settlement: Settlement,
    steps: Sequence[Transition],
    limits: Sequence[L],
    besides: Supposed = lambda _: (),
    shown: Sequence[Theorem] = (),
) -> tuple[tuple[L, ...], Theorem | None]:
    """The limits left when all that some deal breaks are dropped, with the theorem that they hold when a deal begins.

    What is supposed `besides` of the values that a deal begins with is `shown`. There are none if the solver gave up.
    """
    start = settlement.start()
    while limits:
        theorems, broken = _preserved(settlement, steps, limits, besides)
        limits = [limit for limit in limits if limit not in broken]
        if broken:
            continue
        begins = settlement.solver().excluding(y.neg(y.conj(*(limit.holds(start) for limit in limits))))
        if begins is None or len(theorems) < len(steps):
            break
        return tuple(limits), kernel.invariant("the limits hold", len(steps), begins, theorems, shown)
    return (), None


def _preserved(
    settlement: Settlement, steps: Sequence[Transition], limits: Sequence[L], besides: Supposed
) -> tuple[list[Theorem], list[L]]:
    """For each deal the theorem that it preserves the limits, and those that the first deal without one breaks."""
    theorems: list[Theorem] = []
    for step in steps:
        questions, begin = settlement.solver(), step.hand.begin
        held = (limit.holds(begin) for limit in limits)
        questions.add(*step.hand.facts, *besides(begin), *held, step.goes_on)
        passed = y.disj(*(y.neg(limit.holds(step.following)) for limit in limits))
        answer = questions.possible(passed)
        if answer is Answer.NO and questions.theorem is not None:
            theorems.append(questions.theorem)
            continue
        if answer is Answer.GAVE_UP:
            return theorems, []
        with questions.supposing(passed):
            if not questions.model():
                return theorems, []
            return theorems, [limit for limit in limits if not questions.truth(limit.holds(step.following))]
    return theorems, []
