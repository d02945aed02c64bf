"""Plans to end a match: who takes how many tricks in this and the following hands, and whether that works.

A plan works from some carried values if its hands, one after another, end the match.  It may say what is decided before
the play, which must then be allowed; what it does not say goes against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from trickproof.proofs.matches.bounded_model_checking import Trace, concrete
from trickproof.proofs.matches.inductive_invariants import Region
from trickproof.proofs.matches.ranking_function import Division
from trickproof.proofs.matches.transition_system import constants, known
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import PATIENCE, Answer, spent
from trickproof.proofs.smt.symbolic_values import Bool, Int, Symbol
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof.testing.deal_search import construct
from trickproof.testing.subject import seat
from trickproof_dsl.semantics.values import Key, Value


@dataclass(frozen=True, slots=True)
class Turn:
    """One hand of a plan; no `choices`: they are not said."""

    division: Division
    choices: tuple[int, ...] = ()


Plan = tuple[Turn, ...]

Used = tuple[int | None, tuple[int, ...]]
"""A dealer (None: it is not known who, or nobody deals), and who takes how many tricks."""


def sweep(player: int, players: int) -> Division:
    """One player takes every trick."""
    return partial(_all_to, player, players)


def repeated(way: Trace) -> Plan:
    """The same tricks and decisions as in a match that was found."""
    return tuple(Turn(Just(t), c) for t, c in zip(way.tricks, way.choices, strict=True))


def _all_to(player: int, players: int, size: Int) -> tuple[Int, ...]:
    return tuple(size if p == player else 0 for p in range(players))


@dataclass(frozen=True, slots=True)
class Just:
    """Always the same division."""

    tricks: tuple[int, ...]

    def __call__(self, _: Int) -> tuple[Int, ...]:
        return self.tricks


MOST_SPENT = 3_000_000
"""z3's resources for a search for plans; the documented rulesets take less than a hundredth of it."""


@dataclass
class Playable:
    """Which divisions of the tricks were dealt and played for a dealer, and for which no cards were found.

    It lasts for one search for plans, and knows when that has taken enough.
    """

    settlement: Settlement
    known: dict[Used, bool] = field(default_factory=dict)
    began: int = field(default_factory=spent)

    @property
    def enough(self) -> bool:
        """Whether the search is to be given up."""
        return spent() - self.began > MOST_SPENT

    def without_cards(self, used: Used) -> bool:
        """Whether cards were looked for in vain."""
        return not self.known.get(used, True)

    def all(self, divisions: set[Used]) -> bool:
        """Whether there are cards for all of these; what was made once is not made again."""
        for used in sorted(divisions, key=str):
            if used not in self.known:
                self.known[used] = self._make(*used)
        return all(self.known[used] for used in divisions)

    def _make(self, dealer: int | None, tricks: tuple[int, ...]) -> bool:
        settlement = self.settlement
        begin: dict[Key, Value] = {} if dealer is None else {("dealer",): dealer}
        ruleset = settlement.subject.ruleset
        return construct(ruleset, settlement.parameters, settlement.readings, begin, tricks) is not None


class Attempt:
    """States of a region, dealt by one dealer, from which none of the plans tried so far works."""

    def __init__(self, settlement: Settlement, dealer: int | None, region: Region) -> None:
        self.settlement = settlement
        self.begin, _, facts = settlement.unknown(dealer)
        self.questions, self.used, self.tried = settlement.solver(PATIENCE), set[Used](), 0
        self.questions.add(*facts, *region.holds(self.begin))

    def try_(self, plan: Plan, playable: Playable) -> None:
        """From here on only the states count from which this plan does not work."""
        own, facts = set[Used](), list[Bool]()
        self.tried += 1
        good = works(self.settlement, self.begin, plan, f"plan{self.tried}", own, facts)
        if not any(playable.without_cards(used) for used in own):
            self.used |= own
            self.questions.add(*facts, y.neg(good))

    def left(self) -> Answer:
        """Whether there is such a state."""
        return self.questions.possible()

    def state(self) -> dict[Key, Value]:
        """One of them."""
        self.questions.model()
        return concrete(self.questions, self.begin)


def works(
    settlement: Settlement,
    begin: Mapping[Key, Symbol],
    plan: Sequence[Turn],
    tag: str,
    used: set[Used],
    facts: list[Bool],
) -> Bool:
    """When the plan ends the match; notes the divisions it needs and the facts of its unknowns."""
    turn = plan[0]
    hand = settlement.hand(begin, f"{tag}.{len(plan)}", (), turn.division)
    said = _said(hand, turn)
    names = {str(unknown) for unknown, _ in said}
    allowed = [fact for fact in hand.domain if names & constants(fact).keys()]
    facts.extend(fact for fact in hand.domain if not names & constants(fact).keys())
    dealer = begin.get(("dealer",)) if seat(settlement.program) else None
    if all(isinstance(n, int) for n in hand.tricks):
        used.add((dealer if isinstance(dealer, int) else None, hand.tricks))
    later: Bool = False
    if len(plan) > 1 and hand.ended is not True:
        following, interrupted = settlement.between(hand.after)
        later = y.conj(y.neg(interrupted), works(settlement, following, plan[1:], tag, used, facts))
    good = y.conj(*allowed, y.neg(hand.unplayed), y.neg(hand.broken), y.disj(hand.ended, later))
    return known(good, said)


def _said(hand: Hand, turn: Turn) -> list[tuple[Int, int]]:
    """The unknowns of the decisions that the plan says, with their values."""
    if len(turn.choices) != len(hand.choices):
        return []
    return [
        (next(iter(constants(x).values())), n - 1) for x, n in zip(hand.choices, turn.choices, strict=True)
    ]
