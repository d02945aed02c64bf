"""Loop invariants: what holds at the head of a loop in every round, inferred and proved by induction.

Loop heads are the cut points of Floyd's method, and invariants are inferred as in Houdini. Candidates are
generated from the states in which the loop is entered; those that some entry does not satisfy, or that one
round does not preserve (assuming all others), are dropped until none is left to drop. What remains holds in
every round. The candidates are general: zones that are empty or hold as many cards as there are rounds left,
numbers that sum to the rounds completed, values that do not change or are never `none`, and what the ruleset
states itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal, TypeGuard

import z3

from trickproof.analysis.intervals import assigned_intervals
from trickproof.analysis.live_variables import CARDS
from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.path_enumeration import PathOracle
from trickproof.proofs.smt.symbolic_values import Bool, Cases, Int, Number, Symbol
from trickproof.proofs.symbolic.card_expressions import CardEncoder
from trickproof.proofs.symbolic.cards.card_set import CardSet
from trickproof.proofs.symbolic.cards.card_theory import CardWorld
from trickproof.proofs.symbolic.claims import Claims
from trickproof.proofs.symbolic.courses import is_value, taken
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.fork import Fork
from trickproof.proofs.symbolic.path_state import Frame, LoopHead, PathState, Skipped, begin_path
from trickproof.testing.play_courses import Courses
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import DECK, Key, owner_keys

UNLISTED = ("integer", "boolean", "card", *c.SETS)
"""Types whose values are not enumerated."""

Kind = Literal[
    "empty",
    "size",
    "fewer",
    "more",
    "rounds-left",
    "rounds-left-if",
    "one-of",
    "no-card",
    "rounds-gone",
    "not-negative",
    "least",
    "most",
    "equal",
    "given",
    "given-after",
    "same",
    "course",
    "stated",
]


@dataclass(frozen=True, slots=True)
class CandidateInvariant:
    """A property that may hold at a loop head: of a zone or variable, or of all entries of a variable (`rounds-gone`).

    For a `course` of the play: the followed values are in one of its states if the deal takes it; `value` is
    its index. For the `size` of a zone, it is the number of cards; if there are `fewer` or `more` after each
    round, that before the first. Only the players whom a filter of the loop lets take part have as many cards as
    there are `rounds-left-if`, and a player is `one-of` them; `value` is its index. What is `given-after` is not none once the truth value `flag` is no longer
    `value`; what is `equal` has the value of the `other`. For what is `stated`, `key` is the name of the
    invariant, which holds after `value` rounds and more: not before the first if a round may change what it reads.
    """

    kind: Kind
    key: Key
    value: int | None = None
    flag: Key | None = None
    other: Key | None = None


@dataclass
class LoopInvariant:
    """A loop head: what its entries have in common that no round changes, and the candidate invariants still believed.

    `constant` maps each such variable to its possible values on entry: one, or several known ones; `bound`
    holds the names bound to one known value; `unlisted` the labels of moves that may precede a round.
    `some_value` is some value of a number where the loop is first entered, which may be its only one.
    """

    head: LoopHead
    playing: bool
    first: PathState
    some_value: Callable[[Int], int | None]
    candidates: list[CandidateInvariant] = field(default_factory=list)
    constant: dict[Key, tuple[Symbol, ...]] = field(default_factory=dict)
    bound: dict[str, int] = field(default_factory=dict)
    unlisted: frozenset[str] = frozenset()
    courses: Courses | None = None

    def __post_init__(self) -> None:
        changed = changed_variables(self)
        self.candidates = candidates(self)
        self.constant = {
            key: (value,)
            for key, value in self.first.variables.items()
            if key[0] not in changed and not (isinstance(value, CardSet) and not value.empty)
        }
        self.bound = {name: value for name, value in self.first.bound.items() if isinstance(value, int)}
        self.unlisted = usage_of(self.head.loop.body).labels | _labels(self.first)

    def enter(self, state: PathState) -> None:
        """Account for another state in which the loop can be entered."""
        for key, values in list(self.constant.items()):
            value = state.variables[key]
            if any(_same(value, known) for known in values):
                continue
            listed = state.program.variables[key[0]].type.kind not in UNLISTED
            if listed and all(_plain(x) for x in (value, *values)):
                self.constant[key] = (*values, value)
            else:
                del self.constant[key]
        self.bound = {n: x for n, x in self.bound.items() if _same(x, state.bound.get(n))}
        self.unlisted |= _labels(state)

    def believed(self) -> tuple[object, ...]:
        """Everything assumed at the head; entries and rounds only ever weaken it."""
        constant = ((key, len(values)) for key, values in self.constant.items())
        return (*self.candidates, *constant, *self.bound, self.unlisted, self.playing)


def _labels(state: PathState) -> frozenset[str]:
    """The labels of all moves that may have been made."""
    return state.unlisted | {pick.label for pick in state.picks} | {event.label for event in state.events}


def changed_variables(invariant: LoopInvariant) -> frozenset[str]:
    """Variables that a round may assign."""
    return usage_of(invariant.head.loop.body).assigns


def candidates(invariant: LoopInvariant) -> list[CandidateInvariant]:
    """Every candidate worth trying, from the state in which the loop is first entered."""
    first = invariant.first
    program = first.program
    counted, (left, entered) = _counted(invariant.head.loop, program), _moved(invariant.head.loop.body)
    plays = "play" in usage_of(invariant.head.loop.body).labels
    filters = taking_part(invariant.head.loop)
    general: list[CandidateInvariant] = []
    for key in sorted(first.zones):
        number, moves = first.world.number_of(first.zones[key]), key[0] in (left | entered)
        if number is not None and key[0] in left ^ entered and not plays:
            general.append(CandidateInvariant("fewer" if key[0] in left else "more", key, number))
        if first.zones[key].empty or number == 0:
            general.append(CandidateInvariant("empty", key))
            continue
        if counted:
            general.append(CandidateInvariant("rounds-left", key))
            one = len(key) == 2 and key[0] in left and program.zones[key[0]].of == (c.PLAYER,)
            general += [CandidateInvariant("rounds-left-if", key, i) for i in range(len(filters)) if one]
        if number is not None and not (plays and moves):
            general.append(CandidateInvariant("size", key, number))
    courses = invariant.courses
    if courses is not None and invariant.head.loop is courses.loop:
        general += [CandidateInvariant("course", ("tricks",), i) for i in range(len(courses.each))]
    changed = changed_variables(invariant)
    for stated in program.invariants.values():
        used, of_cards = usage_of(stated.condition), any(isinstance(n, CARDS) for n in walk(stated.condition))
        if used.reads and not (used.parameters or used.readings or of_cards):
            general.append(CandidateInvariant("stated", (stated.name,), int(bool(used.reads & changed))))
    for name in sorted(changed):
        info = program.variables[name]
        if info.type == c.INTEGER:
            general.append(CandidateInvariant("rounds-gone", (name,)))
        if info.type == c.PLAYER and not info.of:
            general += [CandidateInvariant("one-of", (name,), i) for i in range(len(filters))]
        for owners in owner_keys(program, info.of):
            general += _about((name, *owners), info.type, first.variables[(name, *owners)])
    read = usage_of(program.hand).reads - changed
    limited = {name: x for name, x in assigned_intervals(program).items() if name in read}
    loop = invariant.head.loop
    counted_by = usage_of(loop.domain if isinstance(loop, c.Loop) else loop.bound).reads
    numbers = sorted(
        x for x in read if program.variables[x].type == c.INTEGER and not program.variables[x].of
    )
    general += [
        CandidateInvariant("equal", (one,), other=(other,))
        for one, other in combinations(numbers, 2)
        if not counted_by.isdisjoint((one, other))
    ]
    plain = sorted(key for key in first.variables if key[0] in read and len(key) == 1)
    flags = [(key, value) for key in plain if isinstance(value := first.variables[key], bool)]
    for key in sorted(first.variables, key=str):  # even what no round changes may be unknown in later rounds
        kind = program.variables[key[0]].type.kind
        if key[0] not in changed and kind not in UNLISTED and first.variables[key] is not None:
            general.append(CandidateInvariant("given", key))
        if key[0] in read and kind not in UNLISTED and first.variables[key] is None:
            general += [CandidateInvariant("given-after", key, value, flag) for flag, value in flags]
        value = first.variables[key]
        if key[0] in limited and isinstance(value, z3.ArithRef):
            limits, some = limited[key[0]], invariant.some_value(value)
            general += [CandidateInvariant("least", key, x) for x in _given(limits.low, some)]
            general += [CandidateInvariant("most", key, x) for x in _given(limits.high, some)]
    return general


def _given(*numbers: int | None) -> list[int]:
    """The different ones of these numbers that are not none."""
    return list(dict.fromkeys(x for x in numbers if x is not None))


def _about(key: Key, kind: c.Type, value: Symbol) -> Iterator[CandidateInvariant]:
    if kind == c.INTEGER:
        yield CandidateInvariant("not-negative", key)
    elif kind == c.CARD:
        yield CandidateInvariant("no-card", key)
    elif kind.kind not in c.SETS and kind != c.BOOLEAN and value is not None:
        yield CandidateInvariant("given", key)
    if _plain(value):
        yield CandidateInvariant("same", key, value)


def taking_part(loop: c.Loop | c.Until) -> list[c.Filter]:
    """The filters of the players who take part in a round, if no round changes which players do."""
    domains = [node.domain for node in walk(*loop.body) if isinstance(node, c.Loop)]
    by_players = (x for x in domains if isinstance(x, c.Filter) and x.type == c.PLAYERS)
    return [x for x in by_players if usage_of(x.condition).reads and _lasting(x.condition, loop.body)]


def _counted(loop: c.Loop | c.Until, program: c.Program) -> bool:
    """Whether the number of rounds is known before the first; for a conditional loop, the number of tricks."""
    if isinstance(loop, c.Loop):
        return True
    return "hand-size" in program.variables and "hand-size" not in usage_of(loop.body).assigns


def _moved(body: tuple[c.Stmt, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """The zones that cards can leave, and those that they can enter, in these statements."""
    left, entered = set[str](), set[str]()
    for node in walk(*body):
        if isinstance(node, c.Move):
            left.add(node.source.zone)
            entered.add(node.target.zone)
        elif isinstance(node, c.Deal):
            left.add(DECK)
            entered.add(node.to.zone)
    return frozenset(left), frozenset(entered)


class Round:
    """Evaluates candidates at a head after `gone` rounds; `first` and `last` are the numbers of the first and last round.

    For a conditional loop `last` is the round of the last trick, if known; there are at most `most` rounds.
    """

    def __init__(
        self, encoder: CardEncoder, head: LoopHead, gone: Int = 0, courses: Courses | None = None
    ) -> None:
        self.encoder, self.state, self.world, self.gone = encoder, encoder.path, encoder.world, gone
        self.courses, self.filters = courses, taking_part(head.loop)
        self.first: Int = 1
        self.last: Int | None = None
        if isinstance(head.loop, c.Loop):
            domain = head.loop.domain
            assert isinstance(domain, c.Range)
            self.first, self.last = (self._going_by(e, domain, head) for e in (domain.low, domain.high))
            self.most: Int = self.last - self.first + 1
            return
        if _counted(head.loop, self.state.program):
            number = self.state.variables[("hand-size",)]
            assert isinstance(number, int | z3.ArithRef)
            self.last = number
        self.most = self._going_by(head.loop.bound, head.loop.bound, head)

    def _going_by(self, e: c.Expr, whole: c.Expr, head: LoopHead) -> Int:
        """A number that the loop goes by; unknown if a round may change it, or if it cannot be encoded."""
        with suppress(NotEncodedError):
            if _lasting(whole, head.loop.body):
                return self.encoder.number(e)
        return z3.Int(self.world.name())

    @property
    def left(self) -> Int:
        """Rounds still to come in a counting loop."""
        assert self.last is not None
        return self.last - self.first + 1 - self.gone

    def fails(self, candidate: CandidateInvariant) -> tuple[Bool, Bool]:
        """When the candidate does not hold, in cardinalities and in bit-vectors."""
        state, key = self.state, candidate.key
        match candidate.kind:
            case "empty":
                there = self.world.some(state.zones[key])
                return there, there
            case "size":
                return y.compare("!=", self.world.size(state.zones[key]), candidate.value or 0), True
            case "fewer" | "more":
                number = candidate.value or 0
                now = number - self.gone if candidate.kind == "fewer" else number + self.gone
                return y.compare("!=", self.world.size(state.zones[key]), now), True
            case "rounds-left":
                return y.compare("!=", self.world.size(state.zones[key]), self.left), True
            case "rounds-left-if":
                player = key[-1]
                assert isinstance(player, int)
                takes_part = self._takes_part(candidate.value or 0, player)
                return y.conj(takes_part, y.compare("!=", self.world.size(state.zones[key]), self.left)), True
            case "one-of":
                by_player = y.cases(state.variables[key]).of
                ways = ((x, when) for x, when in by_player if x is not None)
                wrong = y.disj(
                    *(y.conj(when, y.neg(self._takes_part(candidate.value or 0, x))) for x, when in ways)
                )
            case "no-card":
                there = self.world.some(self.encoder.as_cards(state.variables[key]))
                return there, there
            case "rounds-gone":
                wrong = y.compare("!=", self._sum(key[0]), self.gone)
            case "not-negative":
                wrong = y.compare("<", self._number(key), 0)
            case "least" | "most":
                operator = "<" if candidate.kind == "least" else ">"
                wrong = y.compare(operator, self._number(key), candidate.value or 0)
            case "equal":
                assert candidate.other is not None
                wrong = y.compare("!=", self._number(key), self._number(candidate.other))
            case "given":
                wrong = self._none(key)
            case "given-after":
                assert candidate.flag is not None
                after = self._differs(state.variables[candidate.flag], candidate.value)
                wrong = y.conj(after, self._none(key))
            case "course":
                wrong = self._off_course(candidate.value or 0)
            case "stated":
                wrong = y.conj(y.compare(">=", self.gone, candidate.value or 0), self._untrue(key[0]))
            case "same":
                wrong = self._differs(state.variables[key], candidate.value)
        return wrong, wrong

    def _none(self, key: Key) -> Bool:
        return y.disj(*(when for x, when in y.cases(self.state.variables[key]).of if x is None))

    def _untrue(self, name: str) -> Bool:
        """Whether an invariant of the ruleset does not hold, or has no value."""
        return y.neg(self._holds(self.state.program.invariants[name].condition))

    def _takes_part(self, number: int, player: int) -> Bool:
        """Whether a player meets the condition of a filter."""
        of = self.filters[number]
        self.state.bound[of.binder] = player
        holds = self._holds(of.condition)
        del self.state.bound[of.binder]
        return holds

    def _holds(self, condition: c.Expr) -> Bool:
        """Whether a condition holds and has a value."""
        obligations = self.state.obligations
        before = len(obligations)
        try:
            holds = self.encoder.truth(condition)
        except NotEncodedError:
            holds = False
        without = [obligation.counts for obligation in obligations[before:]]
        del obligations[before:]
        return y.conj(holds, y.neg(y.disj(*without)))

    def _off_course(self, number: int) -> Bool:
        """Whether the deal takes a course of the play while the followed values are in none of its states."""
        assert self.courses is not None
        course, variables = self.courses.each[number], self.state.variables
        states = (
            y.conj(
                y.compare("=", self.gone, gone),
                *(is_value(variables[key], x) for key, x in zip(self.courses.followed, values, strict=True)),
            )
            for gone, values in sorted(course.rounds, key=str)
        )
        return y.conj(taken(self.encoder, variables, course), y.neg(y.disj(*states)))

    def _sum(self, name: str) -> Int:
        of = self.state.program.variables[name].of
        return y.total(self._number((name, *owners)) for owners in owner_keys(self.state.program, of))

    def _number(self, key: Key) -> Number:
        value = self.state.variables[key]
        assert y.is_number(value), key
        return value

    def _differs(self, value: Symbol, known: int | None) -> Bool:
        if isinstance(value, CardSet):
            return self.world.some(value) if known is None else True
        if y.is_truth(value) and isinstance(known, bool):
            return y.neg(y.iff(value, known))
        if y.is_number(value) and known is not None:
            return y.compare("!=", value, known)
        return y.neg(y.same(value, known))


def at_head(
    invariant: LoopInvariant, program: c.Program, world: CardWorld, oracle: PathOracle, claims: Claims
) -> tuple[Fork, Round]:
    """A state at the head after any number of rounds, constrained only by what is believed."""
    state = begin_path(program, world, oracle, {}, {}, invariant.playing, dict(invariant.head.parameters))
    fork = Fork(state, claims)
    same = {candidate.key: candidate.value for candidate in invariant.candidates if candidate.kind == "same"}
    none = {candidate.key: None for candidate in invariant.candidates if candidate.kind == "no-card"}
    state.variables |= same
    state.variables |= none
    state.variables |= {key: _one_of(state, key, values) for key, values in invariant.constant.items()}
    _zones(invariant, state)
    state.bound |= invariant.bound
    state.unlisted = invariant.unlisted
    state.around = frozenset(
        frame.loop.binder for frame in invariant.head.after if isinstance(frame.loop, c.Loop)
    )
    gone = z3.Int(f"{world.tag}.rounds")
    round_ = Round(fork.encoder, invariant.head, gone, invariant.courses)
    oracle.facts.append(gone >= 0)
    oracle.facts.append(y.disj(gone <= round_.most, gone == 0))
    for candidate in invariant.candidates:
        if candidate.kind not in ("empty", "no-card", "same"):  # these have been put into the state
            counts, _ = round_.fails(candidate)
            of_cards = candidate.kind in ("size", "fewer", "more", "rounds-left", "rounds-left-if")
            (world.count_facts if of_cards else oracle.facts).append(y.neg(counts))
    return fork, round_


def _one_of(state: PathState, key: Key, values: Sequence[Symbol]) -> Symbol:
    """A variable with these possible values on entry; exactly one of its alternatives holds."""
    value = values[0]
    if isinstance(value, CardSet):
        return state.world.none
    if len(values) > 1:
        value = state.unknown(state.program.variables[key[0]].type)
        state.oracle.facts.append(y.disj(*(y.same(value, x) for x in values)))
    elif isinstance(value, Cases):
        state.oracle.facts.append(y.neg(y.not_one([when for _, when in value.of])))
    return value


def _plain(value: Symbol) -> TypeGuard[int | None]:
    """Whether a value is known."""
    return value is None or isinstance(value, bool | int)


def _lasting(e: c.Expr, body: tuple[c.Stmt, ...]) -> bool:
    """Whether a value is unchanged by executing the statements."""
    reads = usage_of(e).reads & usage_of(body).assigns
    return not reads and not any(isinstance(n, c.ZoneCards) for n in walk(e))


def _zones(invariant: LoopInvariant, state: PathState) -> None:
    """Put every card somewhere, in zones other than those known to be empty."""
    empty = {candidate.key for candidate in invariant.candidates if candidate.kind == "empty"}
    keys = sorted(invariant.first.zones)
    filled = [key for key in keys if key not in empty]
    parts = state.world.parts([str(key) for key in filled])
    state.zones = dict.fromkeys(keys, state.world.none) | dict(zip(filled, parts, strict=True))
    for candidate in invariant.candidates:
        if candidate.kind == "size" and candidate.value is not None:
            state.world.sizes[state.zones[candidate.key].number] = candidate.value


def _same(left: Symbol, right: Symbol) -> bool:
    """Whether two values are syntactically alike; of card sets, only empty ones are."""
    if isinstance(left, CardSet) and isinstance(right, CardSet):
        return bool(left.empty and right.empty)
    return y.alike(left, right)


def begins_round(fork: Fork, round_: Round, invariant: LoopInvariant) -> list[Frame | LoopHead]:
    """The statements that run one more round, adding the loop condition to the facts."""
    loop, state = invariant.head.loop, fork.state
    if isinstance(loop, c.Loop):
        state.oracle.facts.append(y.compare(">", round_.left, 0))
        state.bound[loop.binder] = round_.first + round_.gone
    else:
        state.oracle.facts.append(y.neg(_is_over(fork, loop)))
        too_many = y.compare(">=", round_.gone, round_.most)
        state.oblige(too_many, too_many, loop.span, "loop-bound")
    return [*invariant.head.after, invariant.head, Frame(loop.body)]


def goes_on(fork: Fork, round_: Round, invariant: LoopInvariant) -> list[Frame | LoopHead]:
    """The statements that run after the last round."""
    loop, facts = invariant.head.loop, fork.state.oracle.facts
    if isinstance(loop, c.Loop):
        facts.append(y.compare("<=", round_.left, 0))
    else:
        facts.append(_is_over(fork, loop))
    return list(invariant.head.after)


def _is_over(fork: Fork, loop: c.Until) -> Bool:
    """Whether the condition of a loop holds; anything is possible if it cannot be encoded."""
    try:
        return fork.encoder.truth(loop.condition)
    except NotEncodedError as wrong:
        fork.state.skipped.append(Skipped(loop.condition, wrong.what, wrong.span))
        return z3.Bool(fork.state.name())
