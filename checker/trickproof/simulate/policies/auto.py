"""The policy of rollouts: a cheap player with a few switches, which are set for every player when it is called.

It chooses cards as its `Style` says, and one time in `NOISE` at random: rollouts in which everybody always
does the same say little about a deal, and others can profit from it.  Numbers it chooses by the strength of its hand
(`bids`).  Where a ruleset lacks the standard
vocabulary, and for everything but cards, suits and numbers, it chooses at random.  `search.tuning` finds the style for a
ruleset.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.choices import CardChoice, ValueOptions
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof.simulate.lowering.random_numbers import CHOICES, below
from trickproof.simulate.policies.bids import bid_or, has_line
from trickproof.simulate.policies.random import RandomPolicy
from trickproof.simulate.policies.tricks import (
    all_trumps,
    beating,
    either,
    first_card,
    from_own_hand,
    has_hands,
    highest_card,
    highest_of_longest,
    is_partners,
    is_sated,
    least_useful_cards,
    lowest_card,
    on_table,
    plays_to_trick,
    strongest_suit,
    suit_lanes,
)
from trickproof_dsl import core as c

LOW, HIGH, SURE, TRUMPS_FIRST = range(4)
"""Leads: the lowest card; the highest; a card that nobody can beat in its suit, or else the lowest; the highest trump, or else as
`SURE`.
"""

TAKE, AVOID, WAIT, FORCE = range(4)
"""Following: wins as cheaply as possible; keeps from winning with the highest card that loses; as `TAKE`, but before the last
player only with a card that nobody can beat in its suit; as `TAKE`, but before the last player with the highest card.
"""

NOISE = 4
"""One choice of cards in so many is made at random."""

_THINKS, _LEAD, _FOLLOW, _SATIETY, _SETS, _SUITS = 0, 1, 3, 5, 6, 7
"""The bits of a style: whether it has any, and its switches."""

STYLE_BITS = 8
"""The number of bits of a style."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a player plays: leads and following, and whether to avoid tricks when the target is reached.

    `sets`: discard and give the least useful cards instead of any; `suits`: name the strongest suit instead of
    any.
    """

    lead: int
    follow: int
    satiety: bool = False
    sets: bool = True
    suits: bool = True

    @property
    def word(self) -> int:
        """The style as the program reads it."""
        bits = self.lead << _LEAD | self.follow << _FOLLOW | self.satiety << _SATIETY
        return 1 << _THINKS | bits | self.sets << _SETS | self.suits << _SUITS


RANDOM = 0
"""The word for a player who chooses at random."""


class AutoPolicy(RandomPolicy):
    """Plays by the style of the player, a word of `io`; those of all players begin at the word `styles`."""

    def __init__(self, styles: int) -> None:
        self.styles = styles

    def cards(self, v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
        def at_random() -> Expr:
            return RandomPolicy.cards(self, v, t, choice)

        def mostly(by_style: Callable[[], Expr]) -> Callable[[], Expr]:
            return lambda: either(v, op("eq", below(v.b, CHOICES, NOISE), 0), at_random, by_style)

        style = self._style(v, choice.player)
        if plays_to_trick(v, t, choice):
            return either(v, _bits(style, _THINKS, 1), mostly(lambda: _play(v, choice, style)), at_random)
        own = from_own_hand(v, t, choice)
        if own != 0:
            sets = _bits(style, _SETS, 1)
            chosen = sets if own == 1 else op("and", own, sets)
            return either(v, chosen, mostly(lambda: least_useful_cards(v, choice)), at_random)
        return at_random()

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> Expr:
        def at_random() -> Expr:
            return RandomPolicy.value(self, v, t, player, options)

        if t.value_type == c.SUIT and has_hands(v):
            chosen = _bits(self._style(v, player), _SUITS, 1)
            return either(
                v, chosen, lambda: strongest_suit(v, v.b.let(load("z.hand", player)), options), at_random
            )
        if has_line(v, t):
            return bid_or(v, t, player, options, at_random)
        return at_random()

    def _style(self, v: Expressions, player: Expr) -> Expr:
        return v.b.let(load("io", v.b.let(op("add", player, self.styles))))


def _bits(style: Expr, at: int, mask: int) -> Expr:
    return op("and", op("shr", style, at), mask)


def _play(v: Expressions, choice: CardChoice, style: Expr) -> Expr:
    """The card that a style plays to a trick.

    Its switches are branches, which are predicted, as they are the same whenever it is the player's turn.
    """
    b = v.b
    domain, table, trumps = b.let(choice.domain), on_table(v), all_trumps(v)
    plain = b.let(op("without", domain, trumps))
    low = b.let(lowest_card(v, b.let(op("select", plain, plain, domain))))
    sated = b.let(op("and", is_sated(v, choice.player), _bits(style, _SATIETY, 1)))

    def sure() -> Expr:
        return b.let(op("and", domain, _unbeaten(v, choice.player)))

    def lead() -> Expr:
        mode = b.let(_bits(style, _LEAD, 3))

        def safe() -> Expr:
            unbeaten = sure()
            card = b.let(op("select", unbeaten, first_card(v, unbeaten), low))
            own = b.let(op("select", op("eq", mode, TRUMPS_FIRST), op("and", domain, trumps), 0))
            return op("select", own, highest_card(v, own), card)

        def high() -> Expr:
            return highest_of_longest(v, domain)

        def bold() -> Expr:
            return either(v, op("eq", mode, HIGH), high, safe)

        return either(v, op("or", sated, op("eq", mode, LOW)), lambda: low, bold)

    def follow() -> Expr:
        mode = b.let(_bits(style, _FOLLOW, 3))
        winners = b.let(op("and", domain, beating(v, table, trumps)))
        spared = b.let(op("without", winners, trumps))
        useful = b.let(op("select", spared, spared, winners))
        cheap = b.let(op("select", winners, first_card(v, useful), low))
        avoids = b.let(op("or", sated, op("eq", mode, AVOID)))
        last = b.let(op("le", v.program.players - 1, op("count", table)))
        takes = op("or", last, op("eq", mode, TAKE))

        def avoiding() -> Expr:
            losers = b.let(op("xor", domain, winners))
            return op("select", losers, highest_card(v, losers), low)

        def waiting() -> Expr:
            safe = b.let(op("and", useful, sure()))
            return op("select", safe, first_card(v, safe), low)

        def forcing() -> Expr:
            return op("select", winners, highest_card(v, useful), low)

        def early() -> Expr:
            return either(v, op("eq", mode, WAIT), waiting, forcing)

        def wanting() -> Expr:
            return either(v, takes, lambda: cheap, early)

        helped = is_partners(v, choice.player, table, trumps)
        wants = wanting if helped == 0 else lambda: either(v, helped, lambda: low, wanting)
        return either(v, avoids, avoiding, wants)

    return either(v, op("eq", table, 0), lead, follow)


def _unbeaten(v: Expressions, player: Expr) -> Expr:
    """The positions above every card of their suit in the hands of others; none if players have no hands."""
    b = v.b
    if not has_hands(v):
        return 0
    others: Expr = 0
    for p in range(v.program.players):
        others = op("or", others, op("select", op("eq", player, p), 0, load("z.hand", p)))
    others = b.let(others)
    free: Expr = 0
    for lane in suit_lanes(v):
        theirs = b.let(op("and", others, lane))
        best = b.let(op("bit", op("last", op("or", theirs, 1))))
        higher = op("without", lane, op("or", best, op("sub", best, 1)))
        free = op("or", free, op("select", theirs, higher, lane))
    return b.let(free)
