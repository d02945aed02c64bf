"""Who gives how many to whom, in which order, and which cards come back."""

from __future__ import annotations

from .variants import VARIANTS, rank, targets

Pair = tuple[int, int]  # giver, taker


def clockwise(players: int, start: int) -> list[int]:
    """Everybody but `start`, beginning at his left, and `start` himself last."""
    return [(start + step) % players for step in range(1, players + 1)]


def due(over: list[int]) -> dict[Pair, int]:
    """The cards each giver owes each taker after a hand with these deviations.

    One player up: each down player gets what he is down. One player down: he gets from each what that
    one is up. Two against two (four players): if one of the two is further up than the other,
    as many pairs as possible exchange ("sharpen the contest"); then, and always if they are equally up, as
    few cards as possible go to a giver's own left-hand neighbour.
    """
    ups = [player for player, deviation in enumerate(over) if deviation > 0]
    downs = [player for player, deviation in enumerate(over) if deviation < 0]
    if len(ups) == 1:
        return {(ups[0], taker): -over[taker] for taker in downs}
    if len(downs) == 1:
        return {(giver, downs[0]): over[giver] for giver in ups}
    if not ups:
        return {}
    (one, other), (near, far) = ups, downs
    ways = []
    for amount in range(over[one] + 1):
        way = {
            (one, near): amount,
            (one, far): over[one] - amount,
            (other, near): -over[near] - amount,
            (other, far): over[other] + over[near] + amount,
        }
        if min(way.values()) >= 0:
            ways.append({pair: cards for pair, cards in way.items() if cards})
    players = len(over)

    def preference(way: dict[Pair, int]) -> Pair:
        to_left = sum(cards for (giver, taker), cards in way.items() if taker == (giver + 1) % players)
        return (-len(way) if over[one] != over[other] else 0), to_left

    return min(ways, key=preference)  # never a tie: one number is free, and it moves cards to the left


def giving_order(ruleset: str, dealer: int, over: list[int]) -> list[int]:
    """The players who were up, in the order in which they give.

    "Target" is the one in the hand about to be played. Where all give before any returns, they give
    clockwise from the dealer's left.
    """
    variant = VARIANTS[ruleset]
    ups = [player for player in clockwise(len(over), dealer) if over[player] > 0]
    if variant.returns != "each giver in turn":
        return ups
    target = targets(ruleset, dealer)
    if variant.first == "most up":
        return sorted(ups, key=lambda player: (-over[player], -target[player]))
    return sorted(ups, key=lambda player: -target[player])


def return_order(ruleset: str, dealer: int, over: list[int]) -> list[Pair]:
    """The pairs in the order of the returns, where all give before any returns."""
    players = len(over)
    pairs = due(over)
    if VARIANTS[ruleset].returns == "by rank":
        # Per taker from the dealer's left; his givers likewise (nobody can tell the difference).
        around = clockwise(players, dealer)
        return [(giver, taker) for taker in around for giver in around if (giver, taker) in pairs]
    target = targets(ruleset, dealer)
    ups = sorted((p for p in range(players) if over[p] > 0), key=lambda player: -target[player])
    return [(giver, taker) for giver in ups for taker in clockwise(players, giver) if (giver, taker) in pairs]


def highest(hand: set[str], suit: str, how_many: int) -> list[str]:
    """The highest cards of a suit in a hand, highest first."""
    return sorted((card for card in hand if card[1] == suit), key=rank, reverse=True)[:how_many]


def answer(hand: set[str], received: list[str]) -> list[str]:
    """What goes back for the received cards (already in the hand): suit by suit as many, the highest."""
    suits = [card[1] for card in received]
    return [card for suit in sorted(set(suits)) for card in highest(hand, suit, suits.count(suit))]


def answers_by_rank(hand: set[str], received: dict[int, list[str]]) -> dict[int, list[str]]:
    """What each giver gets back when the taker answers all of them at once, per suit by rank.

    The giver of the highest card received in a suit gets the taker's highest card of it, and so on;
    `received` is by giver, and already in the hand.
    """
    back: dict[int, list[str]] = {giver: [] for giver in received}
    gifts = [(card, giver) for giver, cards in received.items() for card in cards]
    for suit in sorted({card[1] for card, _ in gifts}):
        ranked = sorted(
            (gift for gift in gifts if gift[0][1] == suit), key=lambda g: rank(g[0]), reverse=True
        )
        for (_, giver), card in zip(ranked, highest(hand, suit, len(ranked)), strict=True):
            back[giver].append(card)
    return back


def to_show(kitty: set[str], returned: list[str]) -> list[str]:
    """The kitty cards a dealer shows the player to whom he returned these cards.

    Higher than the lowest card he returned to that player in the suit, not only higher than the highest:
    those are the cards he would have had to return, had he held them. gamerules' "than the one given"
    is read the same way, the card the dealer gave (its example shows the 10 and ace above a returned 6).
    """
    lowest: dict[str, int] = {}
    for card in returned:
        lowest[card[1]] = min(rank(card), lowest.get(card[1], rank(card)))
    return [card for card in kitty if card[1] in lowest and rank(card) > lowest[card[1]]]
