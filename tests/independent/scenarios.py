"""Random legal scenarios: any previous hand, deal and moves, stopped anywhere, some spoilt at the end."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import NamedTuple

from .game import Ask, Hand, Move, Scenario
from .variants import RANKS, SUITS, VARIANTS, deviations, pack, rank, winners

SPOILT = 0.1  # share of scenarios whose last move is illegal
STOPPED = 1 / 3  # share of the others that stop before the hand is over
RIGGED = 0.25  # share in which one player holds and plays the high cards, so that matches end too
FIRST = 0.15
LEVEL = 0.1  # share of later hands after which nobody was up or down


class Favourite(NamedTuple):
    """A player who is dealt the strongest cards; with a suit, that suit whole (and trump if he deals)."""

    player: int
    suit: str

    def strength(self, card: str) -> int:
        return rank(card) + len(RANKS) * (card[1] == self.suit)


def random_scenario(ruleset: str, rng: Random) -> Scenario:
    """A legal scenario of this game (or, in one case of ten, one whose last move is illegal)."""
    params = {"goal": rng.choice((10, 20))} if ruleset == "nine-five-two" else {}
    players = len(VARIANTS[ruleset].targets)
    dealer = rng.randrange(players)
    first_hand = rng.random() < FIRST
    over, scores = [0] * players, [0] * players
    if not first_hand:
        over, scores = previous_hand(ruleset, params, dealer, rng)
    favourite = None
    if rng.random() < RIGGED:
        player = dealer if rng.random() < 0.7 else rng.randrange(players)
        favourite = Favourite(player, rng.choice((*SUITS, "", "", "")))
    hands, kitty = deal(ruleset, favourite, rng)
    scenario: Scenario = {
        "ruleset": ruleset,
        "params": params,
        "dealer": dealer,
        "first_hand": first_hand,
        "over": over,
        "scores": scores,
        "hands": hands,
        "kitty": kitty,
        "moves": [],
    }
    moves = all_moves(scenario, favourite, rng)
    fate = rng.random()
    if fate < SPOILT + (1 - SPOILT) * STOPPED:
        # Half of the cuts fall near the start, where the exchange is; the rest anywhere.
        latest = min(len(moves), 8) if rng.random() < 0.5 else len(moves)
        del moves[rng.randint(0, latest) :]
    scenario["moves"] = moves
    if fate < SPOILT:
        moves.append(illegal_move(scenario, rng))
    return scenario


def previous_hand(
    ruleset: str, params: dict[str, int], dealer: int, rng: Random
) -> tuple[list[int], list[int]]:
    """Deviations of a possible previous hand that did not end the match, and the scores after it."""
    variant = VARIANTS[ruleset]
    players = len(variant.targets)
    last_dealer = (dealer - 1) % players
    level = rng.random() < LEVEL
    possible = [t for t in product(range(variant.hand + 1), repeat=players) if sum(t) == variant.hand]
    while True:
        tricks = list(rng.choice(possible))
        over = [0] * players if level else deviations(ruleset, last_dealer, tricks)
        if level:
            tricks = [variant.hand // players] * players  # nobody near an end; only `over` is used
        before = _scores(ruleset, params, rng) if variant.scored else [0] * players
        after = [a + b for a, b in zip(before, over, strict=True)] if variant.scored else before
        if not winners(ruleset, params, tricks, over, after):
            return over, after


def _scores(ruleset: str, params: dict[str, int], rng: Random) -> list[int]:
    """Carried scores, summing to zero, that have not ended the match; often two are close to it."""
    players = len(VARIANTS[ruleset].targets)
    limit = params.get("goal", {"shawn-51": 10}.get(ruleset, 15))
    lowest = limit - 5 if rng.random() < 0.4 and ruleset != "tallyn" else -limit
    while True:
        scores = [rng.randint(lowest, limit - 1) for _ in range(players - 1)]
        scores.append(-sum(scores))
        rng.shuffle(scores)
        if not winners(ruleset, params, [0] * players, scores, scores):
            return scores


def deal(ruleset: str, favourite: Favourite | None, rng: Random) -> tuple[list[list[str]], list[str]]:
    """Hands and kitty; a favourite gets the strongest cards, or with some noise most of them."""
    size, players = VARIANTS[ruleset].hand, len(VARIANTS[ruleset].targets)
    cards = pack(ruleset)
    rng.shuffle(cards)
    if favourite is None:
        return [cards[i * size : (i + 1) * size] for i in range(players)], cards[players * size :]
    noise = 0 if favourite.suit else rng.choice((0, 2, 5))
    cards.sort(key=lambda card: favourite.strength(card) + noise * rng.random(), reverse=True)
    rest = len(cards) - players * size
    best, kitty, others = cards[:size], cards[size : size + rest], cards[size + rest :]
    rng.shuffle(others)
    hands = [others[i * size : (i + 1) * size] for i in range(players - 1)]
    hands.insert(favourite.player, best)
    return hands, kitty


def all_moves(scenario: Scenario, favourite: Favourite | None, rng: Random) -> list[Move]:
    """Moves to the end of the hand: random, or for the benefit of the favourite."""
    hand = Hand(scenario)
    moves: list[Move] = []
    while hand.ask is not None:
        move = a_move(hand.ask, favourite, rng)
        if not hand.decide(move):
            raise AssertionError(f"own move refused: {move} for {hand.ask}")
        moves.append(move)
    return moves


def a_move(ask: Ask, favourite: Favourite | None, rng: Random) -> Move:
    """A legal answer."""
    move: Move = {"player": ask.player, "move": ask.move}
    legal = list(ask.legal)
    rng.shuffle(legal)
    if ask.move == "trump":
        wanted = favourite.suit if favourite is not None and favourite.player == ask.player else ""
        return move | {"suit": wanted or legal[0]}
    if favourite is not None:
        mine = ask.player == favourite.player
        legal.sort(key=favourite.strength, reverse=ask.move == "play" and mine)
    if ask.move == "play":
        return move | {"card": legal[0]}
    if ask.move == "give":
        move["to"] = ask.to
    return move | {"cards": legal[: rng.choice((ask.least, ask.most, rng.randint(ask.least, ask.most)))]}


def illegal_move(scenario: Scenario, rng: Random) -> Move:
    """A move that is illegal after the scenario's moves."""
    hand = Hand(scenario)
    for move in scenario["moves"]:
        hand.decide(move)
    if hand.ask is None:
        return {"player": hand.leader, "move": "play", "card": rng.choice(pack(hand.ruleset))}
    choices = wrong_answers(hand, hand.ask, rng)
    return rng.choice([move for move in choices if not hand.ask.allows(move)])


