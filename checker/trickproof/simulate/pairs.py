"""Two matches at a time, statement by statement in turn, so that the processor need not wait for either.

A hand is a long chain in which every card waits for the one before; two chains side by side take hardly longer than
one.  The routine of pairs is made of the routine of single matches: everything that a match has of its own is there
twice.  It plays as long as both hands go the same way through their loops and nothing breaks down; else it gives the
two hands back as they were before they began (`STUCK`), to be played one by one.  Which matches are played together
makes no difference to what is counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from trickproof.simulate.calling import END, ENDED, HANDS, NEXT, OWN_WORDS, STATE, STOPPED
from trickproof.simulate.compile import Compiled
from trickproof.simulate.ir import (
    Expr,
    Guard,
    If,
    Leave,
    Let,
    Op,
    Routine,
    Scope,
    Set,
    Stmt,
    Store,
    While,
    load,
    op,
)
from trickproof.simulate.live import lean

STUCK = 2
"""How the scope of a pair is left when it cannot go on."""

LANES = (".a", ".b")

SHARED = {"m.next", "m.hands", "left"}


def pairs(single: Compiled) -> Routine | None:
    """The routine for two; None for a program whose hands cannot be taken apart."""
    body = single.routine.body
    loops = [i for i, t in enumerate(body) if isinstance(t, While)]
    if len(loops) != 1:
        return None
    loop = body[loops[0]]
    assert isinstance(loop, While)
    scopes = [i for i, t in enumerate(loop.body) if isinstance(t, Scope)]
    if len(scopes) != 1:
        return None
    own = {name for t in loop.body for name in _made(t)} | set(OWN_WORDS)
    own |= set(single.routine.inner)
    own -= SHARED
    first = [t for t in body[: loops[0]] if not _is_state(t, single)]
    made = _Pair(single, own, first, loop, scopes[0])
    routine = made.routine()
    lean(routine)
    return routine


def _made(t: Stmt) -> list[str]:
    """Locals that a statement makes or changes, however deep."""
    match t:
        case Let() | Set():
            return [t.name]
        case If():
            return [name for x in (*t.then, *t.otherwise) for name in _made(x)]
        case While():
            return [name for x in (*t.before, *t.body) for name in _made(x)]
        case Scope():
            return [name for x in t.body for name in _made(x)]
    return []


def _is_state(t: Stmt, single: Compiled) -> bool:
    return isinstance(t, Store) and t.array in single.routine.inner


class _Pair:
    def __init__(
        self, single: Compiled, own: set[str], first: Sequence[Stmt], loop: While, scope: int
    ) -> None:
        self.single, self.own, self.first, self.loop, self.at = single, own, first, loop, scope
        self.carried = single.carried

    def routine(self) -> Routine:
        inner = {array + lane: size for lane in LANES for array, size in self.single.routine.inner.items()}
        saved = [(array, size) for array, size in self.carried if self._begins_with(array)]
        inner |= {f"saved.{array}{lane}": size for lane in LANES for array, size in saved}
        made = Routine(self.single.routine.outer, inner)
        made.body = [*self._beginning(), While([], self._both_can(), self._round(saved)), *self._end()]
        return made

    def _begins_with(self, array: str) -> bool:
        """Whether a hand begins with what the hand before left in an array."""
        return array[:2] in ("v.", "z.") and array not in self.single.fresh

    def _beginning(self) -> list[Stmt]:
        body: list[Stmt] = []
        for t in self.first:
            lanes = LANES if isinstance(t, Set) and t.name in self.own else ("",)
            body += [self._renamed(t, lane) for lane in lanes]
        at = STATE
        for lane in LANES:
            body += [Set(word + lane, load("io", at + i)) for i, word in enumerate(OWN_WORDS)]
            at += len(OWN_WORDS)
            for array, size in self.carried:
                body += [Store(array + lane, i, load("io", at + i)) for i in range(size)]
                at += size
        return [*body, Store("io", STOPPED, 0)]

    def _end(self) -> list[Stmt]:
        body: list[Stmt] = [Store("io", NEXT, "m.next"), Store("io", HANDS, "m.hands")]
        at = STATE
        for lane in LANES:
            body += [Store("io", at + i, word + lane) for i, word in enumerate(OWN_WORDS)]
            at += len(OWN_WORDS)
            for array, size in self.carried:
                body += [Store("io", at + i, load(array + lane, i)) for i in range(size)]
                at += size
        return body

    def _both_can(self) -> Expr:
        """Whether there is a match for each, and hands for both."""
        begin = op("add", op("eq", "m.number.a", 0), op("eq", "m.number.b", 0))
        enough = op("le", op("add", "m.next", begin), load("io", END))
        return op("and", op("and", enough, op("lt", 1, "m.hands")), op("eq", load("io", STOPPED), 0))

    def _round(self, saved: Sequence[tuple[str, int]]) -> list[Stmt]:
        scope = self.loop.body[self.at]
        assert isinstance(scope, Scope)
        keep = [
            Store(f"saved.{a}{lane}", i, load(a + lane, i))
            for lane in LANES
            for a, n in saved
            for i in range(n)
        ]
        back = [
            Store(a + lane, i, load(f"saved.{a}{lane}", i))
            for lane in LANES
            for a, n in saved
            for i in range(n)
        ]
        words = ["m.next", *(word + lane for lane in LANES for word in OWN_WORDS)]
        kept_words: list[Stmt] = [Let(f"t.kept.{word}", word) for word in words]
        back_words: list[Stmt] = [Set(word, f"t.kept.{word}") for word in words]
        ends: list[Stmt] = [Set(f"left{lane}", 0) for lane in LANES]
        lanes = [[self._renamed(t, lane) for t in scope.body] for lane in LANES]
        hand = Scope(self._zipped(lanes[0], lanes[1], tail=True))
        after = self._twice(self.loop.body[self.at + 1 :])
        stuck = [*back, *back_words, Store("io", STOPPED, 1)]
        return [
            *kept_words,
            *keep,
            *self._twice(self.loop.body[: self.at]),
            *ends,
            hand,
            If(op("eq", "left", STUCK), stuck, after),
        ]

    def _twice(self, body: Sequence[Stmt]) -> list[Stmt]:
        """For both, one after the other, whole."""
        pairs = [(t, lane) for t in body for lane in LANES]
        return [_substituted(self._renamed(t, lane), {"left": f"left{lane}"}) for t, lane in pairs]

    def _renamed(self, t: Stmt, lane: str) -> Stmt:
        return _substituted(t, {name: name + lane for name in self.own}) if lane else t

    def _zipped(self, a: Sequence[Stmt], b: Sequence[Stmt], tail: bool = False) -> list[Stmt]:
        """The statements of both in turn; what would leave the scope leaves it for both, unless it is the last."""
        made: list[Stmt] = []
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            last = tail and i == len(a) - 1
            match x, y:
                case Guard(), Guard():
                    made.append(Guard(op("or", x.condition, y.condition), STUCK))
                case Leave(), Leave():
                    made += [_leave(x, LANES[0], last), _leave(y, LANES[1], last)]
                case If(seldom=True), If():
                    made.append(Guard(op("or", x.condition, y.condition), STUCK))
                case While(steady=True), While():
                    on = _truth(x.condition), _truth(y.condition)
                    before, body = self._zipped(x.before, y.before), self._zipped(x.body, y.body)
                    made += [While(before, op("and", *on), body), Guard(op("ne", *on), STUCK)]
                case (If(), If()) | (While(), While()):
                    made += [self._alone(x, LANES[0], last), self._alone(y, LANES[1], last)]
                case _:
                    made += [x, y]
        return made

    def _alone(self, t: Stmt, lane: str, tail: bool) -> Stmt:
        """A statement of one lane, with what it would leave the scope with."""
        match t:
            case If():
                return If(
                    t.condition, self._all(t.then, lane, tail), self._all(t.otherwise, lane, tail), t.seldom
                )
            case While():
                return While(self._all(t.before, lane, False), t.condition, self._all(t.body, lane, False))
            case Guard():
                return Guard(t.condition, STUCK)
            case Leave():
                return _leave(t, lane, tail)
        return t

    def _all(self, body: Sequence[Stmt], lane: str, tail: bool) -> list[Stmt]:
        return [self._alone(t, lane, tail and i == len(body) - 1) for i, t in enumerate(body)]


def _leave(t: Leave, lane: str, last: bool) -> Stmt:
    return Set(f"left{lane}", ENDED) if last and t.code == ENDED else Leave(STUCK)


def _truth(e: Expr) -> Expr:
    return op("ne", e, 0)


def _substituted(t: Stmt, names: dict[str, str]) -> Stmt:
    """The statement with other names."""

    def value(e: Expr) -> Expr:
        if isinstance(e, str):
            return names.get(e, e)
        return Op(e.name, tuple(value(x) for x in e.args)) if isinstance(e, Op) else e

    def every(body: Sequence[Stmt]) -> list[Stmt]:
        return [_substituted(x, names) for x in body]

    match t:
        case Let():
            return Let(names.get(t.name, t.name), value(t.value))
        case Set():
            return Set(names.get(t.name, t.name), value(t.value))
        case Store():
            return Store(names.get(t.array, t.array), value(t.index), value(t.value))
        case If():
            return If(value(t.condition), every(t.then), every(t.otherwise), t.seldom)
        case While():
            return While(every(t.before), value(t.condition), every(t.body), t.steady)
        case Guard():
            return Guard(value(t.condition), t.code)
        case Leave():
            return t
        case Scope():
            return Scope(every(t.body))
