"""One hand from the exchange to the score: a generator that stops wherever somebody must decide."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

from . import exchange
from .exchange import clockwise
from .variants import SUITS, VARIANTS, deviations, in_order, kitty_size, pack, rank, targets, winners

Move = dict[str, Any]
Scenario = dict[str, Any]


class Ask(NamedTuple):
    """A decision that is due: who, which move, what may be part of it, and how many cards."""

    player: int
    move: str
    legal: list[str]
    least: int = 1
    most: int = 1
    to: int | None = None

    def allows(self, move: Move) -> bool:
        """Whether this is a legal answer; decisions are answered in the order they are asked."""
        if move.get("player") != self.player or move.get("move") != self.move:
            return False
        if self.move == "trump":
            return move.get("suit") in self.legal
        if self.move == "play":
            return move.get("card") in self.legal
        cards = move.get("cards", ())
        if self.move == "give" and move.get("to") != self.to:
            return False
        return (
            self.least <= len(cards) <= self.most
            and len(set(cards)) == len(cards)
            and set(cards) <= set(self.legal)
        )


class Impossible(Exception):  # noqa: N818 - not an error of ours: the scenario cannot occur
    """The scenario's deal, deviations or seats cannot occur in this game."""


class Hand:
    """A hand in progress: everything a scenario's answer tells, and the decision that is due."""

    def __init__(self, scenario: Scenario) -> None:
        _require(scenario.get("ruleset") in VARIANTS)
        self.ruleset: str = scenario["ruleset"]
        self.variant = VARIANTS[self.ruleset]
        self.players = len(self.variant.targets)
        zeros = [0] * self.players
        self.params: dict[str, int] = scenario.get("params", {})
        self.first_hand: bool = scenario.get("first_hand", False)
        self.dealer: int = scenario["dealer"]
        self.over: list[int] = list(scenario.get("over", zeros))
        self.scores: list[int] = list(scenario.get("scores", zeros))
        self.hands = [set(hand) for hand in scenario["hands"]]
        self.kitty = set(scenario.get("kitty", ()))
        _require(self._is_possible(scenario))
        self.discards: set[str] = set()
        self.trump: str | None = None
        self.tricks = zeros
        self.leader = (self.dealer + 1) % self.players
        self.winners: list[int] = []
        self.events: list[dict[str, Any]] = []
        self.given: dict[exchange.Pair, list[str]] = {}
        self.returned: dict[exchange.Pair, list[str]] = {}
        self._course = self._whole_hand()
        self.ask: Ask | None = next(self._course, None)

    def _is_possible(self, scenario: Scenario) -> bool:
        """The pack is dealt out, and some previous hand can have had these deviations.

        That the match should have ended with that previous hand is not held against a scenario.
        """
        if not 0 <= self.dealer < self.players:
            return False
        dealt = [card for hand in scenario["hands"] for card in hand] + list(scenario.get("kitty", ()))
        sizes = [len(hand) for hand in scenario["hands"]]
        if sizes != [self.variant.hand] * self.players or sorted(dealt) != sorted(pack(self.ruleset)):
            return False
        if len(self.over) != self.players or len(self.scores) != self.players or sum(self.over) != 0:
            return False
        if self.first_hand and any(self.over):
            return False
        before = targets(self.ruleset, self.dealer - 1)  # the previous dealer sat to the dealer's right
        return all(due + more >= 0 for due, more in zip(before, self.over, strict=True))

    def decide(self, move: Move) -> bool:
        """Make a move and everything forced that follows it; False, and nothing done, if it is illegal."""
        if self.ask is None or not self.ask.allows(move):
            return False
        try:
            self.ask = self._course.send(move)
        except StopIteration:
            self.ask = None
        return True

    def _tell(self, event: str, **fields: Any) -> None:
        self.events.append({"event": event, **fields})

    def _whole_hand(self) -> Generator[Ask, Move, None]:
        variant = self.variant
        if variant.kitty == "before the exchange":
            self._take_kitty()
            yield from self._discard()
        if not self.first_hand:
            yield from self._exchange()
        move = yield Ask(self.dealer, "trump", list(SUITS))
        self.trump = move["suit"]
        self._tell("trump", player=self.dealer, suit=self.trump)
        if variant.returns == "after trump":
            for giver, taker in exchange.return_order(self.ruleset, self.dealer, self.over):
                self._return(giver, taker, exchange.answer(self.hands[taker], self.given[giver, taker]))
        if variant.kitty == "take, discard":
            kitty = self._take_kitty()
            if not variant.shows_last:
                self._show(kitty)
            yield from self._discard()
            if variant.shows_last:
                self._show(kitty)
        if variant.kitty == "discard, take":
            yield from self._discard()
            self._show(self._take_kitty())
        for _ in range(variant.hand):
            yield from self._trick()
        self._score()

    def _exchange(self) -> Generator[Ask, Move, None]:
        amounts = exchange.due(self.over)
        if self.variant.may:
            yield from self._exchange_as_givers_like()
            return
        for giver in exchange.giving_order(self.ruleset, self.dealer, self.over):
            takers = [taker for taker in clockwise(self.players, giver) if (giver, taker) in amounts]
            for taker in takers:
                yield from self._give(giver, taker, amounts[giver, taker])
            if self.variant.returns == "each giver in turn":
                for taker in takers:
                    self._return(giver, taker, exchange.answer(self.hands[taker], self.given[giver, taker]))
        if self.variant.returns == "by rank":
            self._return_by_rank()

    def _exchange_as_givers_like(self) -> Generator[Ask, Move, None]:
        """One card for each trick up, at most, split between the players who were down in any way."""
        for giver in exchange.giving_order(self.ruleset, self.dealer, self.over):
            takers = [taker for taker in clockwise(self.players, giver) if self.over[taker] < 0]
            rest = self.over[giver]
            for taker in takers:
                if rest:
                    yield from self._give(giver, taker, rest)
                    rest -= len(self.given[giver, taker])
            for taker in takers:
                cards = self.given.get((giver, taker), [])
                self._return(giver, taker, exchange.answer(self.hands[taker], cards))

    def _give(self, giver: int, taker: int, amount: int) -> Generator[Ask, Move, None]:
        least = 0 if self.variant.may else amount
        move = yield Ask(giver, "give", in_order(self.hands[giver]), least, amount, taker)
        cards = in_order(move["cards"])
        self.given[giver, taker] = cards
        self.hands[giver] -= set(cards)
        self.hands[taker] |= set(cards)
        if cards:
            self._tell("give", player=giver, to=taker, cards=cards)

    def _return(self, giver: int, taker: int, cards: list[str]) -> None:
        if not cards:
            return
        self.returned[giver, taker] = cards
        self.hands[taker] -= set(cards)
        self.hands[giver] |= set(cards)
        self._tell("return", player=taker, to=giver, cards=in_order(cards))

    def _return_by_rank(self) -> None:
        order = exchange.return_order(self.ruleset, self.dealer, self.over)
        answers = {}
        for taker in {taker for _, taker in order}:
            received = {giver: cards for (giver, to), cards in self.given.items() if to == taker}
            answers[taker] = exchange.answers_by_rank(self.hands[taker], received)
        for giver, taker in order:
            self._return(giver, taker, answers[taker][giver])

    def _take_kitty(self) -> set[str]:
        kitty, self.kitty = self.kitty, set()
        self.hands[self.dealer] |= kitty
        self._tell("take-kitty", player=self.dealer, cards=in_order(kitty))
        return kitty

    def _show(self, kitty: set[str]) -> None:
        """The dealer shows what he has to show of the kitty that he took."""
        if self.variant.shows:
            for giver in clockwise(self.players, self.dealer):
                cards = exchange.to_show(kitty, self.returned.get((giver, self.dealer), []))
                if cards:
                    self._tell("show", player=self.dealer, to=giver, cards=in_order(cards))

    def _discard(self) -> Generator[Ask, Move, None]:
        size = kitty_size(self.ruleset)
        move = yield Ask(self.dealer, "discard", in_order(self.hands[self.dealer]), size, size)
        self.discards = set(move["cards"])
        self.hands[self.dealer] -= self.discards
        self._tell("discard", player=self.dealer, cards=in_order(self.discards))

    def _trick(self) -> Generator[Ask, Move, None]:
        played: dict[str, int] = {}  # card -> player, in the order of play
        led = None
        for step in range(self.players):
            player = (self.leader + step) % self.players
            following = {card for card in self.hands[player] if card[1] == led}
            move = yield Ask(player, "play", in_order(following or self.hands[player]))
            card = move["card"]
            led = led or card[1]
            self.hands[player].remove(card)
            played[card] = player
            self._tell("play", player=player, card=card)
        trumps = [card for card in played if card[1] == self.trump]
        best = max(trumps or [card for card in played if card[1] == led], key=rank)
        self.leader = played[best]
        self.tricks[self.leader] += 1
        self._tell("trick", player=self.leader, winner=self.leader, cards=list(played))

    def _score(self) -> None:
        self.over = deviations(self.ruleset, self.dealer, self.tricks)
        if self.variant.scored:
            self.scores = [old + new for old, new in zip(self.scores, self.over, strict=True)]
        self._tell("score", over=self.over, scores=self.scores)
        self.winners = winners(self.ruleset, self.params, self.tricks, self.over, self.scores)
        if self.winners:
            self._tell("end", winners=self.winners)

    def state(self) -> dict[str, Any]:
        """The state as a scenario's answer shows it; a card lying in an unfinished trick is nowhere in it."""
        return {
            "dealer": self.dealer,
            "trump": self.trump,
            "hands": [in_order(hand) for hand in self.hands],
            "kitty": in_order(self.kitty),
            "discards": in_order(self.discards),
            "tricks": list(self.tricks),
            "over": list(self.over),
            "scores": list(self.scores),
            "leader": self.leader,
            "match_over": bool(self.winners),
            "winners": self.winners,
        }


def _require(possible: bool) -> None:
    if not possible:
        raise Impossible
