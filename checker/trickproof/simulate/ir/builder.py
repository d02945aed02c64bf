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
from trickproof.simulate.ir.value_numbering import ValueNumbering

Words = tuple[Expr, ...]
"""A value of one word, or of two (sets of integers)."""

MOST_SPECULATED = 80
"""Statements worked out without need, at most."""


@dataclass
class Speculation:
    """Statements, and whether they are kept."""

    body: list[Stmt]
    accepted: bool = False


class Builder:
    """A routine in the making."""

    def __init__(self, outer: tuple[str, ...]) -> None:
        self.routine = Routine(outer)
        self.out: list[Stmt] = self.routine.body
        self.number = 0
        self.written = 0
        """Statements written so far, those included that were not kept."""
        self.level = 0
        """How many blocks are open."""
        self.depth = 0
        """How many conditions are open that may turn out to be speculated on."""
        self.numbering = ValueNumbering()

    def array(self, name: str, size: int) -> str:
        self.routine.inner[name] = size
        return name

    def write(self, t: Stmt) -> None:
        self.written += 1
        self.out.append(t)

    def fresh(self, kind: str = "t") -> str:
        self.number += 1
        return f"{kind}{self.number}"

    def let(self, value: Expr) -> Expr:
        """The value, worked out here and now."""
        if isinstance(value, int) or (isinstance(value, str) and value[0] == "t"):
            return value
        if value in self.numbering.names:
            return self.numbering.names[value]
        name = self.fresh()
        self.numbering.define(name, value)
        self.write(Let(name, value))
        return name

    def mutable(self, value: Expr) -> str:
        """A local that changes, with its first value."""
        name = self.fresh("m")
        self.set(name, value)
        return name

    def set(self, name: str, value: Expr) -> None:
        self.write(Set(name, value))

    def store(self, array: str, index: Expr, value: Expr) -> None:
        self.write(Store(array, index, value))
        self.numbering.store(array, index, value)

    def read(self, array: str, index: Expr) -> Expr:
        """What an array holds, read only where it is not known."""
        contents = self.numbering.contents.get(array, {})
        if index in contents:
            return contents[index]
        value = self.let(load(array, index))
        self.numbering.load(array, index, value)
        return value

    def guard(self, condition: Expr, code: int) -> None:
        if condition == 0:
            return
        self.write(Leave(code) if condition == 1 else Guard(condition, code))

    def leave(self, code: int) -> None:
        self.write(Leave(code))

    @contextmanager
    def into(self, body: list[Stmt], again: bool = False) -> Iterator[None]:
        """What is written goes into a list: a block that may be gone through, and `again` if that is said."""
        before, self.out = self.out, body
        outside, self.numbering = self.numbering, self.numbering.in_block(again)
        self.level += 1
        try:
            yield
        finally:
            self.out = before
            outside.after_block(self.numbering)
            self.numbering = outside
            self.level -= 1

    @contextmanager
    def speculate(self) -> Iterator[Speculation]:
        """What is written goes on from here, unless it is not to be kept."""
        speculation = Speculation([])
        before, self.out = self.out, speculation.body
        outside, self.numbering = self.numbering, self.numbering.in_block()
        self.numbering.stored |= outside.stored
        try:
            yield speculation
        finally:
            self.out = before
            if speculation.accepted:
                self.out += speculation.body
            else:
                self.numbering = outside

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
        at, last = self.mutable(low), self.let(high)

        def once() -> None:
            body(self.let(at))
            self.set(at, op("add", at, 1))

        self.loop(lambda: op("le", at, last), once, steady)

    def bits(self, mask: Expr, body: Callable[[Expr], None]) -> None:
        """For the index of every bit of a mask, lowest first."""
        remaining = self.mutable(mask)

        def once() -> None:
            now = self.let(remaining)
            body(self.let(op("first", now)))
            self.set(remaining, op("and", now, op("wrap-add", now, -1 & (1 << 64) - 1)))

        self.loop(lambda: op("ne", remaining, 0), once)

    def capture(self, make: Callable[[], Words]) -> tuple[list[Stmt], Words]:
        body: list[Stmt] = []
        self.depth += 1
        with self.into(body):
            words = make()
        self.depth -= 1
        return body, words

    def under(self, condition: Expr, make: Callable[[], Words]) -> Words:
        """A value that matters under a condition only; anything (but no harm) where that fails."""
        body, words = self.capture(make)
        if condition == 0:
            return tuple(0 for _ in words)
        if condition == 1:
            self.out += body
            return words
        if can_speculate(body):
            self.out += predicated(body, condition)
            return words
        names = [self.mutable(0) for _ in words]
        body += [Set(name, value) for name, value in zip(names, words, strict=True)]
        self.out.append(If(condition, body, []))
        return tuple(self.let(name) for name in names)

    def choose(self, condition: Expr, then: Callable[[], Words], otherwise: Callable[[], Words]) -> Words:
        """One value or the other."""
        (first, a), (second, b) = self.capture(then), self.capture(otherwise)
        if isinstance(condition, int):
            self.out += first if condition else second
            return a if condition else b
        condition = self.let(condition)
        if can_speculate(first) and can_speculate(second):
            self.out += predicated(first, condition) + predicated(second, op("not", condition))
            return tuple(op("select", condition, x, y) for x, y in zip(a, b, strict=True))
        names = [self.fresh("m") for _ in a]
        first += [Set(name, value) for name, value in zip(names, a, strict=True)]
        second += [Set(name, value) for name, value in zip(names, b, strict=True)]
        self.out.append(If(condition, first, second))
        return tuple(self.let(name) for name in names)


def can_speculate(body: list[Stmt]) -> bool:
    """Whether statements can be carried out where they are not asked for, but for their guards."""
    return len(body) <= MOST_SPECULATED and all(isinstance(t, Let | Guard) for t in body)


def predicated(body: list[Stmt], condition: Expr) -> list[Stmt]:
    """The statements, with guards that only hold under a condition.

    What fails at run time is asked first: it hardly ever does, while the condition may be anything.
    """
    return [
        Guard(op("select", t.condition, condition, 0), t.code) if isinstance(t, Guard) else t for t in body
    ]
