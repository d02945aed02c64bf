"""Trying candidates in worlds: which hand to play next, and what to sum.

Rounds of sequential halving follow one another (`search.halving`): the candidates of each are tried in its
worlds, and ranked.  A world is drawn and its record followed; if it fits, the hand continues once with every candidate from where
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
from trickproof.simulate.script.exchanges import CHAINS, Exchanges
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
    ROUNDS,
    ROUNDS_AT,
    RECORD,
    RECORD_END,
    CANDIDATES,
    CANDIDATES_AT,
    GIVEN,
    GIVEN_AT,
    PLAN,
    MOVEMENTS,
    KNOWN,
    HOLES,
    SHARES,
    SHARES_AT,
    TRIES,
    SWAPS,
    TEAM,
    BEFORE,
    SIGN,
    COMPLETE,
    DONE,
    FOUND,
    TRIED,
    SWAPPED,
) = range(2, 26)
"""Words of `io` after the number of jobs and the header: the number and position of the rounds; the start and
end of the record; the number and position of the candidates; the number and position of the worlds to be
checked first; whether there is a plan for drawing others, which is at the beginning; the number of hidden movements; the
positions of their known cards and of their holes; the number and position of the shares of interchangeable
movements; the maximum number of draws; what is swapped after that (0: nothing); the mask of players whose points
count, their sum before the hand, and whether points are to be sought (1) or avoided (-1).  Outputs: the number of
rounds that are complete, the number of worlds in the round that is not, the number of worlds in all rounds, and the
numbers of draws and of worlds found by swaps.
"""

IO_WORDS = 26
"""After these, the style of every player (`policies.auto`)."""

ROUND = 3
"""Words of a round: the number of worlds, the number of candidates, and the random stream for its worlds."""

SUMS = 3
"""Words of `totals` per candidate: hands, the sum of their points and of the squares.

