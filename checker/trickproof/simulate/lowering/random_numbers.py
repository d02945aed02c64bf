"""Counter-based random numbers: a hand's stream depends only on the seed, the match and the hand's number.

Seeds are hashed (the finaliser of splitmix64, Steele, Lea and Flood 2014), so that neighbouring seeds are
uncorrelated.  Each hand has two generators (wyrand, Wang Yi 2019), one for the deal and one for choices, so
that players' choices do not affect the deal.
"""

from __future__ import annotations

from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import GOLDEN, MIX_1, MIX_2
from trickproof.simulate.ir.instructions import Expr, op

DEALS = "m.deals"
CHOICES = "m.choices"
"""The locals that hold the two generators."""

MATCH_STEP = 0xD1342543DE82EF95
STEP = 0xA0761D6478BD642F
TWIST = 0xE7037ED1A0B428DB


def mix(b: Builder, x: Expr) -> Expr:
    """`calling_convention.mixed`, as instructions."""
    x = b.let(x)
    x = b.let(op("wrap-mul", op("xor", x, op("shr", x, 30)), MIX_1))
    x = b.let(op("wrap-mul", op("xor", x, op("shr", x, 27)), MIX_2))
    return b.let(op("xor", x, op("shr", x, 31)))


def match_stream(b: Builder, seed_key: Expr, match: Expr) -> Expr:
    """The base of a match's random streams."""
    return mix(b, op("xor", seed_key, op("wrap-mul", match, MATCH_STEP)))


def begin_hand(b: Builder, match: Expr, hand: Expr) -> None:
    """Seed both generators for a hand of a match."""
    deals = mix(b, op("wrap-add", match, op("wrap-mul", hand, GOLDEN)))
    b.set(DEALS, deals)
    b.set(CHOICES, mix(b, op("xor", deals, MIX_2)))


def below(b: Builder, generator: str, number: Expr) -> Expr:
    """A random number from 0 to `number` - 1; `number` is below 2^32."""
    state = b.let(op("wrap-add", generator, STEP))
    b.set(generator, state)
    other = b.let(op("xor", state, TWIST))
    drawn = op("xor", op("high", state, other), op("wrap-mul", state, other))
    return b.let(op("shr", op("wrap-mul", op("shr", drawn, 32), number), 32))


def pick(b: Builder, generator: str, mask: Expr) -> Expr:
    """A random element of a non-empty set, as a mask."""
    mask = b.let(mask)
    return b.let(op("spread", op("bit", below(b, generator, op("count", mask))), mask))


def subset(b: Builder, generator: str, mask: Expr, number: Expr) -> Expr:
    """A uniformly random subset of a given size; if the complement is smaller, that is drawn instead."""
    mask = b.let(mask)
    have = b.let(op("count", mask))
    few = b.let(op("le", op("add", number, number), have))
    draws = op("select", few, number, op("sub", have, number))
    remaining, size, end = b.mutable(mask), b.mutable(have), b.let(op("sub", have, draws))

    def once() -> None:
        now = b.let(remaining)
        b.set(remaining, op("xor", now, op("spread", op("bit", below(b, generator, size)), now)))
        b.set(size, op("sub", size, 1))

    b.loop(lambda: op("lt", end, size), once, steady=isinstance(number, int))
    rest = b.let(remaining)
    return b.let(op("select", few, op("xor", mask, rest), rest))
