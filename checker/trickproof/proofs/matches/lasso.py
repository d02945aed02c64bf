"""Whether a match can continue forever by returning to an earlier state: deals are unrolled from its start until one does.

`lasso` looks for the fewest deals after which everything that can matter later (`analysis/live_variables.py`)
is as it was before one of them, with the match not over; the deals from there on can then be repeated
forever. On the way it notices when no match can be that long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from trickproof.analysis.live_variables import dealt_anew, lasting
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.matches.strategies import Just
from trickproof.proofs.model_checking.bounded_model_checking import NoTrace, Trace, ways
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import PATIENCE, Answer
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key, Value

HANDS = 8
"""Maximum number of deals of a match that are unrolled."""


@dataclass(frozen=True, slots=True)
class AllEnd:
    """Every match is over within `hands` deals."""

    hands: int
    theorem: Theorem


def lasso(settlement: Settlement) -> Iterator[Trace | AllEnd | NoTrace]:
    """The shortest matches that can continue forever: first one with all players even, then with the smallest tricks.

    Ends with AllEnd or NoTrace, which come alone if there is no such match.
    """
    course = _Course(settlement)
    for number in range(1, HANDS + 1):
        ended = course.another()
        if ended is not None:
            yield ended
            return
        for place in reversed(range(number)):
            again = course.as_before(place)
            if course.questions.possible(again) is Answer.YES:
                yield from course.ways(place, again)
                yield NoTrace(number)
                return
    yield NoTrace(HANDS)


def drift(settlement: Settlement) -> Trace | None:
    """A match whose last deals can be repeated forever, although some numbers keep growing or falling.

    Shown by induction: whatever those numbers are beyond their initial values, the same tricks do not end the
    match.
    """
    course = _Course(settlement)
    for number in range(1, len(settlement.dealers) + 2):
        if course.another() is not None:
            return None
        for place in reversed(range(number)):
            again = course.as_before(place, numbers=False)
            if course.questions.possible(again) is Answer.YES:
                for way in course.ways(place, again):
                    drifting = _drifts(settlement, way, course.names)
                    if drifting is not None:
                        return replace(way, drifting=drifting)
                    break
    return None


class _Course:
    """A match that is not over, unrolled deal by deal."""

    def __init__(self, settlement: Settlement) -> None:
        self.settlement, self.program = settlement, settlement.program
        self.names = lasting(self.program)
        self.anew = dealt_anew(self.program)
        self.questions, self.hands = settlement.solver(PATIENCE), list[Hand]()
        self.following: Mapping[Key, Symbol] = settlement.start()
        self.unbroken: list[Theorem] = []
        """That no rule fails at run time in each of the deals, as far as that is shown."""

    def another(self) -> AllEnd | NoTrace | None:
        """Unroll one more deal; AllEnd if there is none, NoTrace if the solver gave up."""
        hand = self.settlement.hand(self.following, f"hand{len(self.hands) + 1}")
        self.hands.append(hand)
        questions, number = self.questions, len(self.hands)
        self.following, interrupted = self.settlement.following(hand)
        questions.add(*hand.domain, y.disj(hand.unplayed, hand.broken, y.neg(hand.ended)))
        breaks = questions.possible(y.disj(hand.unplayed, hand.broken, interrupted))
        if breaks is Answer.NO and questions.theorem is not None:
            self.unbroken.append(questions.theorem)
        questions.add(*hand.facts, y.neg(hand.broken), y.neg(interrupted))
        longer = questions.possible()
        if Answer.GAVE_UP in (breaks, longer):
            return NoTrace(number, gave_up=True)
        if longer is Answer.YES or questions.theorem is None:
            return None
        if len(self.unbroken) < number:
            return NoTrace(number)
        claim = f"every match is over within {number} deals"
        return AllEnd(number, kernel.unroll(claim, self.unbroken, questions.theorem))

    def as_before(self, place: int, numbers: bool = True) -> Bool:
        """Whether everything that matters (including numbers, unless excluded) is as it was before a given deal."""
        returning = {n for n in self.names if numbers or self.program.variables[n].type.kind != "integer"}
        before = self.hands[place].begin
        return self.anew and as_before(before, self.following, frozenset(returning))

    def ways(self, place: int, again: Bool) -> Iterator[Trace]:
        """The matches that return to the state before that deal."""
        even = [y.compare("=", x, 0) for h in self.hands for key, x in h.after.items() if key[0] == "over"]
        for conditions in ([again, *even], [again]):
            with self.questions.supposing(*conditions):
                yield from islice(ways(self.settlement, self.questions, self.hands, place), 2)


def _drifts(settlement: Settlement, way: Trace, names: frozenset[str]) -> frozenset[str] | None:
    """The variables that drift, if the loop can then be repeated forever."""
    assert way.loop_from is not None
    first = way.begins[way.loop_from]
    last = way.following
    dealer = first.get(("dealer",)) if settlement.dealers[0] is not None else None
    begin, _, facts = settlement.unknown(dealer if isinstance(dealer, int) else None)
    keys = [key for key in begin if key[0] in names]
    if any(begin[key] is y.OPAQUE for key in keys):
        return None
    drifting = {key for key in keys if isinstance(first[key], int) and first[key] != last[key]}
    questions = settlement.solver()
    questions.add(*facts, _beside(settlement, begin, first, last, keys))
    following: Mapping[Key, Symbol] = begin
    wrong: list[Bool] = []
    for number, tricks in enumerate(way.tricks[way.loop_from :]):
        hand = settlement.hand(following, f"loop{number}", (), Just(tricks))
        questions.add(*hand.domain)
        following, interrupted = settlement.following(hand)
        wrong += [hand.unplayed, hand.broken, hand.ended, interrupted]
    wrong.append(y.neg(_beside(settlement, following, first, last, keys)))
    if questions.possible() is not Answer.YES or questions.possible(y.disj(*wrong)) is not Answer.NO:
        return None
    return frozenset(key[0] for key in drifting)


def _beside(
    settlement: Settlement,
    values: Mapping[Key, Symbol],
    first: Mapping[Key, Value],
    last: Mapping[Key, Symbol],
    keys: Sequence[Key],
) -> Bool:
    """Whether values equal those before the loop or, for numbers that it changes, lie on the side towards which they drift."""
    parts: list[Bool] = []
    for key in keys:
        begun, ended, value = first[key], last[key], values[key]
        assert not isinstance(begun, frozenset)
        if settlement.program.variables[key[0]].type == c.INTEGER and begun != ended:
            assert isinstance(begun, int)
            assert isinstance(ended, int)
            assert y.is_number(value)
            parts.append(y.compare(">=" if ended > begun else "<=", value, begun))
        else:
            parts.append(y.equal(value, begun))
    return y.conj(*parts)


def as_before(before: Mapping[Key, Symbol], after: Mapping[Key, Symbol], names: frozenset[str]) -> Bool:
    """Whether variables have equal values; cards are never known to be equal."""
    keys = [key for key in sorted(before) if key[0] in names]
    return y.conj(*(y.equal(before[key], after[key]) for key in keys))
