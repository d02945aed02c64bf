"""A cheap, sensible policy: takes tricks as cheaply as possible, and saves its strong cards.

It stops at the target, unless more tricks count for more, and leaves a trick to a partner who is winning it.  It looks no
further than the current trick, and uses only what its player may see: the player's own hand, the
cards on the table, trump, the player's tricks and target.  It relies on the standard vocabulary (`hand`,
`played`, `led`, `trump`, `tricks`, `target`; higher ranks beat lower ones, trumps beat other suits).  Numbers
it chooses by the strength of its hand (`bids`).  Without a hand, and for other values than suits and numbers,
it chooses at random.  Otherwise it is deterministic.
"""

from __future__ import annotations

from functools import partial

from trickproof.analysis.target_met import stops_at_target
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.choices import CardChoice, ValueOptions
from trickproof.simulate.lowering.interfaces import Expressions
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
)
from trickproof_dsl import core as c


class GreedyPolicy(RandomPolicy):
    """Tricks as cheaply as possible, up to the target if more do not count for more."""

    def cards(self, v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
        if plays_to_trick(v, t, choice):
            return _play(v, choice)
        own = from_own_hand(v, t, choice)
        if own == 1:
            return least_useful_cards(v, choice)
        at_random = partial(super().cards, v, t, choice)
        return at_random() if own == 0 else either(v, own, lambda: least_useful_cards(v, choice), at_random)

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> Expr:
        if t.value_type == c.SUIT and has_hands(v):
            return strongest_suit(v, v.b.let(load("z.hand", player)), options)
        if has_line(v, t):
            return bid_or(v, t, player, options, lambda: RandomPolicy.value(self, v, t, player, options))
        return super().value(v, t, player, options)


def _play(v: Expressions, choice: CardChoice) -> Expr:
    """The card to play; leads if the table is empty."""
    b = v.b
    domain, table, trumps = b.let(choice.domain), on_table(v), all_trumps(v)
    plain = b.let(op("without", domain, trumps))
    cheap = b.let(lowest_card(v, b.let(op("select", plain, plain, domain))))
    sated = b.let(is_sated(v, choice.player)) if stops_at_target(v.program) else 0
    chosen = b.mutable(cheap)

    def lead() -> None:
        b.set(chosen, op("select", sated, cheap, highest_of_longest(v, domain)))

    def follow() -> None:
        winners = b.let(op("and", domain, beating(v, table, trumps)))
        losers = b.let(op("xor", domain, winners))
        ducking = op("select", losers, highest_card(v, losers), cheap)
        sparing = b.let(op("without", winners, trumps))
        taking = op("select", winners, first_card(v, op("select", sparing, sparing, winners)), cheap)
        helped = is_partners(v, choice.player, table, trumps)
        b.set(chosen, op("select", sated, ducking, op("select", helped, cheap, taking)))

    b.either(op("eq", table, 0), lead, follow)
    return b.let(chosen)
