"""Trying candidates in worlds: which hand to play next, and what to sum.

A world is drawn and its record followed; if it fits, the hand continues once with every candidate from where
the record ended (`ir.resumption`), each time with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import GOLDEN
from trickproof.simulate.ir.instructions import Expr, If, Stmt, load, op
from trickproof.simulate.ir.resumption import PAUSED, RESUME
from trickproof.simulate.lowering import random_numbers as chance
from trickproof.simulate.script import sampling
from trickproof.simulate.script.follower import (
    AT,
    CANDIDATE,
    END,
    FITTED,
    ONLY_FOLLOW,
    PROBE,
    REJECTED,
    SCRIPTS,
)

(
    WORLDS,
    RECORD,
    RECORD_END,
    CANDIDATES,
    CANDIDATES_AT,
    GIVEN,
    GIVEN_AT,
    CHECKED,
    PLAN,
    MOVEMENTS,
    KNOWN,
    HOLES,
    SHARES,
    SHARES_AT,
    TRIES,
    STREAM,
    TEAM,
    BEFORE,
    DONE,
    TRIED,
) = range(2, 22)
"""Words of `io` after the number of jobs and the header: the number of worlds requested; the start and end of
the record; the number and position of the candidates; the number and position of the given worlds, and
whether they must be checked first; the plan for drawing others (0: none); the number of hidden movements; the
positions of their known cards and of their holes; the number and position of the shares of interchangeable
movements; the maximum number of draws; the random stream; the mask of players whose points count, and their
sum before the hand.  Outputs: the number of worlds found, and the number of draws.
"""

IO_WORDS = 22
"""After these, the style of every player (`policies.auto`)."""

SUMS = 3
"""Words of `totals` per candidate: hands, the sum of their points and of the squares.

