"""The simulator's greedy policy as a player over states: takes tricks as cheaply as possible.

It stops at the target, unless more tricks count for more, and leaves a trick to a partner who is winning it. It
looks no further than the current trick, and only at what its player may see: own hand, cards on the table,
trump, own tricks and target. Numbers it chooses by the strength of its hand, if lines are given (`testing.bids`). If a
ruleset does not use these words, and for other values than suits and numbers, it chooses at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from trickproof.analysis.target_met import stops_at_target
from trickproof.testing.bids import HONOURS, Line, bid
from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.playing import Player, random_player
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value

LENGTH = 4
"""The value of a card in choosing a suit; high ranks add one for each step above the low ranks."""


def greedy_player(
    seed: int = 0, stops: bool | None = None, lines: Callable[[], Mapping[str, Line]] = dict
) -> Player:
    """A player that takes tricks as cheaply as possible; `seed` is for choices left to chance.

    `stops` says whether it stops at its target; None leaves that to the rules (`stops_at_target`).  `lines` is
    asked when a number is to be chosen.
    """
    other = random_player(seed)
    known: dict[int, tuple[c.Program, bool]] = {}

    def at_target(program: c.Program) -> bool:
        if stops is not None:
            return stops
        if id(program) not in known:
            known[id(program)] = program, stops_at_target(program)
        return known[id(program)][1]

    def choose(state: State, decision: Decision) -> Value:
        if decision.type == c.SUIT and ("hand", decision.player) in state.zones:
            return _suit(state, decision)
        if decision.type == c.CARDS and not decision.blind:
            if decision.label == "play":
                if decision.low == decision.high == 1 and _is_played(state):
                    return frozenset((_Trick(state, decision, at_target(state.program)).card(),))
            elif decision.whose is None and set(decision.legal) <= set(_hand(state, decision.player)):
                return _thrown(state, decision)
        if decision.type == c.INTEGER and (number := bid(lines(), state, decision)) is not None:
            return number
        return other(state, decision)

    return choose


def policy_player(name: str, seed: int, lines: Callable[[], Mapping[str, Line]]) -> Player:
    """The player for a policy, `random` or `greedy`."""
    return greedy_player(seed, lines=lines) if name == "greedy" else random_player(seed)


def _is_played(state: State) -> bool:
    variables = state.program.variables
    played, led = variables.get("played"), variables.get("led")
    return played is not None and played.of == (c.PLAYER,) and played.type == c.CARD and led is not None


def _hand(state: State, player: int) -> tuple[int, ...]:
    return state.zones.get(("hand", player), ())


class _Trick:
    """The choice of a card to play to a trick."""

    def __init__(self, state: State, decision: Decision, stops: bool) -> None:
        self.deck, variables, seats = state.program.deck, state.variables, range(state.program.players)
        self.trump = variables.get(("trump",))
        self.legal: frozenset[int] = frozenset(decision.legal)
        self.led = variables.get(("led",))
        self.table = {card for p in seats if (card := variables[("played", p)]) is not None}
        partners = {p for team in state.program.teams if decision.player in team for p in team}
        self.ours = {variables[("played", p)] for p in partners - {decision.player}}
        tricks, target = (variables.get((name, decision.player)) for name in ("tricks", "target"))
        self.sated = stops and tricks is not None and target is not None and target <= tricks

    def card(self) -> int:
        """The card to play."""
        plain: set[int] = {x for x in self.legal if not self._is_trump(x)}
        cheap = min(plain or self.legal, key=self._height)
        if not self.table:
            return cheap if self.sated else self._top()
        winners = {x for x in self.legal if self._beats(x)}
        losers = self.legal - winners
        if self.sated:
            return max(losers, key=lambda x: (self.deck.card_rank[x], -x)) if losers else cheap
        if self._best() in self.ours:
            return cheap
        sparing = winners & plain
        return min(sparing or winners, key=self._place) if winners else cheap

    def _is_trump(self, card: int) -> bool:
        return self.trump is not None and self.deck.card_suit[card] == self.trump

    def _height(self, card: int) -> tuple[int, int]:
        return self.deck.card_rank[card], card

    def _place(self, card: int) -> tuple[int, int]:
        return self.deck.card_suit[card], self.deck.card_rank[card]

    def _best(self) -> int | None:
        """The best card on the table."""
        trumps = [x for x in self.table if self._is_trump(x)]
        lane = trumps or [x for x in self.table if self.deck.card_suit[x] == self.led]
        return max(lane, key=lambda x: self.deck.card_rank[x], default=None)

    def _beats(self, card: int) -> bool:
        """Whether a card beats everything on the table."""
        deck, best = self.deck, self._best()
        higher = best is None or deck.card_rank[card] > deck.card_rank[best]
        if best is not None and self._is_trump(best):
            return self._is_trump(card) and higher
        return self._is_trump(card) or (deck.card_suit[card] == self.led and higher)

    def _top(self) -> int:
        """The highest card, from the longest suit among those with a card of that rank."""
        suits = [self.deck.card_suit[x] for x in self.legal]
        return max(
            self.legal, key=lambda x: (self.deck.card_rank[x], suits.count(self.deck.card_suit[x]), -x)
        )


def _thrown(state: State, decision: Decision) -> frozenset[int]:
    """The lowest cards of the shortest suits, one by one: as few as allowed, or as many as allowed if they go to a player."""
    wanted = decision.low if decision.to is None else decision.high
    left, gone = set(decision.legal), set[int]()
    deck, trump = state.program.deck, state.variables.get(("trump",))
    for _ in range(wanted):
        plain = {x for x in left if deck.card_suit[x] != trump}
        small = {x for x in plain if deck.card_rank[x] < len(deck.ranks) - 1}
        length = _lengths(deck, left)
        card = min(
            small or plain or left,
            key=lambda x: (length[deck.card_suit[x]], deck.card_suit[x], deck.card_rank[x]),
        )
        left.remove(card)
        gone.add(card)
    return frozenset(gone)


def _lengths(deck: c.Deck, cards: Iterable[int]) -> list[int]:
    suits = [deck.card_suit[x] for x in cards]
    return [suits.count(suit) for suit in range(len(deck.suits))]


def _suit(state: State, decision: Decision) -> Value:
    """The suit with the most cards, weighted towards high ones; none only if there is no other option."""
    deck, hand = state.program.deck, _hand(state, decision.player)
    offered: list[int] = [suit for suit in decision.legal if suit is not None]
    high = len(deck.ranks) - HONOURS

    def worth(suit: int) -> int:
        ranks = [deck.card_rank[x] for x in hand if deck.card_suit[x] == suit]
        return sum(LENGTH + max(rank - high + 1, 0) for rank in ranks)

    return max(offered, key=lambda suit: (worth(suit), -suit)) if offered else None
