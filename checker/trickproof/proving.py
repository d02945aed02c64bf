"""How symbolic claims are decided: by one step from anywhere, or by hands unrolled from the start of a match.

`prove` shows that something cannot happen in any hand, whatever was carried into it; `search` finds the fewest hands
after which it can, with the smallest tricks.  Both give up rather than guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

import z3

from trickproof import symbols as y
from trickproof.settlement import SUMS, Hand, Settlement
from trickproof.solve import Answer, Questions
from trickproof.symbols import Bool, Symbol
from trickproof.verdict import DisagreementError
from trickproof_dsl.evaluate import Key, Value

HANDS = 8
"""Hands of a match that are unrolled, at most."""

Event = Callable[[Hand], Bool]
"""Something that may happen in a hand."""


@dataclass(frozen=True, slots=True)
class Found:
    """A match in which it happens: of each hand the tricks, what it begins with, and the values after it."""

    settlement: Settlement
    tricks: tuple[tuple[int, ...], ...]
    begins: tuple[dict[Key, Value], ...]
    afters: tuple[dict[Key, Value], ...]

    @property
    def begin(self) -> dict[Key, Value]:
        """What the last hand begins with."""
        return self.begins[-1]

    @property
    def hands(self) -> int:
        return len(self.tricks)


@dataclass(frozen=True, slots=True)
class NotFound:
    """It does not happen in the first `hands` hands; or the solver gave up at that many."""

    hands: int
    gave_up: bool = False


def search(settlement: Settlement, event: Event, most: int = HANDS) -> Iterator[Found | NotFound]:
    """The shortest ways to the event, smallest tricks first; then, or if there are none, NotFound."""
    questions, hands = Questions(), list[Hand]()
    for hand in settlement.match():
        hands.append(hand)
        questions.add(*hand.facts)
        wanted = event(hand)
        answer = questions.possible(wanted) if wanted is not False else Answer.NO
        interrupted = hand.interrupted is not False and questions.possible(hand.interrupted) is not Answer.NO
        if answer is Answer.GAVE_UP or interrupted:
            yield NotFound(len(hands), gave_up=True)
            return
        if answer is Answer.YES:
            questions.add(wanted)
            yield from _ways(settlement, questions, hands)
            yield NotFound(len(hands))
            return
        if len(hands) >= most or y.conj(y.neg(hand.ended), y.neg(hand.broken)) is False:
            yield NotFound(len(hands))
            return
        questions.add(y.neg(hand.ended), y.neg(hand.broken))


def _ways(settlement: Settlement, questions: Questions, hands: list[Hand]) -> Iterator[Found]:
    """Models with different tricks in the last hand."""
    last = hands[-1]
    while questions.model():
        with questions.supposing():
            flat = questions.smallest([trick for hand in hands for trick in hand.tricks])
            if flat is None or questions.smallest([x for hand in hands for x in hand.choices]) is None:
                return
            if not questions.model():
                return
            begins = [_concrete(questions, hand.begin) for hand in hands]
            afters = [_concrete(questions, hand.after) for hand in hands]
        n = len(last.tricks)
        tricks = tuple(tuple(flat[i : i + n]) for i in range(0, len(flat), n))
        yield Found(settlement, tricks, tuple(begins), tuple(afters))
        questions.add(z3.Or(*(trick != value for trick, value in zip(last.tricks, tricks[-1], strict=True))))


def _concrete(questions: Questions, values: Mapping[Key, Symbol]) -> dict[Key, Value]:
    return {key: questions.concrete(value) for key, value in values.items() if value is not y.OPAQUE}


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether the event is impossible in every hand, and whether that rests on carried values (induction)."""

    answer: Answer
    carried: bool = False


def prove(settlement: Settlement, event: Event, sums: tuple[str, ...] = ()) -> Proof:
    """Whether the event can happen in no hand in which the carried `sums` are zero.  NO means: proved."""
    carried = False
    for dealer in settlement.dealers:
        hand = settlement.anywhere(dealer)
        questions = Questions()
        questions.add(*hand.facts, *(_zero(hand, name) for name in sums))
        if questions.possible() is Answer.GAVE_UP:
            return Proof(Answer.GAVE_UP)
        if questions.possible() is Answer.NO:
            raise DisagreementError(
                f"{settlement.subject.ruleset.id}: a proof rests on contradictory assumptions"
            )
        wanted = event(hand)
        answer = questions.possible(wanted)
        if answer is not Answer.NO:
            return Proof(answer)
        carried = carried or _mentions_carried(wanted)
    return Proof(Answer.NO, carried)


@lru_cache(maxsize=64)
def kept_sums(settlement: Settlement) -> tuple[str, ...]:
    """The carried variables among SUMS that stay at a sum of zero, shown by induction over hands."""
    variables = settlement.program.variables
    kept: list[str] = []
    for name in SUMS:
        if name in variables and variables[name].carried and variables[name].type.kind == "integer":
            start = next(settlement.match()).begin
            base = y.total(value for key, value in start.items() if key[0] == name)
            step = prove(settlement, partial(_unbalanced_in, settlement, name), (name,))
            if base == 0 and step.answer is Answer.NO:
                kept.append(name)
    return tuple(kept)


def _unbalanced_in(settlement: Settlement, name: str, hand: Hand) -> Bool:
    return unbalanced(settlement, hand, name)


def unbalanced(settlement: Settlement, hand: Hand, name: str) -> Bool:
    """A variable does not sum to zero after a hand, or when the next one begins."""
    after = y.compare("!=", hand.total(name), 0)
    if not settlement.program.variables[name].carried:
        return after
    following, _ = settlement.between(hand.after)
    later = y.total(value for key, value in following.items() if key[0] == name)
    return y.disj(after, y.conj(y.neg(hand.ended), y.compare("!=", later, 0)))


def _zero(hand: Hand, name: str) -> Bool:
    return y.compare("=", y.total(value for key, value in hand.begin.items() if key[0] == name), 0)


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
