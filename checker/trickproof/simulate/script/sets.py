"""Draws sets of cards to be tried, and variations of the best one, with the random numbers of a `Stream`.

It is written as an integer program because a choice of several cards needs many of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import cache

from trickproof.information.stream import ALL, Stream
from trickproof.simulate.backends.jit import callable_of
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import GOLDEN, LLVM
from trickproof.simulate.ir.instructions import Expr, Routine, load, op
from trickproof.simulate.lowering.random_numbers import mix

MOST_CHANGES = 2
"""Cards added, removed or swapped from a set to a variation of it."""

ASKED, SETS = OUTER = ("asked", "sets")
"""The arrays: what is asked for, and the sets; the first of them is the one to be varied, if there is one."""

STATE, DOMAIN, LOW, HIGH, VARIED, MOST, TRIES, NUMBER = range(8)
"""What is asked for: the state of the stream; the cards, the least and the greatest size of a set; whether the first set is to
be varied; at most how many distinct sets, of how many that are drawn.  The answer: their number, and the state.
"""

_CARDS, _STATE = "cards", "m.state"

Drawer = Callable[[int, int, int, int | None, int, int, Stream], tuple[int, ...]]
"""Takes a domain, the least and the greatest size, the set to be varied, the greatest number of sets and of tries."""


@cache
def drawer(backend: str) -> Drawer:
    """A function that draws distinct sets, in machine code or in plain Python, with the same results."""
    function = callable_of(_routine(), backend)

    def draw(
        domain: int, low: int, high: int, varied: int | None, most: int, tries: int, stream: Stream
    ) -> tuple[int, ...]:
        state = stream.at if backend != LLVM or stream.at <= ALL >> 1 else stream.at - ALL - 1
        asked = [state, domain, low, high, int(varied is not None), most, tries, 0]
        sets = [varied or 0] + [0] * most
        if backend == LLVM:
            asked, sets = array("q", asked), array("q", sets)  # type: ignore[assignment]
        function(asked, sets)
        stream.at = asked[STATE] & ALL
        return tuple(sets[: asked[NUMBER]])

    return draw


def _routine() -> Routine:
    b = Builder(OUTER)
    b.array(_CARDS, 64)
    _Sets(b).run()
    return b.routine


class _Sets:
    """Writes the routine."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        b.set(_STATE, load(ASKED, STATE))
        self.domain, self.low, self.high, self.varied, self.most = (
            b.let(load(ASKED, i)) for i in (DOMAIN, LOW, HIGH, VARIED, MOST)
        )
        self.size = b.let(op("count", self.domain))
        self.number, self.tries = b.mutable(self.varied), b.mutable(load(ASKED, TRIES))
        self.now = b.mutable(0)

    def run(self) -> None:
        b = self.b
        with b.when(op("not", op("ne", self.varied, 0))):
            b.times(
                0,
                op("sub", self.size, 1),
                lambda i: b.store(_CARDS, i, op("spread", op("bit", i), self.domain)),
            )
        more = op("select", op("lt", 0, self.tries), op("lt", self.number, self.most), 0)
        b.loop(lambda: more, self.once)
        b.store(ASKED, NUMBER, self.number)
        b.store(ASKED, STATE, _STATE)

    def once(self) -> None:
        """Draw a set, and keep it if it is new."""
        b = self.b
        b.set(self.tries, op("sub", self.tries, 1))
        b.either(self.varied, self.variation, self.random)
        b.store(SETS, self.number, self.now)
        at = b.mutable(0)
        b.loop(lambda: op("ne", load(SETS, at), self.now), lambda: b.set(at, op("add", at, 1)))
        b.set(self.number, op("select", op("eq", at, self.number), op("add", at, 1), self.number))

    def below(self, number: Expr) -> Expr:
        """As `Stream.below`."""
        b = self.b
        b.set(_STATE, op("wrap-add", _STATE, GOLDEN))
        return b.let(op("shr", op("wrap-mul", op("shr", mix(b, _STATE), 32), number), 32))

    def random(self) -> None:
        """A uniform size, then the first cards in a uniform order."""
        b = self.b
        size = b.let(op("add", self.low, self.below(op("add", op("sub", self.high, self.low), 1))))
        b.times(
            0, op("sub", self.size, 1), lambda i: b.store(_CARDS, i, op("spread", op("bit", i), self.domain))
        )
        left = b.mutable(self.size)

        def swapped() -> None:
            b.set(left, op("sub", left, 1))
            i, j = b.let(left), self.below(op("add", left, 1))
            card, other = b.let(load(_CARDS, i)), b.let(load(_CARDS, j))
            b.store(_CARDS, i, other)
            b.store(_CARDS, j, card)

        b.loop(lambda: op("lt", 1, left), swapped)
        b.set(self.now, 0)
        b.times(0, op("sub", size, 1), lambda i: b.set(self.now, op("or", self.now, load(_CARDS, i))))

    def variation(self) -> None:
        """The first set with a change or two."""
        b = self.b
        b.set(self.now, load(SETS, 0))
        b.times(0, self.below(MOST_CHANGES), lambda _: self.change())

    def change(self) -> None:
        """Swap one card, add one, or remove one, as far as the sizes allow it."""
        b = self.b
        inside, outside = b.let(self.now), b.let(op("without", self.domain, self.now))
        have, others = b.let(op("count", inside)), b.let(op("count", outside))
        swap = b.let(op("select", have, op("select", others, 1, 0), 0))
        add = b.let(op("select", others, op("select", op("lt", have, self.high), 1, 0), 0))
        remove = b.let(op("select", op("lt", self.low, have), 1, 0))
        kinds = b.let(op("add", swap, op("add", add, remove)))
        with b.when(op("ne", kinds, 0)):
            kind = self.below(kinds)
            swaps = b.let(op("lt", kind, swap))
            adds = b.let(op("select", swaps, 0, op("lt", kind, op("add", swap, add))))
            self.turned(op("eq", adds, 0), inside, have)
            self.turned(op("select", swaps, 1, adds), outside, others)

    def turned(self, wanted: Expr, cards: Expr, number: Expr) -> None:
        """If it is wanted, add or remove one of these cards."""
        b = self.b
        with b.when(wanted):
            card = op("spread", op("bit", self.below(number)), cards)
            b.set(self.now, op("xor", self.now, card))
