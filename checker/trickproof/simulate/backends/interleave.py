"""Several matches interleaved, statement by statement, to hide the processor's latency.

A hand is one long dependency chain; a few chains side by side take hardly longer than one.  The routine is
derived from the one for single matches: everything that belongs to a match is duplicated for each lane.  It
plays as long as all hands take the same path through their loops and nothing fails at run time; otherwise it
restores the state before these hands (`STUCK`), and they are played one by one.  Which matches are
interleaved does not affect what is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from trickproof.simulate.ir.calling_convention import (
    END,
    ENDED,
    HANDS,
    LANES,
    NEXT,
    OWN_WORDS,
    STATE,
    STOPPED,
)
from trickproof.simulate.ir.dead_code import eliminate_dead_code
from trickproof.simulate.ir.instructions import (
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
from trickproof.simulate.program.compile import CompiledProgram

STUCK = 2
"""The code with which interleaved hands leave their scope when they cannot continue."""

SHARED = {"m.next", "m.hands", "left"}


def interleaved(single: CompiledProgram) -> Routine | None:
    """The routine for all lanes; None if the program's structure does not allow it."""
    alone = Routine(single.routine.outer, dict(single.routine.inner), _plain(single.routine.body))
    eliminate_dead_code(alone)
    loops = [i for i, t in enumerate(alone.body) if isinstance(t, While)]
    if len(loops) != 1:
        return None
    loop = alone.body[loops[0]]
    assert isinstance(loop, While)
    scopes = [i for i, t in enumerate(loop.body) if isinstance(t, Scope)]
    if len(scopes) != 1:
        return None
    first = [t for t in alone.body[: loops[0]] if not _is_state(t, alone)]
    return _Interleaver(single, alone, first, loop, scopes[0]).routine()


def _plain(body: Sequence[Stmt]) -> list[Stmt]:
    """The statements with every rare branch replaced by a guard that leaves with `STUCK`."""
    plain: list[Stmt] = []
    for t in body:
        match t:
            case If(seldom=True):
                plain.append(Guard(t.condition, STUCK))
            case If():
                plain.append(If(t.condition, _plain(t.then), _plain(t.otherwise)))
            case While():
                plain.append(While(_plain(t.before), t.condition, _plain(t.body), t.steady))
            case Scope():
                plain.append(Scope(_plain(t.body)))
            case Let() | Set() | Store() | Guard() | Leave():
                plain.append(t)
            case _:
                assert_never(t)
    return plain


def _assigned_names(t: Stmt) -> list[str]:
    """Locals that a statement defines or assigns, at any depth."""
    match t:
        case Let() | Set():
            return [t.name]
        case If():
            return [name for x in (*t.then, *t.otherwise) for name in _assigned_names(x)]
        case While():
            return [name for x in (*t.before, *t.body) for name in _assigned_names(x)]
        case Scope():
            return [name for x in t.body for name in _assigned_names(x)]
    return []


def _is_state(t: Stmt, alone: Routine) -> bool:
    return isinstance(t, Store) and t.array in alone.inner


