"""Draws a world by a plan (`information.worlds.Sampler.plan`) and writes its cards into the holes of a record.

The plan is in the array of scripts.  A node says how many of which cards go through which hidden movements,
with what probability, and which node is next; node 0 is the end.
"""

from __future__ import annotations

from trickproof.information.plan import EDGE, NAMES_HEAD, NODE_HEAD, SHIFTED, TAKING
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.random_numbers import STEP, TWIST, subset

SAMPLING = "m.sampling"
"""The local that holds the generator for worlds."""

HIDDEN = "hidden"
"""The array of the cards of every hidden movement, and of those that certainly went through movements by the rules."""

MOST_HIDDEN = 256
"""Maximum number of hidden movements."""


def draw(b: Builder, scripts: str, plan: Expr, movements: Expr, known: Expr) -> None:
    """Draw the cards of all hidden movements, starting from the known ones."""
    b.times(0, op("sub", movements, 1), lambda h: b.store(HIDDEN, h, load(scripts, op("add", known, h))))
    at = b.mutable(load(scripts, plan))
    rest = b.mutable(0)

    def node() -> None:
        here = b.let(op("add", plan, at))
        cards = b.let(load(scripts, here))
        b.set(rest, op("select", cards, cards, rest))
        shared = b.let(op("add", plan, load(scripts, op("add", here, 1))))
        through, others = (b.let(load(scripts, op("add", shared, i))) for i in range(NAMES_HEAD))
        is_last = b.let(op("le", 0, others))
        names = b.let(op("add", shared, NAMES_HEAD))
        behind = b.let(op("add", names, through))
        split = b.mutable(op("add", here, NODE_HEAD))
        drawn = _drawn(b)
        b.loop(
            lambda: op("lt", load(scripts, split), drawn),
            lambda: b.set(split, op("add", split, EDGE)),
        )
        edge = b.let(load(scripts, op("add", split, 1)))
        number = b.let(op("and", edge, TAKING))

        def go(cards: Expr, names: Expr, number: Expr) -> None:
            def gone(i: Expr) -> None:
                h = b.let(load(scripts, op("add", names, i)))
                b.store(HIDDEN, h, op("or", load(HIDDEN, h), cards))

            b.times(0, op("sub", number, 1), gone)

        with b.when(op("ne", number, 0)):
            chosen = subset(b, SAMPLING, rest, number)
            b.set(rest, op("xor", rest, chosen))
            go(chosen, names, through)
        with b.when(is_last):
            # as if it were drawn that all the others go there
            b.set(SAMPLING, op("wrap-add", SAMPLING, STEP))
            go(b.let(rest), behind, others)
        b.set(at, op("shr", edge, SHIFTED))

    b.loop(lambda: op("ne", at, 0), node)


def divide(b: Builder, scripts: str, shares: Expr, number: Expr) -> None:
    """Divide the cards of interchangeable movements; a share is three words: source, target, number of cards."""

    def share(i: Expr) -> None:
        at = b.let(op("add", shares, op("mul", i, 3)))
        whole, part = b.let(load(scripts, at)), b.let(load(scripts, op("add", at, 1)))
        cards = b.let(load(HIDDEN, whole))
        taken = subset(b, SAMPLING, cards, b.let(load(scripts, op("add", at, 2))))
        b.store(HIDDEN, part, taken)
        b.store(HIDDEN, whole, op("xor", cards, taken))

    b.times(0, op("sub", number, 1), share)


def fill(b: Builder, scripts: str, holes: Expr, movements: Expr) -> None:
    """Write the cards into the record; `holes` has two positions for every movement."""

    def written(h: Expr) -> None:
        cards = b.let(load(HIDDEN, h))
        for i in range(2):
            hole = b.let(load(scripts, op("add", holes, op("add", op("mul", h, 2), i))))
            b.store(scripts, hole, cards)

    b.times(0, op("sub", movements, 1), written)


def _drawn(b: Builder) -> Expr:
    """A random 63-bit number."""
    state = b.let(op("wrap-add", SAMPLING, STEP))
    b.set(SAMPLING, state)
    other = b.let(op("xor", state, TWIST))
    return b.let(op("shr", op("xor", op("high", state, other), op("wrap-mul", state, other)), 1))
