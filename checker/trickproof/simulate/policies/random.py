"""How players decide in integer programs: a policy is a class that writes the choice of cards and of values.

`random` chooses a legal value uniformly; for cards it chooses the number uniformly between the minimum and
the maximum, then a uniform set of that size.  `greedy` is in `greedy`.
"""

from __future__ import annotations

from typing import Protocol

from trickproof.simulate.ir.instructions import Expr, op
from trickproof.simulate.lowering.choices import CardChoice, ValueOptions
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof.simulate.lowering.random_numbers import CHOICES, below, pick, subset
from trickproof_dsl import core as c


class Policy(Protocol):
    """Writes the decisions of one player."""

    def cards(self, v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
        """The mask of the chosen cards."""

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> Expr:
        """The chosen value."""


class RandomPolicy:
    """Uniform among the legal choices."""

    def cards(self, v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
        if choice.one:
            return pick(v.b, CHOICES, choice.domain)
        return subset(v.b, CHOICES, choice.domain, number_of_cards(v, choice))

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> Expr:
        b = v.b
        have = options.count
        drawn = below(b, CHOICES, op("add", have, 1) if options.or_none else have)
        chosen = options.nth(drawn)
        return b.let(op("select", op("lt", drawn, have), chosen, -1) if options.or_none else chosen)


def number_of_cards(v: Expressions, choice: CardChoice) -> Expr:
    """The number of cards, uniform between the minimum and the maximum."""
    if choice.low == choice.high:
        return choice.low
    number = v.b.mutable(choice.low)
    with v.b.when(op("lt", choice.low, choice.high)):
        more = below(v.b, CHOICES, op("add", op("sub", choice.high, choice.low), 1))
        v.b.set(number, op("add", number, more))
    return v.b.let(number)
