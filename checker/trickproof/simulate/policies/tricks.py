"""What cheap policies read off the table and a hand, as masks of cards: what beats a trick, what is of little use.

All of it relies on the standard vocabulary: `hand`, `played`, `led`, `trump`, `tricks`, `target`; higher ranks
beat lower ones, trumps beat other suits.
"""

from __future__ import annotations

from collections.abc import Callable

from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.choices import CardChoice, ValueOptions
from trickproof.simulate.lowering.data_layout import WORD
from trickproof.simulate.lowering.facts import is_maintained
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof.testing.bids import HONOURS
from trickproof_dsl import core as c

LENGTH = 4
"""Weight of one card in the choice of a suit; each of the highest ranks adds its height above the others."""

TOO_LONG = WORD + 1
"""More cards than any suit has."""


def plays_to_trick(v: Expressions, t: c.ChooseCards, choice: CardChoice) -> bool:
    """Whether this is the choice of one card to play to a trick, and the rules describe the trick as usual."""
    return (
        t.label == "play"
        and choice.one
        and not t.blind
        and all(is_maintained(v.program, *x) for x in _NEEDED)
    )


def from_own_hand(v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
    """Whether a player chooses among cards of his own, not to play them: known here if the rule's words say whose they are.

    Otherwise all of them have to lie in the player's hand when the choice is made.
    """
    if t.label == "play" or t.blind:
        return 0
    if t.whose == t.actor:
        return 1
    if t.whose is None or not has_hands(v):
        return 0
    hand = v.b.let(load("z.hand", choice.player))
    return v.b.let(op("eq", op("without", choice.domain, hand), 0))


def has_hands(v: Expressions) -> bool:
    """Whether every player has a hand."""
    zone = v.program.zones.get("hand")
    return zone is not None and zone.of == (c.PLAYER,)


_NEEDED = (("played", c.CARD, (c.PLAYER,)), ("led", c.SUIT, ()))
"""The variables that describe the current trick."""


def is_sated(v: Expressions, player: Expr) -> Expr:
    """Whether a player has taken as many tricks as the target."""
    if not all(is_maintained(v.program, name, c.INTEGER, (c.PLAYER,)) for name in ("tricks", "target")):
        return 0
    return v.b.let(op("le", load("v.target", player), load("v.tricks", player)))


def on_table(v: Expressions) -> Expr:
    """The cards played to the current trick."""
    cards: Expr = 0
    for p in range(v.program.players):
        cards = op("or", cards, _played(v, p))
    return v.b.let(cards)


def _played(v: Expressions, player: int) -> Expr:
    card = v.b.let(load("v.played", player))
    return op("select", op("lt", card, 0), 0, op("bit", card))


def is_partners(v: Expressions, player: Expr, table: Expr, trumps: Expr) -> Expr:
    """Whether the best card on the table was played by a partner."""
    cards: Expr = 0
    for team in v.program.teams:
        for p in team:
            with_p = [op("eq", player, q) for q in team if q != p]
            played = _played(v, p) if with_p else 0
            for partner in with_p:
                cards = op("or", cards, op("select", partner, played, 0))
    if cards == 0:
        return 0
    lane = v.b.let(op("and", table, _best_lane(v, table, trumps)))
    best = op("select", lane, op("bit", op("last", op("or", lane, 1))), 0)
    return v.b.let(op("ne", op("and", cards, best), 0))


def _best_lane(v: Expressions, table: Expr, trumps: Expr) -> Expr:
    """All positions of the suit that the best card on the table has."""
    return v.b.let(op("select", op("and", table, trumps), trumps, cards_of_suit(v, "led")))


def all_trumps(v: Expressions) -> Expr:
    """All positions of the trump suit; empty if there is none."""
    return cards_of_suit(v, "trump") if is_maintained(v.program, "trump", c.SUIT) else 0


def cards_of_suit(v: Expressions, name: str) -> Expr:
    suit = v.b.let(load(f"v.{name}", 0))
    there = op("le", 0, suit)
    shift = op("mul", op("select", there, suit, 0), v.layout.stride)
    return v.b.let(op("select", there, op("shl", v.layout.lane, shift), 0))


def beating(v: Expressions, table: Expr, trumps: Expr) -> Expr:
    """The positions that beat everything on the table."""
    b, lane = v.b, _best_lane(v, table, trumps)
    trumped = b.let(op("and", table, trumps))
    best = b.let(op("bit", op("last", op("or", op("and", table, lane), 1))))
    higher = op("without", lane, op("or", best, op("sub", best, 1)))
    return b.let(op("or", higher, op("select", trumped, 0, trumps)))


def highest_of_longest(v: Expressions, mask: Expr) -> Expr:
    """The highest card; among equals, the one of the longest suit."""
    b = v.b
    high = b.let(highest_ranked(v, mask))
    longest: Expr = -1
    chosen: Expr = 0
    for lane in suit_lanes(v):
        length = b.let(op("select", op("and", high, lane), op("count", op("and", mask, lane)), -1))
        chosen = b.let(op("select", op("lt", longest, length), lane, chosen))
        longest = b.let(op("select", op("lt", longest, length), length, longest))
    return b.let(op("and", high, chosen))


# -------------------------------------------------------------------------------------------- discards and gifts


def either(v: Expressions, condition: Expr, one: Callable[[], Expr], other: Callable[[], Expr]) -> Expr:
    """One of two values, of which only that one is computed."""
    b = v.b
    chosen = b.mutable(0)
    b.either(b.let(condition), lambda: b.set(chosen, one()), lambda: b.set(chosen, other()))
    return b.let(chosen)


def least_useful_cards(v: Expressions, choice: CardChoice) -> Expr:
    """Repeatedly the lowest card of the shortest suit: as few as allowed, or as many if they go to a player.

    A player who is given cards must return better ones, in games with an exchange.
    """
    count = choice.low if choice.to is None else choice.high
    if count == 0:
        return 0
    b, trumps = v.b, all_trumps(v)
    remaining, number = b.mutable(choice.domain), b.mutable(count)

    def once() -> None:
        now = b.let(remaining)
        b.set(remaining, op("xor", now, least_useful(v, now, trumps)))
        b.set(number, op("sub", number, 1))

    b.loop(lambda: op("lt", 0, number), once)
    return b.let(op("xor", choice.domain, remaining))


def least_useful(v: Expressions, mask: Expr, trumps: Expr) -> Expr:
    """The lowest card of the shortest suit; the highest rank only if nothing else is left, and trumps last."""
    b, tops = v.b, v.layout.lanes << v.layout.ranks - 1
    plain = b.let(op("without", mask, trumps))
    small = b.let(op("without", plain, tops))
    spare = b.let(op("select", small, small, op("select", plain, plain, mask)))
    shortest: Expr = TOO_LONG
    chosen: Expr = 0
    for lane in suit_lanes(v):
        mine = b.let(op("and", spare, lane))
        length = b.let(op("select", mine, op("count", op("and", mask, lane)), TOO_LONG))
        shorter = b.let(op("lt", length, shortest))
        chosen = b.let(op("select", shorter, mine, chosen))
        shortest = b.let(op("select", shorter, length, shortest))
    return first_card(v, chosen)


# --------------------------------------------------------------------------------------------------- suits, masks


def strongest_suit(v: Expressions, hand: Expr, options: ValueOptions) -> Expr:
    """The suit with most cards, with high cards weighted; `none` only if it is the only option."""
    b = v.b
    most: Expr = -1
    chosen: Expr = -1
    for suit, lane in enumerate(suit_lanes(v)):
        mine = b.let(op("and", hand, lane))
        worth = op("add", op("mul", op("count", mine), LENGTH), points_of_high_cards(v, mine))
        offered = op("and", op("shr", options.mask, suit), 1)
        worth = b.let(op("select", offered, worth, -1))
        better = b.let(op("lt", most, worth))
        chosen = b.let(op("select", better, suit, chosen))
        most = b.let(op("select", better, worth, most))
    return chosen


def points_of_high_cards(v: Expressions, mask: Expr) -> Expr:
    """The sum of their heights above the lower ranks."""
    points: Expr = 0
    for rank in range(max(v.layout.ranks - HONOURS, 0), v.layout.ranks):
        higher = v.layout.lanes * (v.layout.lane & v.layout.lane << rank)
        points = op("add", points, op("count", op("and", mask, higher)))
    return points


def suit_lanes(v: Expressions) -> list[int]:
    """All positions of each suit."""
    return [v.layout.lane << v.layout.stride * s for s in range(v.layout.suits)]


def ranks_of(v: Expressions, mask: Expr) -> Expr:
    """The ranks of some cards, as a mask."""
    number = v.layout.suits
    while number > 1:
        number = (number + 1) // 2
        mask = v.b.let(mask)
        mask = op("or", mask, op("shr", mask, number * v.layout.stride))
    return v.b.let(op("and", mask, v.layout.lane))


def first_card(v: Expressions, mask: Expr) -> Expr:
    """The card at the lowest position, as a mask; empty if there is none."""
    mask = v.b.let(mask)
    return v.b.let(op("and", mask, op("sub", 0, mask)))


def lowest_card(v: Expressions, mask: Expr) -> Expr:
    """A card of the lowest rank, as a mask; empty if there is none."""
    return first_card(v, op("and", mask, op("mul", v.layout.lanes, first_card(v, ranks_of(v, mask)))))


def highest_card(v: Expressions, mask: Expr) -> Expr:
    """A card of the highest rank, as a mask; empty if there is none."""
    return first_card(v, highest_ranked(v, mask))


def highest_ranked(v: Expressions, mask: Expr) -> Expr:
    """All cards of the highest rank there is."""
    top = op("bit", op("last", op("or", ranks_of(v, mask), 1)))
    return op("and", mask, op("mul", v.layout.lanes, top))
