"""Writes the choice of a number near a line through the strength of the hand (`testing.bids`).

The lines come after the parameters and readings in `params`.
"""

from __future__ import annotations

from collections.abc import Callable

from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.choices import ValueOptions
from trickproof.simulate.lowering.data_layout import WORD
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof.simulate.policies.tricks import all_trumps, points_of_high_cards
from trickproof.testing.bids import UNIT, bid_sites
from trickproof_dsl import core as c


def has_line(v: Expressions, t: c.ChooseValue) -> bool:
    """Whether there may be a line for a choice."""
    return t.binder in bid_sites(v.program)


def bid_or(
    v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions, otherwise: Callable[[], Expr]
) -> Expr:
    """The option next to the line; something else if the line is all zero."""
    b, program = v.b, v.program
    at = len(program.parameters) + len(program.readings) + 3 * bid_sites(program).index(t.binder)
    of_points, of_trumps, constant = (b.let(load("params", at + i)) for i in range(3))
    chosen = b.mutable(0)

    def on_line() -> None:
        hand = b.let(load("z.hand", player))
        points = op("mul", of_points, points_of_high_cards(v, hand))
        sum_ = op("add", points, op("mul", of_trumps, op("count", op("and", hand, all_trumps(v)))))
        number = b.let(op("div", op("add", sum_, constant), UNIT))
        if options.wide:
            b.set(chosen, _nearest_listed(v, number, options))
        else:
            at = _nearest(v, b.let(op("sub", number, options.base)), options.mask)
            b.set(chosen, op("add", options.base, at))

    exists = op("or", op("or", op("ne", of_points, 0), op("ne", of_trumps, 0)), op("ne", constant, 0))
    b.either(b.let(exists), on_line, lambda: b.set(chosen, otherwise()))
    return b.let(chosen)


MOST = WORD - 2
"""The last position up to which all bits of a word are a positive number."""


def _nearest(v: Expressions, number: Expr, mask: Expr) -> Expr:
    """The position in a mask next to a number; the lower of two."""
    b = v.b
    bit = b.let(op("bit", op("select", op("lt", number, MOST), number, MOST)))
    below = b.let(op("select", op("lt", number, 0), 0, op("and", mask, op("or", bit, op("sub", bit, 1)))))
    above = b.let(op("xor", mask, below))
    low = b.let(op("last", op("or", below, 1)))
    high = b.let(op("first", op("select", above, above, 1)))
    lower = b.let(op("le", op("sub", number, low), op("sub", high, number)))
    lower = op("select", above, op("select", below, lower, 0), 1)
    return op("select", lower, low, high)


def _nearest_listed(v: Expressions, number: Expr, options: ValueOptions) -> Expr:
    """The option next to a number; the lower of two."""
    b = v.b
    chosen, n = b.mutable(options.nth(0)), b.mutable(1)

    def compare() -> None:
        option = b.let(options.nth(b.let(n)))
        nearer = op("lt", op("sub", option, number), op("sub", number, chosen))
        b.set(chosen, op("select", nearer, option, chosen))
        b.set(n, op("add", n, 1))

    b.loop(lambda: op("lt", n, options.count), compare)
    return b.let(chosen)
