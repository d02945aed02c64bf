"""The choices of a program, as passed to the code that decides them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from trickproof.information.record import NTH
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof_dsl import core as c


class Chooser(Protocol):
    """Decides the choices, and is notified of events."""

    def cards(self, v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
        """Write a choice of cards; return the chosen mask."""

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> Expr:
        """Write a choice of a value; return it."""

    def dealt(self, v: Expressions, place: c.Place, index: Expr, cards: Expr) -> None:
        """Notified of the cards dealt to a place."""

    def moved(self, v: Expressions, t: c.Move, cards: Expr) -> None:
        """Notified of cards that a player moves."""

    def about_to_choose(self, v: Expressions, t: c.ChooseCards) -> None:
        """Notified before the cards to choose from are computed."""

    def announced(self, v: Expressions, t: c.Announce) -> None:
        """Notified of an announcement, after its possible faults."""


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A choice of cards: the player, the cards to pick from, how many, and the player they go to."""

    player: Expr
    domain: Expr
    low: Expr
    high: Expr
    one: bool
    """Whether it is always exactly one card."""
    to: Expr | None


WIDE = "keys.options"
"""The inner array of options that are too many, or too far apart, for a mask."""


@dataclass(frozen=True, slots=True)
class ValueOptions:
    """The options of a value: a mask of numbers counted from `base`; with `or_none`, also `none`.

    If they do not fit a mask (`wide`), they are the first `count` entries of the array `WIDE`.
    """

    base: Expr
    mask: Expr
    or_none: bool
    count: Expr
    wide: bool = False

    def nth(self, n: Expr) -> Expr:
        """The n-th option in ascending order, from 0."""
        if self.wide:
            return load(WIDE, n)
        return op("add", self.base, op("first", op("spread", op("bit", n), self.mask)))

    def given_as_nth(self, b: Builder, given: Expr) -> Expr:
        """The option of a choice that is given by its position among listed options (`NTH`); other choices stay."""
        n = b.let(op("sub", NTH, given))
        listed = b.let(op("select", op("le", given, NTH), op("lt", n, self.count), 0))
        return b.let(op("select", listed, load(WIDE, b.let(op("select", listed, n, 0))), given))
