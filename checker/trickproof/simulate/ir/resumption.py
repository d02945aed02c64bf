"""Makes the scope of a routine resumable: it can be left at a point, and entered again behind it any number of times.

A point is written by `pause`, which leaves the scope.  `resumable` then lets the scope skip everything up to
the point whose number is in `RESUME`; what was computed before and is needed behind it is saved after
leaving, and restored before entering again.  Nothing is computed twice, and nothing else changes.

May assume: there is one scope, no condition of a loop contains a point, and everything that the scope reads
is either set in the scope or the same whenever it is entered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import assert_never

from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.dead_code import operands
from trickproof.simulate.ir.instructions import (
    Expr,
    Guard,
    If,
    Leave,
    Let,
    Routine,
    Scope,
    Set,
    Stmt,
    Store,
    While,
    load,
    op,
)

PAUSED, RESUME = "m.paused", "m.resume"
"""Locals: the number of the point at which the scope was left, and of the one behind which it is to go on.

0: it was left elsewhere; it is to begin at its start.
"""

SAVED = "saved"
"""The array of saved locals and arrays."""

MOST_SAVED = 500
"""Maximum number of words saved; ordinary games need 50 to 150."""


def pause(b: Builder, number: int, code: int) -> None:
    """Leave the scope at a point; numbers are positive and unique."""
    b.set(PAUSED, number)
    b.leave(code)


def resumable(routine: Routine, save: list[Stmt], restore: list[Stmt], scratch: Container[str] = ()) -> None:
    """Transform the scope of a routine, and write into `save` and `restore` what is to be done there.

    Nothing that is in a `scratch` array at a point is needed behind it.  If there is too much to save, nothing
    is done, so that the scope begins at its start in any case.
    """
    body, inner = routine.body, routine.inner
    scope = _scope(body)
    if scope is None or not _points(scope.body):
        return
    inside = set(map(id, _all(scope.body)))
    live = _Liveness(_read(t for t in _all(body) if id(t) not in inside))
    live.before(scope.body, live.exit)
    assigned = {t.name for t in _all(scope.body) if isinstance(t, Let | Set)}
    stored = {t.array for t in _all(scope.body) if isinstance(t, Store)}
    names = sorted((live.behind_points & assigned) - {PAUSED, RESUME})
    arrays = sorted(x for x in live.behind_points & stored & set(inner) if x not in scratch)
    elements: list[tuple[str, Expr]] = [(array, i) for array in arrays for i in range(inner[array])]
    if len(names) + len(elements) > MOST_SAVED:
        return
    scope.body = _Skipping(_counts(body)).block(scope.body)
    routine.body[:0] = [Set(name, 0) for name in names]
    for at, name in enumerate(names):
        save.append(Store(SAVED, at, name))
        restore.append(Set(name, load(SAVED, at)))
    for at, (array, index) in enumerate(elements, len(names)):
        save.append(Store(SAVED, at, load(array, index)))
        restore.append(Store(array, index, load(SAVED, at)))
    inner[SAVED] = len(names) + len(elements)


class _Skipping:
    """Lets blocks skip what stands before the point at `RESUME`."""

    def __init__(self, reads: Counter[str]) -> None:
        self.reads = reads
        """How often each name is read in the whole routine."""

    def block(self, body: list[Stmt]) -> list[Stmt]:
        """A block; if not 0, `RESUME` is one of its points."""
        if _is_point(body):
            return [If(_RESUMING, [Set(RESUME, 0)], body)]
        points = [_points([t]) for t in body]
        with_points = [i for i, x in enumerate(points) if x]
        if not with_points:
            return body
        changed, begin = list[Stmt](), 0
        for i in with_points:
            changed += self.skipped(body[begin:i])
            inside = self.statement(body[i])
            others = i < with_points[-1]
            wanted = op("or", op("eq", RESUME, 0), _one_of(points[i]))
            changed.append(If(wanted, [inside], []) if others else inside)
            begin = i + 1
        return changed + body[begin:]

    def skipped(self, body: list[Stmt]) -> list[Stmt]:
        """Statements before a point; what they name may be used behind it, so it becomes mutable."""
        if not body:
            return []
        reads = _counts(body)
        changed: list[Stmt] = [
            Set(t.name, t.value) if isinstance(t, Let) and self.reads[t.name] > reads[t.name] else t
            for t in body
        ]
        return [If(op("eq", RESUME, 0), changed, [])]

    def statement(self, t: Stmt) -> Stmt:
        """A statement that contains points."""
        match t:
            case If():
                then = _points(t.then)
                wanted = _one_of(then) if then and _points(t.otherwise) else int(bool(then))
                condition = op("select", _RESUMING, wanted, t.condition)
                return If(condition, self.block(t.then), self.block(t.otherwise), t.seldom)
            case While():
                condition = op("select", _RESUMING, 1, t.condition)
                return While(self.skipped(t.before), condition, self.block(t.body), t.steady)
            case _:
                raise AssertionError("only blocks contain points")


_RESUMING = op("ne", RESUME, 0)


def _one_of(points: set[int]) -> Expr:
    """Whether `RESUME` is one of some points."""
    return op("and", op("shr", sum(1 << k for k in points), RESUME), 1)


def _is_point(body: Sequence[Stmt]) -> bool:
    return len(body) == 2 and isinstance(body[0], Set) and body[0].name == PAUSED


class _Liveness:
    """What is read later: locals precisely, arrays if any of their elements is."""

    def __init__(self, exit_: set[str]) -> None:
        self.exit = exit_
        """What is read outside the scope."""
        self.behind_points: set[str] = set()
        self._reads: dict[int, frozenset[str]] = {}

    def before(self, body: Sequence[Stmt], after: set[str]) -> set[str]:
        """What is live before a block, given what is live after it."""
        if _is_point(body):
            self.behind_points |= after
            return after | self.exit
        live = after
        for t in reversed(body):
            live = self._statement(t, live)
        return live

    def _statement(self, t: Stmt, live: set[str]) -> set[str]:
        read = self._read(t)
        match t:
            case Let() | Set():
                return live - {t.name} | read
            case Store():
                return live | read
            case Guard():
                return live | read | self.exit
            case Leave():
                return self.exit
            case If():
                return self.before(t.then, live) | self.before(t.otherwise, live) | read
            case While():
                return self._loop(t, live | read)
            case Scope():
                raise AssertionError("scopes do not nest")
            case _:
                assert_never(t)

    def _loop(self, t: While, after: set[str]) -> set[str]:
        live = after
        while True:
            begin = self.before(t.before, after | self.before(t.body, live))
            if begin <= live:
                return begin
            live = live | begin

    def _read(self, t: Stmt) -> frozenset[str]:
        """Memoised by identity, since the routine keeps its statements alive."""
        if id(t) not in self._reads:
            self._reads[id(t)] = frozenset(_read([t]))
        return self._reads[id(t)]


def _scope(body: Sequence[Stmt]) -> Scope | None:
    return next((t for t in _all(body) if isinstance(t, Scope)), None)


def _points(body: Iterable[Stmt]) -> set[int]:
    """The numbers of the points in a block."""
    return {
        t.value for t in _all(body) if isinstance(t, Set) and t.name == PAUSED and isinstance(t.value, int)
    }


def _all(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """All statements, at any depth."""
    for t in body:
        yield t
        match t:
            case If():
                yield from _all(t.then)
                yield from _all(t.otherwise)
            case While():
                yield from _all(t.before)
                yield from _all(t.body)
            case Scope():
                yield from _all(t.body)


def _operands(t: Stmt) -> Iterator[str]:
    """The names that a statement itself reads."""
    match t:
        case Let() | Set():
            yield from operands(t.value)
        case Store():
            yield from operands(t.index)
            yield from operands(t.value)
        case If() | While() | Guard():
            yield from operands(t.condition)
        case Leave() | Scope():
            return
        case _:
            assert_never(t)


def _read(body: Iterable[Stmt]) -> set[str]:
    return {name for t in body for name in _operands(t)}


def _counts(body: Iterable[Stmt]) -> Counter[str]:
    """How often each name is read, at any depth."""
    return Counter(name for t in _all(body) for name in _operands(t))
