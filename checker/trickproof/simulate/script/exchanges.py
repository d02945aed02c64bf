"""Makes worlds of others by swapping two cards at a time (Metropolis).

Each of the worlds drawn is the start of a chain, and the chains give the next world in turn; if none was drawn, there is one chain, from
the world that followed the record furthest.  A swap is kept if the record is followed no less far, and once all of it is
followed, only if it still is.  Any two cards are as likely at any time, and an impossible swap counts as one that was not
kept, so that a chain that starts from a uniformly drawn world stays uniform, though its worlds are not independent.
"""

from __future__ import annotations

from functools import partial

from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.random_numbers import subset
from trickproof.simulate.script.follower import AT, FITTED, REJECTED, SCRIPTS
from trickproof.simulate.script.sampling import HIDDEN, MOST_HIDDEN, SAMPLING

MOST_PAIRS = 5_000
"""Maximum number of pairs tried until the next world is found."""

BETWEEN = 240
"""Pairs tried between one world of a chain and the next."""

NEAREST = "nearest"
"""The array of the cards of every hidden movement in the world from which to start."""

_DEPTH, _TRIED, _BOTH, _CHANGED = "m.depth", "m.pairs", "m.both", "m.changed"
"""How far the record was followed; pairs since the last world; the swapped cards (0: none), and the movements changed."""

CHAINS, _BEGUN = "m.chains", "m.begun"
"""The number of chains, once no more worlds are drawn (until then 0), and whether the next one has gone on to its next world."""

ALL_OF_IT = 1 << 40
"""How far the record was followed if nothing in it was contradicted."""


class Exchanges:
    """The code that swaps; `at` is the position of the words described in `Sampler.swaps`."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        b.array(NEAREST, 2 * MOST_HIDDEN)

    def begin(self) -> None:
        for name, value in ((_DEPTH, -1), (_TRIED, 0), (_BOTH, 0), (_CHANGED, 0), (CHAINS, 0), (_BEGUN, 0)):
            self.b.set(name, value)

    def can(self) -> Expr:
        """Whether there is a world to start from, and the next one may still be found."""
        return op("select", op("lt", _DEPTH, 0), 0, op("lt", _TRIED, MOST_PAIRS))

    def prepare(self, at: Expr, movements: Expr, found: Expr, worlds: Expr) -> None:
        """Swap two cards; or none, if this is the next world.

        `found` is the number of worlds so far, and `worlds` the position of their cards in `totals`.
        """
        b = self.b
        words = [b.let(load(SCRIPTS, op("add", at, i))) for i in range(4)]
        last = op("sub", movements, 1)

        def go_on() -> None:
            b.set(CHAINS, op("select", CHAINS, CHAINS, op("select", found, found, 1)))
            world = b.let(op("add", worlds, op("mul", op("sub", found, CHAINS), op("add", movements, 1))))
            b.either(
                op("ne", found, 0),
                lambda: b.times(0, last, lambda h: b.store(HIDDEN, h, load("totals", op("add", world, h)))),
                lambda: b.times(0, last, lambda h: b.store(HIDDEN, h, load(NEAREST, h))),
            )
            # what certainly went through movements by the rules is not known after a swap
            b.times(words[0], last, lambda h: b.store(HIDDEN, h, 0))
            b.set(_BEGUN, 1)

        with b.when(op("eq", _BEGUN, 0)):
            go_on()
        b.set(_BOTH, 0)
        b.set(_TRIED, op("add", _TRIED, 1))
        most = op("select", op("eq", _DEPTH, ALL_OF_IT), BETWEEN, MOST_PAIRS)
        b.loop(
            lambda: op("select", op("eq", _BOTH, 0), op("lt", _TRIED, most), 0),
            lambda: self._pair(op("add", at, 4), op("add", at, words[3]), *words[:3]),
        )

    def _pair(self, classes: Expr, end: Expr, number: Expr, by_rules: Expr, cards: Expr) -> None:
        """Try two cards, and swap them if each may have taken the other's way."""
        b = self.b
        b.set(_TRIED, op("add", _TRIED, 1))
        one = subset(b, SAMPLING, cards, 1)
        other = subset(b, SAMPLING, op("xor", cards, one), 1)
        ways = b.mutable(0), b.mutable(0)

        def gone(h: Expr) -> None:
            through = b.let(load(HIDDEN, h))
            for card, way in zip((one, other), ways, strict=True):
                b.set(way, op("or", way, op("select", op("and", through, card), op("bit", h), 0)))

        b.times(0, op("sub", number, 1), gone)
        first, second = (b.let(op("without", way, by_rules)) for way in ways)
        b.set(_CHANGED, op("xor", first, second))
        possible, at = b.mutable(0), b.mutable(classes)

        def of_class() -> None:
            mask, size = b.let(load(SCRIPTS, at)), b.let(load(SCRIPTS, op("add", at, 1)))
            for mark, card, way in ((1, one, second), (2, other, first)):
                with b.when(op("ne", op("and", mask, card), 0)):
                    b.times(2, op("add", size, 1), partial(compared, mark, way))
            b.set(at, op("add", at, op("add", size, 2)))

        def compared(mark: int, way: Expr, i: Expr) -> None:
            same = op("eq", load(SCRIPTS, op("add", at, i)), way)
            b.set(possible, op("or", possible, op("select", same, mark, 0)))

        b.loop(lambda: op("lt", at, end), of_class)
        with b.when(op("select", op("ne", _CHANGED, 0), op("eq", possible, 3), 0)):
            b.set(_BOTH, op("or", one, other))
            self._swap(number)

    def _swap(self, number: Expr) -> None:
        b = self.b

        def swapped(h: Expr) -> None:
            both = op("select", op("and", op("shr", _CHANGED, h), 1), _BOTH, 0)
            b.store(HIDDEN, h, op("xor", load(HIDDEN, h), both))

        b.times(0, op("sub", number, 1), swapped)

    def followed(self, at: Expr, movements: Expr) -> None:
        """Keep the world, or undo the swap."""
        b = self.b
        depth = b.let(
            op("select", op("eq", "left", FITTED), ALL_OF_IT, op("select", op("eq", "left", REJECTED), AT, 0))
        )

        def swapped() -> None:
            def kept() -> None:
                b.set(_TRIED, op("select", op("eq", _DEPTH, depth), _TRIED, 0))
                b.set(_DEPTH, depth)

            b.either(op("le", _DEPTH, depth), kept, lambda: self._swap(b.let(load(SCRIPTS, at))))

        def drawn() -> None:
            with b.when(op("lt", _DEPTH, depth)):
                b.times(0, op("sub", movements, 1), lambda h: b.store(NEAREST, h, load(HIDDEN, h)))
                b.set(_DEPTH, depth)

        b.either(op("ne", CHAINS, 0), swapped, drawn)

    def is_next(self) -> Expr:
        """Whether a world that fits is the next one: it was drawn, or enough pairs were tried."""
        return op("eq", _BOTH, 0)

    def found(self) -> None:
        """The world that fits is used."""
        self.b.set(_TRIED, 0)
        self.b.set(_BEGUN, 0)
