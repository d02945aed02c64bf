"""Bounds of carried numbers that hold whenever a deal begins, such as a hand size that grows up to 7.

Houdini-style: proposes the bounds that the numbers in the rules suggest, and drops what some deal does not
preserve until nothing is dropped. They hold if the deals before went as assumed (`PlayOutcome`), which the
proof that supposes them shows of each deal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer
from trickproof.proofs.smt.symbolic_values import Bool, Symbol, constants
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement, carried_keys, unknown_name
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key

MOST = 60
"""Maximum number of bounds that are tried."""


Step = tuple[Hand, Mapping[Key, Symbol], Bool]
"""A deal, what the next one begins with, and when the rules fail between them."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A carried number is at least or at most a constant."""

    key: Key
    operator: str
    number: int

    def holds(self, values: Mapping[Key, Symbol]) -> Bool:
        """Whether it holds of these values."""
        value = values[self.key]
        assert y.is_number(value)
        return y.compare(self.operator, value, self.number)


def bounds(settlement: Settlement, read: Collection[str]) -> tuple[tuple[Bound, ...], Theorem | None]:
    """Bounds of what these carried variables, and what they depend on, hold when a deal begins; with the theorem."""
    try:
        deals, start = [settlement.anywhere(dealer) for dealer in settlement.dealers], settlement.start()
    except NotEncodedError:
        return (), None
    steps = [(deal, *settlement.following(deal)) for deal in deals]
    variables = settlement.program.variables
    numbers = {
        unknown_name(key): key for key in carried_keys(settlement) if variables[key[0]].type == c.INTEGER
    }
    keys, frontier = set[Key](), {key for key in numbers.values() if key[0] in read}
    while frontier:
        keys |= frontier
        named = constants(*(following[key] for _, following, _ in steps for key in frontier))
        frontier = {numbers[name] for name in named if name in numbers} - keys
    left = _suggested(settlement, {key: value for key in keys if isinstance(value := start[key], int)})
    while left and len(left) <= MOST:
        preserved, lost = _preserved(settlement, steps, left)
        if not lost:
            begins = settlement.solver().excluding(y.neg(y.conj(*(bound.holds(start) for bound in left))))
            if begins is None or len(preserved) < len(steps):
                break
            return tuple(left), kernel.invariant("the bounds hold", len(deals), begins, preserved)
        left = [bound for bound in left if bound not in lost]
    return (), None


def _suggested(settlement: Settlement, begun: Mapping[Key, int]) -> list[Bound]:
    """Bounds at what the numbers begin with, and at or beside the numbers in the rules."""
    nodes = walk(settlement.after, settlement.program.between)
    literals = (node.value for node in nodes if isinstance(node, c.Literal) and node.type == c.INTEGER)
    written = {n for n in (*literals, *settlement.parameters.values()) if isinstance(n, int)}
    beside = sorted({n + by for n in written for by in (-1, 0, 1)})
    suggested = []
    for key, value in sorted(begun.items(), key=str):
        suggested += [Bound(key, ">=", n) for n in dict.fromkeys((value, *beside)) if n <= value]
        suggested += [Bound(key, "<=", n) for n in dict.fromkeys((value, *beside)) if n >= value]
    return suggested


def _preserved(
    settlement: Settlement, steps: Sequence[Step], supposed: Sequence[Bound]
) -> tuple[list[Theorem], list[Bound]]:
    """For each dealer the theorem that a deal preserves the bounds, and those that the first deal without one breaks."""
    theorems: list[Theorem] = []
    for deal, following, interrupted in steps:
        questions = settlement.solver()
        questions.add(*deal.facts, *(bound.holds(deal.begin) for bound in supposed))
        questions.add(y.neg(deal.ended), y.neg(deal.broken), y.neg(interrupted))
        broken = y.disj(*(y.neg(bound.holds(following)) for bound in supposed))
        answer = questions.possible(broken)
        if answer is Answer.GAVE_UP:
            break
        if answer is Answer.YES:
            with questions.supposing(broken):
                questions.model()
                return [], [x for x in supposed if not questions.truth(x.holds(following))]
        if questions.theorem is not None:
            theorems.append(questions.theorem)
    return theorems, []
