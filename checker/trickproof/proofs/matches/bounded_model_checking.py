"""How symbolic claims are decided: by one step from an arbitrary state, or by unrolling deals from the start of a match.

`prove` shows that an event cannot happen in any deal, whatever values are carried into it; `search` finds the
fewest deals after which it can, with the smallest tricks. Both give up rather than guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import z3

from trickproof.checking.verdict import DisagreementError
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer, SolverSession, recorded_once
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.hand_summary import SUMS, Hand, Settlement
from trickproof_dsl.semantics.values import Key, Value

HANDS = 12
"""Maximum number of deals of a match that are unrolled."""

PLAYED_OUT = 2
"""Maximum number of paths in which every deal is played out that are tried before the others."""

Event = Callable[[Hand], Bool]
"""Something that may happen in a deal."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A match in which the event happens: the tricks of each deal, the values it begins with, and those after it.

    The deals from `loop_from` (0-based) can be repeated forever, while the `drifting` numbers only ever grow
    or only ever fall. `choices` holds the decisions before the play of each deal (`Hand.choices`), `stopped`
    which deals stop before their play is over (their tricks are 0), and `thrown_in` which are dealt again.
    """

    settlement: Settlement
    tricks: tuple[tuple[int, ...], ...]
    begins: tuple[dict[Key, Value], ...]
    afters: tuple[dict[Key, Value], ...]
    loop_from: int | None = None
    drifting: frozenset[str] = frozenset()
    choices: tuple[tuple[int, ...], ...] = ()
    stopped: tuple[bool, ...] = ()
    thrown_in: tuple[bool, ...] = ()

    @property
    def begin(self) -> dict[Key, Value]:
        """What the last deal begins with."""
        return self.begins[-1]

    @property
    def hands(self) -> int:
        return len(self.tricks)


@dataclass(frozen=True, slots=True)
class NoTrace:
    """The event does not happen in the first `hands` deals, or the solver gave up there; if `complete`, no match is longer."""

    hands: int
    gave_up: bool = False
    complete: bool = False


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
    for hand in settlement.match(begin):
        hands.append(hand)
        questions.add(*hand.facts)
        happens = event(hand)
        asked += happens is not False
        if asked > most:
            yield NoTrace(len(hands) - 1)
            return
        answer = questions.possible(happens) if happens is not False else Answer.NO
        interrupted = hand.interrupted is not False and questions.possible(hand.interrupted) is not Answer.NO
        if answer is Answer.GAVE_UP or interrupted:
            yield NoTrace(len(hands), gave_up=True)
            return
        if answer is Answer.YES:
            questions.add(happens)
            yield from ways(settlement, questions, hands)
            yield NoTrace(len(hands))
            return
        complete = y.conj(y.neg(hand.ended), y.neg(hand.broken)) is False
        if complete or len(hands) >= max(most, longest):
            yield NoTrace(len(hands), complete=complete)
            return
        questions.add(y.neg(hand.ended), y.neg(hand.broken))


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
            if not questions.model():
                return
            begins = [concrete(questions, hand.begin) for hand in hands]
            afters = [concrete(questions, hand.after) for hand in hands]
            stopped = tuple(questions.truth(hand.stopped) for hand in hands)
            thrown_in = tuple(questions.truth(hand.again) for hand in hands)
        n = len(of_hands[-1])
        tricks = tuple(tuple(flat[i : i + n]) for i in range(0, len(flat), n))
        decided = iter(values)
        choices = tuple(tuple(next(decided) for _ in hand.choices) for hand in hands)
        way = Trace(settlement, tricks, tuple(begins), tuple(afters), loop_from, choices=choices)
        yield replace(way, stopped=stopped, thrown_in=thrown_in)
        other = (y.compare("!=", x, value) for x, value in zip(of_hands[-1], tricks[-1], strict=True))
        questions.add(y.disj(*other))


def concrete(questions: SolverSession, values: Mapping[Key, Symbol]) -> dict[Key, Value]:
    """Values in the model of the last satisfiable query, omitting opaque ones (cards)."""
    return {key: questions.concrete(value) for key, value in values.items() if value is not y.OPAQUE}


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether the event is impossible in every deal, and whether that depends on carried values (induction)."""

    answer: Answer
    carried: bool = False


def prove(
    settlement: Settlement, event: Event, sums: tuple[str, ...] = (), assumed: Event | None = None
) -> Proof:
    """Whether the event happens in no deal before which the carried `sums` are zero and `assumed` holds.

    NO means proved.
    """
    carried = False
    for dealer in settlement.dealers:
        hand = settlement.anywhere(dealer)
        questions = settlement.solver()
        questions.add(*hand.facts, *(_zero(hand, name) for name in sums))
        if assumed is not None:
            questions.add(assumed(hand))
        if questions.possible() is Answer.GAVE_UP:
            return Proof(Answer.GAVE_UP)
        if questions.possible() is Answer.NO:
            raise DisagreementError(
                f"{settlement.subject.ruleset.id}: the assumptions of a proof contradict each other"
            )
        questions.not_vacuous()
        happens = event(hand)
        answer = questions.possible(happens)
        if answer is not Answer.NO:
            return Proof(answer)
        carried = carried or _mentions_carried(happens)
    return Proof(Answer.NO, carried)


def invariant_sums(settlement: Settlement) -> tuple[str, ...]:
    """The carried variables in SUMS whose sum stays zero, shown by induction over deals."""
    return recorded_once(settlement.subject, _invariant_sums, settlement)


def _invariant_sums(settlement: Settlement) -> tuple[str, ...]:
    variables = settlement.program.variables
    invariant: list[str] = []
    for name in SUMS:
        if name in variables and variables[name].carried and variables[name].type.kind == "integer":
            start = next(settlement.match()).begin
            base = y.total(value for key, value in start.items() if key[0] == name)
            step = prove(settlement, partial(_unbalanced_in, settlement, name), (name,))
            if base == 0 and step.answer is Answer.NO:
                invariant.append(name)
    return tuple(invariant)


def _unbalanced_in(settlement: Settlement, name: str, hand: Hand) -> Bool:
    return unbalanced(settlement, hand, name)


def unbalanced(settlement: Settlement, hand: Hand, name: str) -> Bool:
    """A variable does not sum to zero after a deal, or when the next one begins."""
    after = y.compare("!=", hand.total(name), 0)
    if not settlement.program.variables[name].carried:
        return after
    following, _ = settlement.between(hand.after, hand.again)
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
