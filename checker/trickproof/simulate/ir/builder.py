"""Writes integer programs statement by statement; decides which parts of a value are worked out in any case.

A part that only matters under a condition is worked out all the same if nothing in it can do harm: its guards then
ask for the condition too, and no jump is needed.  Anything else goes into an `If`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

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
from trickproof.simulate.ir.value_numbering import Known

Found = tuple[Expr, ...]
"""A value of one word, or of two (sets of integers)."""

MOST_SPECULATED = 80
"""Statements worked out without need, at most."""


@dataclass
class Tried:
    """Statements, and whether they are kept."""

    body: list[Stmt]
    kept: bool = False


class Builder:
    """A routine in the making."""

    def __init__(self, outer: tuple[str, ...]) -> None:
        self.routine = Routine(outer)
        self.out: list[Stmt] = self.routine.body
        self.number = 0
        self.level = 0
        """How many blocks are open."""
        self.depth = 0
        """How many conditions are open that may turn out to be speculated on."""
        self.known = Known()

    def array(self, name: str, size: int) -> str:
        self.routine.inner[name] = size
        return name

    def fresh(self, kind: str = "t") -> str:
        self.number += 1
        return f"{kind}{self.number}"

    def let(self, value: Expr) -> Expr:
        """The value, worked out here and now."""
        if isinstance(value, int) or (isinstance(value, str) and value[0] == "t"):
            return value
        if value in self.known.names:
            return self.known.names[value]
        name = self.fresh()
        self.known.named(name, value)
        self.out.append(Let(name, value))
        return name

    def begun(self, value: Expr) -> str:
        """A local that changes, with its first value."""
        name = self.fresh("m")
        self.set(name, value)
        return name

    def set(self, name: str, value: Expr) -> None:
        self.out.append(Set(name, value))

    def store(self, array: str, index: Expr, value: Expr) -> None:
        self.out.append(Store(array, index, value))
        self.known.stored(array, index, value)

    def read(self, array: str, index: Expr) -> Expr:
        """What an array holds, read only where it is not known."""
        held = self.known.held.get(array, {})
        if index in held:
            return held[index]
        value = self.let(load(array, index))
        self.known.read(array, index, value)
        return value

    def guard(self, condition: Expr, code: int) -> None:
        if condition == 0:
            return
        self.out.append(Leave(code) if condition == 1 else Guard(condition, code))

    def leave(self, code: int) -> None:
        self.out.append(Leave(code))

    @contextmanager
    def into(self, body: list[Stmt], again: bool = False) -> Iterator[None]:
        """What is written goes into a list: a block that may be gone through, and `again` if that is said."""
        before, self.out = self.out, body
        known, self.known = self.known, self.known.inner(again)
        self.level += 1
        try:
            yield
        finally:
            self.out = before
            known.after(self.known)
            self.known = known
            self.level -= 1

    @contextmanager
    def tried(self) -> Iterator[Tried]:
        """What is written goes on from here, unless it is not to be kept."""
        made = Tried([])
        before, self.out = self.out, made.body
        known, self.known = self.known, self.known.inner()
        self.known.written |= known.written
        try:
            yield made
        finally:
            self.out = before
            if made.kept:
                self.out += made.body
            else:
                self.known = known

    @contextmanager
    def when(self, condition: Expr) -> Iterator[None]:
        body: list[Stmt] = []
        with self.into(body):
            yield
        if condition == 1:
            self.out += body
        elif condition != 0 and body:
            self.out.append(If(condition, body, []))

    @contextmanager
    def scope(self) -> Iterator[None]:
        body: list[Stmt] = []
        with self.into(body):
            yield
        self.out.append(Scope(body))

    def either(self, condition: Expr, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        first: list[Stmt] = []
        second: list[Stmt] = []
        with self.into(first):
            then()
        with self.into(second):
            otherwise()
        if isinstance(condition, int):
            self.out += first if condition else second
        elif first or second:
            self.out.append(If(condition, first, second))

    def loop(self, condition: Callable[[], Expr], body: Callable[[], None], steady: bool = False) -> None:
        before: list[Stmt] = []
        inside: list[Stmt] = []
        with self.into(before, again=True):
            test = condition()
        with self.into(inside, again=True):
            body()
        self.out.append(While(before, test, inside, steady))

    def times(self, low: Expr, high: Expr, body: Callable[[Expr], None], steady: bool = False) -> None:
        """For every number from low to high."""
        at, last = self.begun(low), self.let(high)

        def once() -> None:
            body(self.let(at))
            self.set(at, op("add", at, 1))

        self.loop(lambda: op("le", at, last), once, steady)

    def bits(self, mask: Expr, body: Callable[[Expr], None]) -> None:
        """For the index of every bit of a mask, lowest first."""
        left = self.begun(mask)

        def once() -> None:
            now = self.let(left)
            body(self.let(op("first", now)))
            self.set(left, op("and", now, op("wrap-add", now, -1 & (1 << 64) - 1)))

        self.loop(lambda: op("ne", left, 0), once)

    def captured(self, make: Callable[[], Found]) -> tuple[list[Stmt], Found]:
        body: list[Stmt] = []
        self.depth += 1
        with self.into(body):
            found = make()
        self.depth -= 1
        return body, found

    def under(self, condition: Expr, make: Callable[[], Found]) -> Found:
        """A value that matters under a condition only; anything (but no harm) where that fails."""
        body, found = self.captured(make)
        if condition == 0:
            return tuple(0 for _ in found)
        if condition == 1:
            self.out += body
            return found
        if harmless(body):
            self.out += narrowed(body, condition)
            return found
        names = [self.begun(0) for _ in found]
        body += [Set(name, value) for name, value in zip(names, found, strict=True)]
        self.out.append(If(condition, body, []))
        return tuple(self.let(name) for name in names)

    def choose(self, condition: Expr, then: Callable[[], Found], otherwise: Callable[[], Found]) -> Found:
        """One value or the other."""
        (first, a), (second, b) = self.captured(then), self.captured(otherwise)
        if isinstance(condition, int):
            self.out += first if condition else second
            return a if condition else b
        condition = self.let(condition)
        if harmless(first) and harmless(second):
            self.out += narrowed(first, condition) + narrowed(second, op("not", condition))
            return tuple(op("select", condition, x, y) for x, y in zip(a, b, strict=True))
        names = [self.fresh("m") for _ in a]
        first += [Set(name, value) for name, value in zip(names, a, strict=True)]
        second += [Set(name, value) for name, value in zip(names, b, strict=True)]
        self.out.append(If(condition, first, second))
        return tuple(self.let(name) for name in names)


def harmless(body: list[Stmt]) -> bool:
    """Whether statements can be carried out where they are not asked for, but for their guards."""
    return len(body) <= MOST_SPECULATED and all(isinstance(t, Let | Guard) for t in body)


def narrowed(body: list[Stmt], condition: Expr) -> list[Stmt]:
    """The statements, with guards that only hold under a condition.

    What breaks down is asked first: it hardly ever does, while the condition may be anything.
    """
    return [
        Guard(op("select", t.condition, condition, 0), t.code) if isinstance(t, Guard) else t for t in body
    ]