They are followed by the order of the candidates, and by the worlds drawn or checked: the stream and the cards
of each movement.
"""

MOST_POINTS = 1 << 22
"""Points of a hand are clamped to this absolute value, so that the sum of squares cannot overflow."""

_ROUND, _WANTED, _ALIVE, _BASE = "m.round", "m.wanted", "m.alive", "m.base"
"""The current round and its words."""

_WORLD, _FOUND, _DRAWN, _SOURCE = "m.world", "m.found", "m.drawn", "m.source"
"""The number of worlds in this round and in all rounds, of draws in this round, and of given worlds used."""

_CANDIDATE, _STREAM, _NEXT, _OVER = "m.nth", "m.own", "m.go-on", "m.over"
"""The place of the candidate that is tried, or -1 while the record is followed; the random stream of the
world; whether the world is done; whether everything is.
"""


class Trials:
    """The code around the hand."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        b.array(sampling.HIDDEN, 2 * sampling.MOST_HIDDEN)
        self.exchanges = Exchanges(b)
        self.save: list[Stmt] = []
        """What keeps a hand that was left at a point (`resumption`)."""

    def io(self, word: int) -> Expr:
        return self.b.let(load("io", word))

    def begin(self) -> None:
        b = self.b
        for name in (
            _ROUND,
            _FOUND,
            _SOURCE,
            _STREAM,
            _NEXT,
            _WANTED,
            _ALIVE,
            _BASE,
            _WORLD,
            _DRAWN,
        ):
            b.set(name, 0)
        b.set(_OVER, 1)
        b.set(_CANDIDATE, -1)
        b.set(sampling.SAMPLING, 0)
        for word in (TRIED, SWAPPED):
            b.store("io", word, 0)
        self.exchanges.begin()
        order = self._order()
        b.times(0, op("sub", load("io", CANDIDATES), 1), lambda i: b.store("totals", op("add", order, i), i))
        with b.when(op("ne", load("io", ROUNDS), 0)):
            self._begin_round()

    def _begin_round(self) -> None:
        b = self.b
        at = b.let(op("add", load("io", ROUNDS_AT), op("mul", _ROUND, ROUND)))
        for i, name in enumerate((_WANTED, _ALIVE, _BASE)):
            b.set(name, load(SCRIPTS, op("add", at, i)))
        b.set(_WORLD, 0)
        b.set(_DRAWN, 0)
        b.set(sampling.SAMPLING, chance.mix(b, _BASE))
        self._give_up()

    def _order(self) -> Expr:
        """The position of the order of the candidates."""
        return self.b.let(op("mul", load("io", CANDIDATES), SUMS))

    def _worlds(self) -> Expr:
        """The position of the cards of the first world found."""
        return op("add", op("mul", load("io", CANDIDATES), SUMS + 1), 1)

    def more(self) -> Expr:
        """Whether to play another hand."""
        return op("not", op("ne", _OVER, 0))

    def prepare(self) -> None:
        """Set up the next hand: of a new world, or of the next candidate in this one."""
        b = self.b
        b.set(PROBE, -1)

        def new_world() -> None:
            b.either(op("lt", _SOURCE, self.io(GIVEN)), self._given, self._made)
            sampling.fill(b, SCRIPTS, self.io(HOLES), self.io(MOVEMENTS))
            b.set(PAUSED, 0)
            b.set(RESUME, 0)
            b.set(CANDIDATE, ONLY_FOLLOW)

        def next_candidate() -> None:
            b.set(RESUME, PAUSED)
            b.set(CANDIDATE, load(SCRIPTS, op("add", load("io", CANDIDATES_AT), self._candidate())))

        b.either(op("lt", _CANDIDATE, 0), new_world, next_candidate)
        b.set(AT, load("io", RECORD))
        b.set(END, load("io", RECORD_END))
        b.set(chance.CHOICES, _STREAM)

    def _candidate(self) -> Expr:
        """The number of the candidate that is tried."""
        return self.b.let(load("totals", op("add", self._order(), _CANDIDATE)))

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

    def _made(self) -> None:
        """Draw a world, or make one from another."""
        b = self.b
        b.set(_DRAWN, op("add", _DRAWN, 1))
        stream = chance.mix(b, op("wrap-add", _BASE, op("wrap-mul", _DRAWN, GOLDEN)))
        b.set(_STREAM, op("shr", stream, 1))
        b.either(
            self._can_draw(),
            self._drawn,
            lambda: self.exchanges.prepare(self.io(SWAPS), self.io(MOVEMENTS), _FOUND, self._worlds()),
        )

    def _can_draw(self) -> Expr:
        return op("select", load("io", PLAN), op("lt", load("io", TRIED), load("io", TRIES)), 0)

    def _drawn(self) -> None:
        b = self.b
        b.store("io", TRIED, op("add", load("io", TRIED), 1))
        sampling.draw(b, SCRIPTS, 0, self.io(MOVEMENTS), self.io(KNOWN))
        sampling.divide(b, SCRIPTS, self.io(SHARES_AT), self.io(SHARES))

    def finish(self, worth: Callable[[Expr], Expr]) -> None:
        """Evaluate how the hand ended; `worth` gives the points of a mask of players."""
        b = self.b
        b.set(_NEXT, 0)
        b.either(op("lt", _CANDIDATE, 0), self._followed, lambda: self._played(worth))
        with b.when(op("ne", _NEXT, 0)):
            self._next_world()

    def _followed(self) -> None:
        b = self.b

        def fits() -> None:
            movements = self.io(MOVEMENTS)
            size = b.let(op("add", movements, 1))
            at = b.let(op("add", self._worlds(), op("mul", _FOUND, size)))
            b.store("totals", op("sub", at, 1), _STREAM)
            b.times(
                0,
                op("sub", movements, 1),
                lambda h: b.store("totals", op("add", at, h), load(sampling.HIDDEN, h)),
            )
            b.write(If(op("ne", PAUSED, 0), self.save, []))
            b.set(_CANDIDATE, 0)
            b.set(_NEXT, op("eq", _ALIVE, 0))
            b.store("io", SWAPPED, op("add", load("io", SWAPPED), op("select", CHAINS, 1, 0)))
            self.exchanges.found()

        with b.when(self.io(SWAPS)):
            self.exchanges.followed(self.io(SWAPS), self.io(MOVEMENTS))
        wanted = op("select", op("eq", "left", FITTED), self.exchanges.is_next(), 0)
        b.either(wanted, fits, self._give_up)

    def _give_up(self) -> None:
        """End the trials if there is nothing left to try."""
        b = self.b
        given = op("lt", _SOURCE, load("io", GIVEN))
        can_swap = op("select", load("io", SWAPS), self.exchanges.can(), 0)
        others = op("select", self._can_draw(), 1, can_swap)
        b.set(_OVER, op("not", op("ne", op("select", given, 1, others), 0)))

    def _next_world(self) -> None:
        b = self.b
        b.set(_CANDIDATE, -1)
        for name, word in ((_WORLD, DONE), (_FOUND, FOUND)):
            b.set(name, op("add", name, 1))
            b.store("io", word, name)
        b.either(op("lt", _WORLD, _WANTED), self._give_up, self._end_round)

    def _end_round(self) -> None:
        b = self.b
        b.times(1, op("sub", _ALIVE, 1), self._inserted)
        b.set(_ROUND, op("add", _ROUND, 1))
        b.store("io", COMPLETE, _ROUND)
        b.store("io", DONE, 0)
        b.either(op("lt", _ROUND, load("io", ROUNDS)), self._begin_round, lambda: b.set(_OVER, 1))

    def _inserted(self, place: Expr) -> None:
        """Move a candidate up past those that it is better than; those before it are in order."""
        b, order = self.b, self._order()
        one = b.let(load("totals", op("add", order, place)))
        at, better = b.mutable(place), b.mutable(1)

        def up() -> None:
            other = b.let(load("totals", op("sub", op("add", order, at), 1)))
            b.set(better, self._better(one, other))
            b.store("totals", op("add", order, at), op("select", better, other, one))
            b.set(at, op("sub", at, better))

        b.loop(lambda: op("select", op("lt", 0, at), better, 0), up)
        b.store("totals", op("add", order, at), one)

    def _better(self, one: Expr, other: Expr) -> Expr:
        """Whether the mean of one candidate is higher than another's."""
        numbers, sums = [], []
        for x in (one, other):
            at = self.b.let(op("mul", x, SUMS))
            number = self.b.let(load("totals", at))
            numbers.append(op("select", number, number, 1))
            sums.append(op("mul", load("io", SIGN), load("totals", op("add", at, 1))))
        return op("select", op("lt", op("mul", sums[1], numbers[0]), op("mul", sums[0], numbers[1])), 1, 0)

    def _played(self, worth: Callable[[Expr], Expr]) -> None:
        b = self.b
        short = op("select", op("le", "left", 1), op("le", AT, END), 0)
        rejected = b.let(op("or", op("eq", "left", REJECTED), op("ne", short, 0)))
        with b.when(op("not", rejected)):
            points = b.let(op("sub", worth(self.io(TEAM)), load("io", BEFORE)))
            points = b.let(op("select", op("lt", points, -MOST_POINTS), -MOST_POINTS, points))
            points = b.let(op("select", op("lt", MOST_POINTS, points), MOST_POINTS, points))
            at = b.let(op("mul", self._candidate(), SUMS))
            for i, more in enumerate((1, points, op("mul", points, points))):
                word = b.let(op("add", at, i))
                b.store("totals", word, op("add", load("totals", word), more))
        b.set(_CANDIDATE, op("add", _CANDIDATE, 1))
        b.set(_NEXT, op("le", _ALIVE, _CANDIDATE))