They are followed by the worlds drawn or checked: the stream and the cards of each movement.
"""

MOST_POINTS = 1 << 22
"""Points of a hand are clamped to this absolute value, so that the sum of squares cannot overflow."""

_WORLD, _SOURCE, _CANDIDATE, _STREAM, _OVER = "m.world", "m.source", "m.nth", "m.own", "m.over"
_TRUSTED = "m.trusted"
"""Whether the world counts even if it does not fit."""


class Trials:
    """The code around the hand."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        b.array(sampling.HIDDEN, sampling.MOST_HIDDEN)
        self.save: list[Stmt] = []
        """What keeps a hand that was left at a point (`resumption`)."""

    def io(self, word: int) -> Expr:
        return self.b.let(load("io", word))

    def begin(self) -> None:
        b = self.b
        for name in (_WORLD, _SOURCE, _OVER, _TRUSTED):
            b.set(name, 0)
        b.set(_CANDIDATE, -1)
        b.set(_STREAM, 0)
        b.set(sampling.SAMPLING, chance.mix(b, load("io", STREAM)))
        b.store("io", TRIED, 0)
        self._give_up()

    def more(self) -> Expr:
        """Whether to play another hand."""
        return op("select", _OVER, 0, op("lt", _WORLD, load("io", WORLDS)))

    def prepare(self) -> None:
        """Set up the next hand: of a new world, or of the next candidate in this one."""
        b = self.b
        b.set(PROBE, -1)
        with b.when(op("lt", _CANDIDATE, 0)):
            b.either(op("lt", _SOURCE, self.io(GIVEN)), self._given, self._drawn)
            sampling.fill(b, SCRIPTS, self.io(HOLES), self.io(MOVEMENTS))
            b.set(PAUSED, 0)
        at = op("add", load("io", CANDIDATES_AT), _CANDIDATE)
        checked = b.let(op("lt", _CANDIDATE, 0))
        with b.when(op("not", checked)):
            b.set(CANDIDATE, load(SCRIPTS, at))
        with b.when(checked):
            b.set(CANDIDATE, ONLY_FOLLOW)
        b.set(RESUME, op("select", checked, 0, PAUSED))
        b.set(AT, load("io", RECORD))
        b.set(END, load("io", RECORD_END))
        b.set(chance.CHOICES, _STREAM)

    def _given(self) -> None:
        b = self.b
        size = b.let(op("add", load("io", MOVEMENTS), 1))
        at = b.let(op("add", load("io", GIVEN_AT), op("mul", _SOURCE, size)))
        b.set(_STREAM, load(SCRIPTS, at))
        b.set(_SOURCE, op("add", _SOURCE, 1))
        copied = b.let(op("add", at, 1))
        b.times(
            0,
            op("sub", size, 2),
            lambda h: b.store(sampling.HIDDEN, h, load(SCRIPTS, op("add", copied, h))),
        )
        b.set(_TRUSTED, op("eq", load("io", CHECKED), 0))

    def _drawn(self) -> None:
        b = self.b
        tried = b.let(op("add", load("io", TRIED), 1))
        b.store("io", TRIED, tried)
        b.set(_TRUSTED, 0)
        stream = chance.mix(b, op("wrap-add", load("io", STREAM), op("wrap-mul", tried, GOLDEN)))
        b.set(_STREAM, op("shr", stream, 1))
        sampling.draw(b, SCRIPTS, self.io(PLAN), self.io(MOVEMENTS), self.io(KNOWN))
        sampling.divide(b, SCRIPTS, self.io(SHARES_AT), self.io(SHARES))

    def finish(self, worth: Callable[[Expr], Expr]) -> None:
        """Evaluate how the hand ended; `worth` gives the points of a mask of players."""
        b = self.b
        b.either(op("lt", _CANDIDATE, 0), self._followed, lambda: self._played(worth))

    def _followed(self) -> None:
        b = self.b

        def fits() -> None:
            movements = self.io(MOVEMENTS)
            size = b.let(op("add", movements, 1))
            sums = b.let(op("mul", load("io", CANDIDATES), SUMS))
            at = b.let(op("add", sums, op("mul", _WORLD, size)))
            b.store("totals", at, _STREAM)
            b.times(
                0,
                op("sub", movements, 1),
                lambda h: b.store("totals", op("add", op("add", at, 1), h), load(sampling.HIDDEN, h)),
            )
            b.write(If(op("ne", PAUSED, 0), self.save, []))
            b.either(op("eq", load("io", CANDIDATES), 0), self._next_world, lambda: b.set(_CANDIDATE, 0))

        b.either(op("eq", "left", FITTED), fits, lambda: b.either(_TRUSTED, self._next_world, self._give_up))

    def _give_up(self) -> None:
        """End the trials if there is nothing left to try."""
        b = self.b
        given = op("lt", _SOURCE, load("io", GIVEN))
        can_draw = op("select", load("io", PLAN), op("lt", load("io", TRIED), load("io", TRIES)), 0)
        b.set(_OVER, op("not", op("ne", op("select", given, 1, can_draw), 0)))

    def _next_world(self) -> None:
        b = self.b
        b.set(_CANDIDATE, -1)
        b.set(_WORLD, op("add", _WORLD, 1))
        b.store("io", DONE, _WORLD)
        self._give_up()

    def _played(self, worth: Callable[[Expr], Expr]) -> None:
        b = self.b
        short = op("select", op("le", "left", 1), op("le", AT, END), 0)
        rejected = b.let(op("or", op("eq", "left", REJECTED), op("ne", short, 0)))
        with b.when(op("not", rejected)):
            points = b.let(op("sub", worth(self.io(TEAM)), load("io", BEFORE)))
            points = b.let(op("select", op("lt", points, -MOST_POINTS), -MOST_POINTS, points))
            points = b.let(op("select", op("lt", MOST_POINTS, points), MOST_POINTS, points))
            at = b.let(op("mul", _CANDIDATE, SUMS))
            for i, more in enumerate((1, points, op("mul", points, points))):
                word = b.let(op("add", at, i))
                b.store("totals", word, op("add", load("totals", word), more))
        last = op("eq", op("add", _CANDIDATE, 1), load("io", CANDIDATES))
        b.either(last, self._next_world, lambda: b.set(_CANDIDATE, op("add", _CANDIDATE, 1)))
