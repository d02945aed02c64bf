"""Unrolling deals from the start of a match: the fewest deals after which an event can happen, with the smallest tricks.

The search gives up rather than guess. It proves something only if no match is longer than the deals unrolled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import z3

from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.model_checking.transition_system import sizes_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof.proofs.smt.symbolic_values import Bool, Symbol, constants
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof_dsl.semantics.values import Key, Value

HANDS = 12
"""Maximum number of deals of a match that are unrolled."""

REPEATED = 24
"""Maximum number of deals of matches that divide the tricks of each deal alike, which are tried when the solver gives up."""

PLAYED_OUT = 2
"""Maximum number of paths in which every deal is played out that are tried before the others."""

Event = Callable[[Hand], Bool]
"""Something that may happen in a deal."""


def match_ends(hand: Hand) -> Bool:
    """The event that a deal ends the match."""
    return y.conj(hand.ended, y.neg(hand.broken))


@dataclass(frozen=True, slots=True)
class Trace:
    """A match in which the event happens: the tricks of each deal, the values it begins with, and those after it.

    The deals from `loop_from` (0-based) can be repeated forever, while the `drifting` numbers only ever grow
    or only ever fall. `choices` holds the decisions before the play of each deal (`Hand.choices`), and
    `stopped` which deals stop before their play is over (their tricks are 0).
    `following` holds what the next deal would begin with (nothing if that is not encoded), and `leads_to` the carried
    values that a claim about the following deals is made for.
    """

    settlement: Settlement
    tricks: tuple[tuple[int, ...], ...]
    begins: tuple[dict[Key, Value], ...]
    afters: tuple[dict[Key, Value], ...]
    following: dict[Key, Value]
    loop_from: int | None = None
    drifting: frozenset[str] = frozenset()
    choices: tuple[tuple[int, ...], ...] = ()
    stopped: tuple[bool, ...] = ()
    leads_to: Mapping[Key, Value] | None = None

    @property
    def begin(self) -> dict[Key, Value]:
        """What the last deal begins with."""
        return self.begins[-1]

    @property
    def hands(self) -> int:
        return len(self.tricks)


@dataclass(frozen=True, slots=True)
class NoTrace:
    """The event does not happen in the first `hands` deals, or the solver gave up there.

    If no match is longer, `never` is the theorem that it does not happen at all.
    """

    hands: int
    gave_up: bool = False
    never: Theorem | None = None


def search(
    settlement: Settlement,
    event: Event,
    most: int = HANDS,
    begin: Mapping[Key, Symbol] | None = None,
    longest: int = 0,
) -> Iterator[Trace | NoTrace]:
    """The shortest matches that reach the event, smallest tricks first; then, or if there are none, NoTrace.

    Starts at the start of a match or at `begin`, the values that a deal begins with. Queries the solver about
    at most `most` deals, but unrolls up to `longest` if that is greater, skipping deals in which
    simplification alone excludes the event.
    """
    questions, hands, asked = settlement.solver(), list[Hand](), 0
    excluded: list[Theorem] = []
    for hand in settlement.match(begin):
        hands.append(hand)
        questions.add(*hand.facts)
        happens = event(hand)
        asked += happens is not False
        if asked > most:
            yield _bounded(questions, len(hands) - 1, excluded, True)
            return
        answer, without = questions.possible(happens), questions.theorem
        if questions.excluding(hand.interrupted) is None:
            yield NoTrace(len(hands), gave_up=True)
            return
        if answer is Answer.GAVE_UP:
            yield from _repeating(settlement, event, begin)
            yield NoTrace(len(hands), gave_up=True)
            return
        if answer is Answer.YES:
            questions.add(happens)
            yield from ways(settlement, questions, hands)
            yield NoTrace(len(hands))
            return
        assert without is not None
        excluded.append(without)
        goes_on = y.conj(y.neg(hand.ended), y.neg(hand.broken))
        if goes_on is False or len(hands) >= max(most, longest):
            yield _bounded(questions, len(hands), excluded, goes_on)
            return
        questions.add(goes_on)


def _repeating(settlement: Settlement, event: Event, begin: Mapping[Key, Symbol] | None) -> Iterator[Trace]:
    """Matches that reach the event in which the tricks are divided alike in all deals, but for the last: far fewer to search."""
    questions, hands = settlement.solver(), list[Hand]()
    for hand in islice(settlement.match(begin), REPEATED):
        hands.append(hand)
        questions.add(*hand.facts, y.neg(hand.interrupted))
        with questions.supposing(event(hand)):
            answer = questions.possible()
            if answer is Answer.YES:
                yield from ways(settlement, questions, hands)
        if answer is not Answer.NO:
            return
        questions.add(y.neg(hand.ended), y.neg(hand.broken))
        questions.add(*(y.equal(x, first) for x, first in zip(hand.tricks, hands[0].tricks, strict=True)))


def _bounded(questions: SolverSession, hands: int, excluded: Sequence[Theorem], goes_on: Bool) -> NoTrace:
    """That it does not happen in these deals; nor in any match, if the solver shows that none `goes_on`."""
    longer = questions.excluding(goes_on) if excluded else None
    never = None if longer is None else kernel.unroll("it happens in no match", excluded, longer)
    return NoTrace(hands, never=never)


def ways(
    settlement: Settlement, questions: SolverSession, hands: Sequence[Hand], loop_from: int | None = None
) -> Iterator[Trace]:
    """Matches of these deals that satisfy everything added so far, each with different tricks in the last deal.

    Those in which every deal is played out come first.
    """
    stopped = y.disj(*(x for hand in hands for x in (hand.stopped, hand.again)))
    if stopped is not False:
        with questions.supposing(y.neg(stopped)):
            yield from islice(_ways(settlement, questions, hands, loop_from), PLAYED_OUT)
        questions.add(stopped)
    yield from _ways(settlement, questions, hands, loop_from)


def _ways(
    settlement: Settlement, questions: SolverSession, hands: Sequence[Hand], loop_from: int | None
) -> Iterator[Trace]:
    of_hands = [[y.choose_number(hand.stopped, 0, trick) for trick in hand.tricks] for hand in hands]
    while questions.model():
        with questions.supposing():
            flat = questions.smallest([trick for tricks in of_hands for trick in tricks])
            values = None if flat is None else questions.smallest([x for hand in hands for x in hand.choices])
            if flat is None or values is None:
                return
            questions.smallest(_decided(settlement, hands))
            if not questions.model():
                return
            begins = [concrete(questions, hand.begin) for hand in hands]
            afters = [concrete(questions, hand.after) for hand in hands]
            stopped = tuple(questions.truth(hand.stopped) for hand in hands)
            following = _following(settlement, questions, hands[-1])
        n = len(of_hands[-1])
        tricks = tuple(tuple(flat[i : i + n]) for i in range(0, len(flat), n))
        decided = iter(values)
        choices = tuple(tuple(next(decided) for _ in hand.choices) for hand in hands)
        way = Trace(settlement, tricks, tuple(begins), tuple(afters), following, loop_from, choices=choices)
        yield replace(way, stopped=stopped)
        other = (y.compare("!=", x, value) for x, value in zip(of_hands[-1], tricks[-1], strict=True))
        questions.add(y.disj(*other))


def _decided(settlement: Settlement, hands: Sequence[Hand]) -> list[z3.ArithRef]:
    """What is decided before the play of each deal, such as bids, as numbers to make small."""
    sizes: list[z3.ArithRef] = []
    for hand in hands:
        decided = {key: x for key, x in hand.after.items() if key[0] in settlement.reckoned and constants(x)}
        sizes += [size for some in sizes_of(decided) for size in some]
    return sizes


def _following(settlement: Settlement, questions: SolverSession, hand: Hand) -> dict[Key, Value]:
    """What the next deal begins with in the model of the last query."""
    try:
        return concrete(questions, settlement.following(hand)[0])
    except NotEncodedError:
        return {}


def concrete(questions: SolverSession, values: Mapping[Key, Symbol]) -> dict[Key, Value]:
    """Values in the model of the last satisfiable query, omitting opaque ones (cards)."""
    return {key: questions.concrete(value) for key, value in values.items() if value is not y.OPAQUE}
