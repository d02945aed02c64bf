"""The choices of a program as they are handed to whoever decides them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof_dsl import core as c


class Chooser(Protocol):
    """Who decides, and who hears of it."""

    def cards(self, v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
        """Writes the choice of some cards; answers the chosen mask."""

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> Expr:
        """Writes the choice of a value; answers it."""

    def dealt(self, v: Expressions, place: c.Place, index: Expr, cards: Expr) -> None:
        """Hears what is dealt to a place."""

    def moved(self, v: Expressions, t: c.Move, cards: Expr) -> None:
        """Hears of cards that a player moves."""

    def about_to_choose(self, v: Expressions, t: c.ChooseCards) -> None:
        """Hears that it is about to be worked out which cards may be chosen."""

    def announced(self, v: Expressions, t: c.Announce) -> None:
        """Hears of an announcement, once it is known that it does not fail."""


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A choice of cards: the player, the cards to pick from, how many, and the player they go to."""

    player: Expr
    domain: Expr
    low: Expr
    high: Expr
    one: bool
    """Whether it is one card, whatever happens."""
    to: Expr | None


WIDE = "keys.options"
"""The inner array of options that are too many, or too far apart, for a mask."""


@dataclass(frozen=True, slots=True)
class ValueOptions:
    """The options of a value: the numbers from `base` on as a mask; or, where they do not fit one (`wide`), the first
    `count` in the array `WIDE`; and nothing, with `or_none`."""

    base: Expr
    mask: Expr
    or_none: bool
    count: Expr
    wide: bool = False

    def nth(self, n: Expr) -> Expr:
        """The option with so many lower ones."""
        if self.wide:
            return load(WIDE, n)
        return op("add", self.base, op("first", op("spread", op("bit", n), self.mask)))