def wrong_answers(hand: Hand, ask: Ask, rng: Random) -> list[Move]:
    """Answers that miss the decision in one thing each."""
    good = a_move(ask, None, rng)
    other = rng.choice([move for move in ("give", "trump", "discard", "play") if move != ask.move])
    anything: Move = {"cards": ask.legal[:1], "card": ask.legal[0], "suit": rng.choice(SUITS)}
    wrong = [
        good | {"player": (ask.player + rng.randint(1, hand.players - 1)) % hand.players},
        {"player": ask.player, "move": other, "to": (ask.player + 1) % hand.players} | anything,
    ]
    foreign = [card for card in pack(hand.ruleset) if card not in hand.hands[ask.player]]
    if ask.move == "trump":
        wrong += [good | {"suit": suit} for suit in ("N", rng.choice(RANKS))]
    elif ask.move == "play":
        revokes = [card for card in hand.hands[ask.player] if card not in ask.legal]
        wrong += [good | {"card": card} for card in [rng.choice(foreign), *sorted(revokes)[:2]]]
    else:
        wrong.append(good | {"cards": rng.sample(ask.legal, ask.most + 1)})
        wrong.append(good | {"cards": [*ask.legal[: ask.most - 1], rng.choice(foreign)]})
        if ask.least:
            wrong.append(good | {"cards": rng.sample(ask.legal, ask.least - 1)})
        if ask.most > 1:
            wrong.append(good | {"cards": [ask.legal[0]] * ask.most})
    if ask.move == "give":
        wrong.append(good | {"to": ask.player})
    return wrong
