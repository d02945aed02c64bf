"""The eleven games as plain facts, by ruleset id.

Where a document is silent the contract's "first readings" are used; what the contract leaves open too
is said at the fact it concerns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

RANKS = "23456789TJQKA"
SUITS = "CDHS"


class Variant(NamedTuple):
    """What one document says of one game; targets go clockwise from the dealer."""

    targets: tuple[int, ...] = (8, 5, 3)
    hand: int = 16  # cards each when play starts, hence also the tricks of a hand
    kitty: str = "take, discard"  # or "discard, take", "before the exchange", "none"
    first: str = "higher target"  # who of several givers exchanges first, or "most up"
    returns: str = "each giver in turn"  # or "after trump", "by rank"
    may: bool = False  # a giver may give fewer than he is due
    shows: bool = False  # a dealer shows kitty cards higher than those he had to return
    shows_last: bool = False  # ... after the discard, where the page says so
    scored: bool = False  # deviations add up from hand to hand
    missing: str = ""  # a card taken out of the pack


# pagat: trump, then four cards away, and only then the kitty. The main rules' duty to show holds for
# every variant that takes a kitty after the exchange, because a variant follows the main rules in
# what it does not change: kitty first, all sixteen and 9-5-2. Tallyn's dealer takes the kitty before
# he returns anything; the 51-card and the four-player game have none.
# weaver-four: the document says 5-4-2-2 and not who sits where: dealer 5, then clockwise 4, 2, 2.
_PAGAT = Variant(kitty="discard, take", shows=True)

VARIANTS: dict[str, Variant] = {
    "trumpet-major": Variant(first="most up"),
    "six-over": Variant(),
    "gamerules": Variant(first="most up", may=True, shows=True, shows_last=True),
    "gamerules-mirror": Variant(first="most up", may=True, shows=True, shows_last=True),
    "pagat": _PAGAT,
    "pagat-kitty-first": Variant(shows=True),
    "pagat-all-sixteen": _PAGAT,
    "shawn-51": Variant(targets=(8, 6, 3), hand=17, kitty="none", scored=True, missing="2C"),
    "nine-five-two": Variant(targets=(9, 5, 2), shows=True, scored=True),
    "tallyn": Variant(targets=(9, 2, 5), kitty="before the exchange", returns="after trump", scored=True),
    "weaver-four": Variant(targets=(5, 4, 2, 2), hand=13, kitty="none", returns="by rank"),
}


def rank(card: str) -> int:
    """How high a card stands in its suit."""
    return RANKS.index(card[0])


def in_order(cards: Iterable[str]) -> list[str]:
    """Cards by suit, then rank: the order of every list that means a set."""
    return sorted(cards, key=lambda card: (card[1], rank(card)))


def pack(ruleset: str) -> list[str]:
    """All cards of the game, in order."""
    missing = VARIANTS[ruleset].missing
    return in_order(r + s for s in SUITS for r in RANKS if r + s != missing)


def kitty_size(ruleset: str) -> int:
    """What is left after the deal: four, or none."""
    variant = VARIANTS[ruleset]
    return len(pack(ruleset)) - variant.hand * len(variant.targets)


def targets(ruleset: str, dealer: int) -> list[int]:
    """The tricks each player has to make, by player, in the hand this dealer deals."""
    by_seat = VARIANTS[ruleset].targets
    return [by_seat[(player - dealer) % len(by_seat)] for player in range(len(by_seat))]


def deviations(ruleset: str, dealer: int, tricks: list[int]) -> list[int]:
    """Tricks minus targets, by player."""
    return [made - due for made, due in zip(tricks, targets(ruleset, dealer), strict=True)]


def winners(
    ruleset: str, params: dict[str, int], tricks: list[int], over: list[int], scores: list[int]
) -> list[int]:
    """Who has won after a complete hand; nobody while the match goes on.

    The sixteen (17, 13) tricks are always played out: no document stops a hand at the deciding trick.
    weaver-four names no end, so the main rules' twelve tricks hold.
    """
    players = range(len(tricks))
    if ruleset == "six-over":
        return [p for p in players if over[p] >= 6]
    if ruleset == "shawn-51":
        return [p for p in players if scores[p] >= 10]
    if ruleset == "nine-five-two":
        return [p for p in players if scores[p] >= params.get("goal", 10)]
    if ruleset == "tallyn":
        reached = any(abs(score) >= 15 for score in scores)
        return [p for p in players if reached and scores[p] == max(scores)]
    enough = {"trumpet-major": 13, "pagat-all-sixteen": 16}.get(ruleset, 12)
    return [p for p in players if tricks[p] >= enough]
