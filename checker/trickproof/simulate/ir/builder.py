"""Builds integer programs statement by statement, and decides which values are computed speculatively.

A value needed only under a condition is computed unconditionally if that can do no harm: its guards are then
predicated on the condition, and no branch is needed.  Anything else goes into an `If`.
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
"""A value in one word, or in two (sets of integers)."""

MOST_SPECULATED = 80
"""Maximum number of statements that are speculated."""


@dataclass
class Speculation:
    """Statements, and whether they are kept."""

    body: list[Stmt]
    accepted: bool = False


class Builder:
    """A routine under construction."""

    def __init__(self, outer: tuple[str, ...]) -> None:
        self.routine = Routine(outer)
        self.out: list[Stmt] = self.routine.body
        self.number = 0
        self.written = 0
        """Number of statements written so far, including those that were discarded."""
        self.level = 0
        """Number of open blocks."""
        self.depth = 0
        """Number of open conditions under which statements may end up speculated."""
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
        """Name a value, computed at this point."""
        if isinstance(value, int) or (isinstance(value, str) and value[0] == "t"):
            return value
        if value in self.numbering.names:
            return self.numbering.names[value]
        name = self.fresh()
        self.numbering.define(name, value)
        self.write(Let(name, value))
        return name

    def mutable(self, value: Expr) -> str:
        """Create a mutable local with an initial value."""
        name = self.fresh("m")
        self.set(name, value)
        return name

    def set(self, name: str, value: Expr) -> None:
        self.write(Set(name, value))

    def store(self, array: str, index: Expr, value: Expr) -> None:
        self.write(Store(array, index, value))
        self.numbering.store(array, index, value)

    def read(self, array: str, index: Expr) -> Expr:
        """The content of an array at an index; a load is emitted only if the content is not known."""
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
        """Collect statements in a list: a block that may be skipped, or with `again` one that may be repeated."""
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
        """Write statements that are appended only if the speculation is accepted."""
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
        """Loop over the numbers from low to high."""
        at, last = self.mutable(low), self.let(high)

        def once() -> None:
            body(self.let(at))
            self.set(at, op("add", at, 1))

        self.loop(lambda: op("le", at, last), once, steady)

    def bits(self, mask: Expr, body: Callable[[Expr], None]) -> None:
        """Loop over the indices of the bits of a mask, lowest first."""
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
        """A value needed only under a condition; arbitrary (but harmless) if the condition fails."""
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
        """One value or the other, by a condition."""
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
    """Whether statements may be executed unconditionally, apart from their guards."""
    return len(body) <= MOST_SPECULATED and all(isinstance(t, Let | Guard) for t in body)


def predicated(body: list[Stmt], condition: Expr) -> list[Stmt]:
    """The statements, with guards that apply only under a condition.

    The fault's own condition is tested first: it is almost always false, whereas the other is unpredictable.
    """
    return [
        Guard(op("select", t.condition, condition, 0), t.code) if isinstance(t, Guard) else t for t in body
    ]