class _Interleaver:
    def __init__(
        self, single: CompiledProgram, alone: Routine, first: Sequence[Stmt], loop: While, scope: int
    ) -> None:
        self.alone, self.first, self.loop, self.at = alone, first, loop, scope
        self.carried, self.fresh = single.carried, single.fresh
        assigned = {name for t in loop.body for name in _assigned_names(t)}
        self.own = (assigned | set(OWN_WORDS) | set(alone.inner)) - SHARED
        self.names = {lane: {name: name + lane for name in self.own} for lane in LANES}
        """For each lane, the renamed locals and arrays that belong to a match."""

    def routine(self) -> Routine:
        inner = {array + lane: size for lane in LANES for array, size in self.alone.inner.items()}
        saved = [(array, size) for array, size in self.carried if self._begins_with(array)]
        inner |= {f"saved.{array}{lane}": size for lane in LANES for array, size in saved}
        routine = Routine(self.alone.outer, inner)
        routine.body = [*self._beginning(), While([], self._all_can(), self._round(saved)), *self._end()]
        return routine

    def _begins_with(self, array: str) -> bool:
        """Whether a hand starts with what the previous hand left in an array."""
        return array[:2] in ("v.", "z.") and array not in self.fresh

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

    def _all_can(self) -> Expr:
        """Whether every lane has a match to play and a hand left to play."""
        begin: Expr = 0
        for lane in LANES:
            begin = op("add", begin, op("eq", f"m.number{lane}", 0))
        enough = op("le", op("add", "m.next", begin), load("io", END))
        return op("and", op("and", enough, op("le", len(LANES), "m.hands")), op("eq", load("io", STOPPED), 0))

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
        hand = Scope(self._zipped(lanes, tail=True))
        after = self._for_each(self.loop.body[self.at + 1 :])
        stuck = [*back, *back_words, Store("io", STOPPED, 1)]
        return [
            *kept_words,
            *keep,
            *self._for_each(self.loop.body[: self.at]),
            *ends,
            hand,
            If(op("eq", "left", STUCK), stuck, after),
        ]

    def _for_each(self, body: Sequence[Stmt]) -> list[Stmt]:
        """The whole body for each lane in turn."""
        each = [(t, lane) for t in body for lane in LANES]
        return [_substituted(self._renamed(t, lane), {"left": f"left{lane}"}) for t, lane in each]

    def _renamed(self, t: Stmt, lane: str) -> Stmt:
        return _substituted(t, self.names[lane]) if lane else t

    def _zipped(self, lanes: Sequence[Sequence[Stmt]], tail: bool = False) -> list[Stmt]:
        """The statements of all lanes interleaved; a guard in any lane leaves the scope for all of them."""
        zipped: list[Stmt] = []
        for i, each in enumerate(zip(*lanes, strict=True)):
            last = tail and i == len(lanes[0]) - 1
            match each[0]:
                case Guard():
                    doubts = [t.condition for t in each if isinstance(t, Guard)]
                    zipped.append(Guard(_folded("or", doubts), STUCK))
                case While(steady=True):
                    zipped += self._together([t for t in each if isinstance(t, While)])
                case If() | While() | Leave():
                    zipped += [self._alone(t, lane, last) for t, lane in zip(each, LANES, strict=True)]
                case Let() | Set() | Store() | Scope():
                    zipped += each
                case _:
                    assert_never(each[0])
        return zipped

    def _together(self, loops: Sequence[While]) -> list[Stmt]:
        """Iterate while all lanes iterate; get stuck unless all finish at once."""
        on = [_truth(t.condition) for t in loops]
        before, body = (self._zipped([t.before for t in loops]), self._zipped([t.body for t in loops]))
        apart = _folded("or", [op("ne", on[0], other) for other in on[1:]])
        return [While(before, _folded("and", on), body), Guard(apart, STUCK)]

    def _alone(self, t: Stmt, lane: str, tail: bool) -> Stmt:
        """A statement of one lane, with its exits adapted to the shared scope."""
        match t:
            case If():
                return If(t.condition, self._all(t.then, lane, tail), self._all(t.otherwise, lane, tail))
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


def _folded(name: str, values: Sequence[Expr]) -> Expr:
    folded, *others = values
    for x in others:
        folded = op(name, folded, x)
    return folded


def _truth(e: Expr) -> Expr:
    return op("ne", e, 0)


def _substituted(t: Stmt, names: dict[str, str]) -> Stmt:
    """The statement with locals and arrays renamed."""

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
            return If(value(t.condition), every(t.then), every(t.otherwise))
        case While():
            return While(every(t.before), value(t.condition), every(t.body), t.steady)
        case Guard():
            return Guard(value(t.condition), t.code)
        case Leave():
            return t
        case Scope():
            return Scope(every(t.body))
