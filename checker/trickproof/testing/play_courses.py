"""Courses of a play in rulesets where carried values decide who takes its tricks: observed in play, as candidates for a proof.

Some rules of play test carried values that no step of the deal sets, such as a match that is frozen or a
score beyond a limit. Where such conditions hold, the tricks may always be divided in one of a few ways. What
is observed here is only a conjecture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from random import Random

from trickproof.analysis.dependencies import first_part, is_play
from trickproof.analysis.live_variables import is_nullable
from trickproof.analysis.seats import seats_alike
from trickproof.analysis.usage import usage_of
from trickproof.checking.played_hand import first_hand
from trickproof.testing.random_play import pick
from trickproof.testing.subject import Subject, seat
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import faults_of
from trickproof_dsl.core.traversal import mapped, parts, walk
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.expressions import Store, evaluate
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.values import Key, Value, owner_keys, size_of

MOST_CONDITIONS = 2
"""Maximum number of conditions that are distinguished."""

MOST_ROUNDS = 100
"""Maximum number of states at the loop head in one course; beyond that none is proposed."""

MOST_BEGUN = 24
"""Maximum number of carried states from which plays begin."""

PLAYS = 96
"""Maximum number of such plays by one dealer."""

TERMS = 8
"""Maximum number of choices of parameters and readings."""

MARK = "head of the tricks"
"""The label of the decision that marks a play at its loop head; no player makes it."""

Round = tuple[int, tuple[Value, ...]]
"""The number of tricks that are over, and the followed values."""


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """The states that the tricks pass through, and the divisions they end with, given these conditions and this dealer."""

    conditions: tuple[tuple[c.Expr, bool], ...]
    dealer: int | None
    rounds: frozenset[Round]
    ends: frozenset[tuple[int, ...]]

    def excludes(self, program: c.Program, begun: Mapping[Key, Value], tricks: Sequence[int]) -> bool:
        """Whether a deal that begins with these carried values takes the course, and its tricks are never divided this way."""
        store = Store(program, {}, {}, begun, {})
        if tuple(tricks) in self.ends or begun.get(("dealer",), self.dealer) != self.dealer:
            return False
        return all(evaluate(condition, store, {}) is holds for condition, holds in self.conditions)


@dataclass(frozen=True, slots=True, eq=False)
class Courses:
    """The courses of a play that is a loop, with the followed variables: the tricks of each player first."""

    loop: c.Loop
    followed: tuple[Key, ...]
    each: tuple[Course, ...]


def courses_of(subject: Subject) -> Courses | None:
    """The courses proposed for the plays of a ruleset, under all parameters and readings; None if there are none."""
    return subject.once(courses_of, lambda: _courses_of(subject))


def _courses_of(subject: Subject) -> Courses | None:
    program = subject.program
    play = next(filter(is_play, walk(program.hand)), None)
    loop = None if play is None else _tricks_of(play)
    terms = list(islice(product(subject.parameters(), subject.readings(subject.usage.readings)), TERMS + 1))
    tricks = program.variables.get("tricks")
    if loop is None or len(terms) > TERMS or tricks is None or tricks.of != (c.PLAYER,):
        return None
    conditions = tuple(dict.fromkeys(_conditions(program, play)))
    if not conditions or len(conditions) > MOST_CONDITIONS:
        return None
    followed = _followed(program, loop)
    try:
        each = _Plays(subject, loop, followed, conditions, terms).courses()
    except (EngineLimitError, FaultError):
        return None
    return Courses(loop, followed, each) if each else None


def _tricks_of(play: c.InRule) -> c.Loop | None:
    """The loop over numbers in which tricks are counted."""
    loops = (x for x in walk(play) if isinstance(x, c.Loop) and isinstance(x.domain, c.Range))
    return next((x for x in loops if "tricks" in usage_of(x.body).assigns), None)


def _conditions(program: c.Program, node: object) -> Iterator[c.Expr]:
    """The conditions in some rules that depend only on carried values that nothing sets before the play is over."""
    for part in parts(node):
        if isinstance(part, c.Expr) and part.type == c.BOOLEAN and _is_carried(program, part):
            yield part
        else:
            yield from _conditions(program, part)


def _is_carried(program: c.Program, condition: c.Expr) -> bool:
    reads = usage_of(condition).reads - {"dealer"}
    nodes = list(walk(condition))
    binders = {x.binder for x in nodes if hasattr(x, "binder")}
    if not reads or any(isinstance(x, c.ZoneCards | c.Parameter | c.Reading) for x in nodes):
        return False
    if any(isinstance(x, c.Local) and x.name not in binders for x in nodes):
        return False
    if any(fault for x in nodes for fault in faults_of(x, is_nullable)):
        return False
    kinds = {program.variables[name].type.kind for name in reads}
    carried = all(program.variables[name].carried for name in reads)
    return (
        carried and not (kinds & {"card", *c.SETS}) and not (reads & usage_of(*first_part(program)).assigns)
    )


def _followed(program: c.Program, loop: c.Loop) -> tuple[Key, ...]:
    """The tricks of each player, and every single player or truth value that is set from trick to trick."""
    assigned = sorted(usage_of(loop.body).assigns)
    single = [name for name in assigned if not program.variables[name].of]
    others = [name for name in single if program.variables[name].type in (c.PLAYER, c.BOOLEAN)]
    return (*(("tricks", p) for p in range(program.players)), *((name,) for name in others))


class _Plays:
    """Plays from carried values under which the conditions hold or not, and the states that they pass through."""

    def __init__(
        self,
        subject: Subject,
        loop: c.Loop,
        followed: tuple[Key, ...],
        conditions: tuple[c.Expr, ...],
        terms: Sequence[tuple[dict[str, int], dict[str, int]]],
    ) -> None:
        self.program, self.followed, self.conditions, self.terms = (
            subject.program,
            followed,
            conditions,
            terms,
        )
        self.marked = replace(self.program, hand=mapped(self.program.hand, lambda x: _marked(x, loop)))
        self.rounds: dict[tuple[tuple[bool, ...], int | None], set[Round]] = {}
        self.ends: dict[tuple[tuple[bool, ...], int | None], set[tuple[int, ...]]] = {}

    def courses(self) -> tuple[Course, ...]:
        """The courses with few states; if seats are alike, they are the same for every dealer, rotated."""
        dealers: Sequence[int | None] = range(self.program.players) if seat(self.program) else [None]
        for dealer in dealers:
            self._plays_of(dealer)
        if seat(self.program) and seats_alike(self.program):
            self._from_every_seat()
        return tuple(
            Course(tuple(zip(self.conditions, held, strict=True)), dealer, frozenset(rounds), frozenset(ends))
            for (held, dealer), rounds in sorted(self.rounds.items(), key=str)
            if len(rounds) <= MOST_ROUNDS and (ends := self.ends.get((held, dealer)))
        )

    def _plays_of(self, dealer: int | None) -> None:
        deals: dict[Key, Value] = {} if dealer is None else {("dealer",): dealer}
        begun = list(islice(_begun(self.program, self.conditions), MOST_BEGUN))
        for seed, (values, terms) in islice(enumerate(_repeated(begun, self.terms)), PLAYS):
            hand = first_hand(self.marked, Chance(seed), *terms, {**values, **deals})
            store = Store(self.program, *terms, hand.begin.variables, hand.begin.zones)
            case = tuple(bool(evaluate(x, store, {})) for x in self.conditions), dealer
            seen = self.rounds.setdefault(case, set())
            rng, gone = Random(seed), 0
            while len(seen) <= MOST_ROUNDS and (decision := hand.state.decision) is not None:
                if decision.label == MARK:
                    followed = tuple(hand.state.variables.get(key) for key in self.followed)
                    seen.add((gone, followed))
                    gone += 1
                    if decision.player == 1:  # the loop is over
                        tricks = tuple(map(int, followed[: self.program.players]))  # type: ignore[arg-type]
                        self.ends.setdefault(case, set()).add(tricks)
                hand = hand.choose(pick(decision, rng))

    def _from_every_seat(self) -> None:
        """Rotate what was observed for one dealer to every dealer."""
        players, kinds = self.program.players, self.program.variables
        for held, dealer in list(self.rounds):
            for by in range(1, players):
                other = held, ((dealer or 0) + by) % players
                for gone, values in list(self.rounds[held, dealer]):
                    moved = {
                        (key[0], *((p + by) % players for p in key[1:])): (
                            (value + by) % players
                            if kinds[key[0]].type == c.PLAYER and isinstance(value, int)
                            else value
                        )
                        for key, value in zip(self.followed, values, strict=True)
                    }
                    seen = self.rounds.setdefault(other, set())
                    seen.add((gone, tuple(moved[key] for key in self.followed)))
                for end in list(self.ends.get((held, dealer), ())):
                    turned = tuple(end[(p - by) % players] for p in range(players))
                    self.ends.setdefault(other, set()).add(turned)


def _marked(node: object, loop: c.Loop) -> object | None:
    """The loop with a marker decision at its head, and one after it."""
    if node is not loop:
        return None
    again = replace(loop, body=(_mark(loop, 0), *loop.body))
    return c.InRule("play", (again, _mark(loop, 1)), loop.span)


def _mark(loop: c.Loop, player: int) -> c.ChooseValue:
    always, everybody = c.Literal(c.BOOLEAN, True, loop.span), c.Universe(c.PLAYERS, loop.span)
    actor = c.Literal(c.PLAYER, player, loop.span)
    return c.ChooseValue(
        MARK, actor, f"{MARK} {player}", c.PLAYER, everybody, False, always, "play", loop.span
    )


def _repeated(
    begun: Sequence[dict[Key, Value]], terms: Sequence[tuple[dict[str, int], dict[str, int]]]
) -> Iterator[tuple[dict[Key, Value], tuple[dict[str, int], dict[str, int]]]]:
    while begun:
        yield from product(begun, terms)


def _begun(program: c.Program, conditions: Sequence[c.Expr]) -> Iterator[dict[Key, Value]]:
    """Carried values at which the conditions may change from true to false or back."""
    names = sorted(usage_of(*conditions).reads - {"dealer"})
    numbers = {x.value for x in walk(*conditions) if isinstance(x, c.Literal) and x.type == c.INTEGER}
    near = sorted({n + d for n in numbers if isinstance(n, int) for d in (-1, 0, 1)} | {0})
    each = [list(_values(program, name, near)) for name in names]
    for values in product(*each):
        yield {key: value for of_one in values for key, value in of_one.items()}


def _values(program: c.Program, name: str, near: Sequence[int]) -> Iterator[Mapping[Key, Value]]:
    """Assignments of values to a variable: to all its owners, and to one of them."""
    info = program.variables[name]
    owners = owner_keys(program, info.of)
    if info.type == c.INTEGER:
        values: Sequence[Value] = near
    elif info.type == c.BOOLEAN:
        values = (False, True)
    else:
        values = range(size_of(program, info.type))
    for value in values:
        yield {(name, *owner): value for owner in owners}
    for value in values if info.of else ():
        for one in owners:
            yield {(name, *owner): value if owner == one else values[0] for owner in owners}
