"""Claims about every deal of every match: one step from arbitrary carried values, of which only proved claims are supposed.

`prove` shows that an event happens in no deal. It may suppose a `Region`, whose claims are proved, and a
`Hypothesis`, which the same proof shows to be preserved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import z3

from trickproof.analysis.usage import SUMS
from trickproof.checking.verdict import DisagreementError
from trickproof.proofs import kernel
from trickproof.proofs.hands.carried_bounds import Limit
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.model_checking.bounded_model_checking import Event
from trickproof.proofs.model_checking.transition_system import as_term
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer, recorded_once
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof_dsl.semantics.values import Key


@dataclass(frozen=True, slots=True)
class Multiple:
    """A carried number differs from its initial value by a multiple of a constant."""

    key: Key
    start: int
    modulus: int

    def holds(self, values: Mapping[Key, Symbol]) -> Bool:
        return y.equal((as_term(values[self.key]) - self.start) % self.modulus, 0)


@dataclass(frozen=True, slots=True)
class Alike:
    """Two carried values are equal."""

    key: Key
    other: Key

    def holds(self, values: Mapping[Key, Symbol]) -> Bool:
        return y.equal(values[self.key], values[self.other])


@dataclass(frozen=True, slots=True)
class Region:
    """A set of carried values that contains those at the start of every deal, as the `theorems` say.

    The `sums` are of variables whose values sum to zero over their owners.
    """

    sums: tuple[str, ...] = ()
    limits: tuple[Limit | Multiple | Alike, ...] = ()
    theorems: tuple[Theorem, ...] = ()

    def holds(self, values: Mapping[Key, Symbol]) -> list[Bool]:
        """The facts about carried values in the region."""
        return [*(zero(values, name) for name in self.sums), *(limit.holds(values) for limit in self.limits)]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What the event of a proof preserves: it `holds` at the start of a deal, as in the first (`begins`).

    The event must include every way in which the next deal does not begin so.
    """

    holds: Event
    begins: Theorem


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether the event can happen in a deal; if not, the theorem, and whether it depends on carried values."""

    answer: Answer
    theorem: Theorem | None = None
    carried: bool = False


def prove(
    settlement: Settlement,
    event: Event,
    region: Region | None = None,
    hypothesis: Hypothesis | None = None,
    claim: str = "it happens in no deal",
) -> Proof:
    """Whether the event happens in a deal that begins in the region, by default that of the proved sums.

    NO means proved. Raises DisagreementError if no deal is possible at all.
    """
    region = balanced(settlement) if region is None else region
    carried, cases = False, list[tuple[Theorem, Theorem]]()
    for dealer in settlement.dealers:
        hand = settlement.anywhere(dealer)
        questions = settlement.solver()
        questions.add(*hand.domain, *region.holds(hand.begin))
        if hypothesis is not None:
            questions.add(hypothesis.holds(hand))
        answer, possible = questions.possible(), questions.theorem
        if answer is Answer.NO:
            raise DisagreementError(
                f"{settlement.subject.ruleset.id}: the assumptions of a proof contradict each other"
            )
        # these cannot hold if every deal fails before its play; then nothing happens in one
        questions.add(*hand.facts)
        happens = event(hand)
        excluded = None if possible is None else questions.excluding(happens)
        if possible is None or excluded is None:
            return Proof(Answer.GAVE_UP if questions.theorem is None else Answer.YES)
        cases.append((possible, excluded))
        carried = carried or _mentions_carried(happens)
    if hypothesis is None:
        theorem = kernel.every_deal(claim, len(settlement.dealers), cases, region.theorems)
    else:
        preserved = [excluded for _, excluded in cases]
        theorem = kernel.invariant(
            claim, len(settlement.dealers), hypothesis.begins, preserved, region.theorems
        )
    return Proof(Answer.NO, theorem, carried)


def balanced(settlement: Settlement) -> Region:
    """The region in which the carried variables in SUMS sum to zero, as far as that is shown."""
    return recorded_once(settlement.subject, _balanced, settlement)


def _balanced(settlement: Settlement) -> Region:
    variables = settlement.program.variables
    names, theorems = list[str](), list[Theorem]()
    for name in SUMS:
        if name in variables and variables[name].carried and variables[name].type.kind == "integer":
            hypothesis = starting_at_zero(settlement, (name,))
            if hypothesis is not None:
                event = partial(_unbalanced_in, settlement, name)
                step = prove(settlement, event, Region(), hypothesis, f"`{name}` sums to zero")
                if step.theorem is not None:
                    names.append(name)
                    theorems.append(step.theorem)
    return Region(tuple(names), (), tuple(theorems))


def starting_at_zero(settlement: Settlement, names: tuple[str, ...]) -> Hypothesis | None:
    """The hypothesis that these variables sum to zero; None if they do not in the first deal."""
    start = settlement.start()
    level = all(zero(start, name) is True for name in names)
    if not level:
        return None
    begins = kernel.lineage("they sum to zero in the first deal", not level)
    return Hypothesis(lambda hand: y.conj(*(zero(hand.begin, name) for name in names)), begins)


def zero(values: Mapping[Key, Symbol], name: str) -> Bool:
    """When a variable sums to zero over its owners."""
    return y.compare("=", y.total(value for key, value in values.items() if key[0] == name), 0)


def _unbalanced_in(settlement: Settlement, name: str, hand: Hand) -> Bool:
    return unbalanced(settlement, hand, name)


def unbalanced(settlement: Settlement, hand: Hand, name: str) -> Bool:
    """A variable does not sum to zero after a deal, or when the next one begins or the match ends before it."""
    after = y.compare("!=", hand.total(name), 0)
    if not settlement.program.variables[name].carried:
        return after
    following, interrupted = settlement.following(hand)
    return y.disj(after, y.conj(y.neg(hand.over), y.neg(interrupted), y.neg(zero(following, name))))


def _mentions_carried(term: Bool) -> bool:
    if isinstance(term, bool):
        return False
    seen: set[int] = set()
    stack = [z3.simplify(term)]
    while stack:
        part = stack.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        if z3.is_const(part) and part.decl().name().startswith("carried."):
            return True
        stack.extend(part.children())
    return False
