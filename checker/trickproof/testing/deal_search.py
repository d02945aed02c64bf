"""A concrete deal with given numbers of tricks: cards and legal plays, found by players who all cooperate.

The solver answers with numbers of tricks; a witness needs cards. Cards are dealt so that the strongest are
distributed roughly like the tricks, corrected for what the exchange did to earlier attempts, and the play is
searched trick by trick. Only the interpreter determines what is legal and who wins. The search is
deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from trickproof.analysis.dependencies import Body, variables_assigned, variables_read
from trickproof.checking.engines import State, apply
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.testing.witness import cards_may_be_given
from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.compiled.state import State as Compiled
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import Key, Value, carried

DEALS = 300
"""Maximum number of deals tried."""

ONE_SUIT = 200
"""Number of deals in which one suit is assumed to be the strongest; in later ones only ranks count."""

MOVES = 12_000
"""Maximum number of moves tried in all, and (`DEAL_MOVES`) for one deal."""
DEAL_MOVES = 150

TRICK_TRIES = 2
"""Number of ways tried to play one trick before backtracking; another deal helps more than many of these."""


REMEMBERED, AGAIN = 6, 2
"""Number of deals whose cards are tried again from other states, and how often each."""

_Known = dict[object, tuple[State, Value]]
"""The last choice of each play that reached a goal, by all that the play depends on."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Values that decisions before the play should lead to, and the condition on the complete deal.

    If `or_over`, a deal that ends the match will do, whatever its tricks.
    """

    wanted: Mapping[Key, Value] = field(default_factory=dict)
    fits: Callable[[State], bool] = lambda _: True
    or_over: bool = False


def construct(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
    begin: Mapping[Key, Value],
    goal: Sequence[int],
    aim: Aim | None = None,
    before: HandPlayed | None = None,
) -> HandPlayed | None:
    """A whole deal that begins with these carried values and in which the players take `goal` tricks; None if none is found.

    With `before`, it continues from that deal and begins with what that leaves.
    """
    if not cards_may_be_given(ruleset.program):
        return None
    builder = _Builder(ruleset, parameters, readings, begin, tuple(goal), aim or Aim(), before)
    return builder.hand_within_limits()


def constructed_from_all(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    ways: Iterable[Mapping[str, int]],
    begins: Sequence[Mapping[Key, Value]],
    goals: Sequence[Sequence[int]],
    aim: Aim,
) -> bool:
    """Whether `construct` finds, from each of many states and under each of many readings, a deal in which the players take one of the `goals`.

    The cards of deals found for earlier states are tried first, above all those found for the same state under other
    readings. Readings often matter before the play only, and no play is searched for twice from equal states: `aim.fits`
    may look at the variables, the cards and the last event. Deals in which the players hold different suits come first:
    what is given in an exchange often comes back, so that the play begins with equal hands, whatever the exchange.
    """
    if not cards_may_be_given(ruleset.program):
        return False
    known: _Known = {}
    found: list[_Builder] = []  # the last one that was used comes first
    for_state: dict[int, _Builder] = {}
    for readings in ways:
        for number, begin in enumerate(begins):
            likely = [for_state[number], *found] if number in for_state else found
            used = next((x for x in dict.fromkeys(likely) if x.dealt_again(begin, readings)), None)
            for goal in goals if used is None else ():
                builder = _Builder(ruleset, parameters, readings, begin, tuple(goal), aim, None, known)
                if builder.hand_within_limits() is not None:
                    used = builder
                    break
            if used is None:
                return False
            found = [used, *(x for x in found if x is not used)][:REMEMBERED]
            for_state[number] = used
    return True


class _Builder:
    def __init__(
        self,
        ruleset: Ruleset,
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
        begin: Mapping[Key, Value],
        goal: tuple[int, ...],
        aim: Aim,
        before: HandPlayed | None,
        known: _Known | None = None,
    ) -> None:
        self.aim, self.before = aim, before
        self.known = known
        """How the play reached some goal, if that is remembered."""
        self.program, self.parameters, self.readings, self.goal = ruleset.program, parameters, readings, goal
        self.seats = range(self.program.players)
        self.begin = carried(self.program, begin)
        self.rng, self.moves, self.last = Random(0), MOVES, 0
        self.strong: frozenset[int] = frozenset()
        self.order: dict[int, int] = {}
        self.by_suit, self.suits = False, list[float]()
        self.suit, self.cards, self.apart = 0, Chance(), False
        self.latest: tuple[State, Value] | None = None
        """The last choice of the play that was tried, and the state in which it was made."""

    def hand_within_limits(self) -> HandPlayed | None:
        """A deal that was found; None if none was, or if the engine gave up."""
        try:
            return self.hand()
        except EngineLimitError:
            return None

    def dealt_again(self, begin: Mapping[Key, Value], readings: Mapping[str, int]) -> bool:
        """Whether the cards of the deal that was found will do from another state, or under other readings."""
        self.begin, self.readings = carried(self.program, begin), readings
        try:
            for seed in range(AGAIN):
                self.rng, self.moves = Random(seed), MOVES
                hand = self._prepared(self._start(self.cards), self.suit)
                self.last = self.moves - DEAL_MOVES
                if self._over(hand.state) if hand.state.decision is None else self._can_play(hand):
                    return True
        except EngineLimitError:
            pass
        return False

    def hand(self) -> HandPlayed | None:
        sizes = self._start(Chance()).state.chance.dealt
        allot = [float(tricks) for tricks in self.goal]
        for number in range(DEALS):
            if self.moves <= 0:
                return None
            suit = self.rng.randrange(len(self.program.deck.suits))
            self.by_suit = number % 2 == 1
            self.suits = [
                self.rng.random() + (other == suit) for other in range(len(self.program.deck.suits))
            ]
            self.apart = self.known is not None and number < len(self.suits)
            suit = number if self.apart else suit
            self.suit = suit
            self.cards = self._deal(sizes, suit, allot, number)
            hand = self._prepared(self._start(self.cards), suit)
            if hand.state.decision is None:
                if self._over(hand.state):
                    return hand
                continue
            held = [len(self.strong & set(hand.state.cards("hand", p))) for p in range(self.program.players)]
            off = sum(abs(have - want) for have, want in zip(held, self.goal, strict=True))
            if self.apart or off <= number // 4:
                self.last = max(0, self.moves - DEAL_MOVES)
                played = self._play(hand)
                if played is not None:
                    self._remember(hand.state)
                    return played
            for p, want in enumerate(self.goal):
                allot[p] = max(0.0, allot[p] + (want - held[p]) / 2)
        return None

    def _start(self, chance: Chance) -> HandPlayed:
        if self.before is not None:
            return self.before.then(chance)
        return first_hand(self.program, chance, self.parameters, self.readings, self.begin)

    def _deal(
        self, sizes: Mapping[Key, tuple[int, ...]], suit: int, allot: Sequence[float], number: int
    ) -> Chance:
        """Cards by zone; the strongest, by suit and rank, go to the players they are allotted to."""
        deck = self.program.deck
        turn = -1 if number % 5 == 4 else 1
        long = suit if number < ONE_SUIT else None
        cards = sorted(
            range(len(deck.cards)), key=lambda x: (deck.card_suit[x] == long, turn * deck.card_rank[x])
        )
        self.order = {card: height for height, card in enumerate(cards)}
        self.strong = frozenset(cards[-sum(self.goal) :])
        room = {place: len(dealt) for place, dealt in sizes.items()}
        if self.apart:
            return self._suits_apart(room)
        given: dict[Key, tuple[int, ...]] = dict.fromkeys(room, ())
        weights: dict[Key, float] = {("hand", p): share for p, share in enumerate(allot)}
        turned = [place for place in room if room[place] == 1 and place not in weights]
        if turned and long is not None and number % 3:  # a card that is turned up often sets the trump suit
            card = next(card for card in cards if deck.card_suit[card] == long)
            given[turned[0]], room[turned[0]] = (card,), 0
            cards.remove(card)
        for card in reversed(cards):
            places = [place for place in room if room[place] > 0]
            if not places:
                break
            share = [
                weights.get(place, 0.0) if card in self.strong else 0.01 + room[place] for place in places
            ]
            share = share if sum(share) > 0 else [1.0] * len(places)
            place = self.rng.choices(places, share)[0]
            given[place] = (*given[place], card)
            room[place] -= 1
            if card in self.strong and place in weights:
                weights[place] = max(0.0, weights[place] - 1)
        return Chance(given=given)

    def _suits_apart(self, room: Mapping[Key, int]) -> Chance:
        """Cards by zone, suit after suit, the strong one to the player with the most tricks to take."""
        suits = self.program.deck.card_suit
        shares: dict[Key, int] = {("hand", p): share for p, share in enumerate(self.goal)}
        cards = sorted(
            self.order, key=lambda card: (suits[card] != self.suit, suits[card], -self.order[card])
        )
        given = dict[Key, tuple[int, ...]]()
        for place in sorted(room, key=lambda place: -shares.get(place, -1)):
            given[place], cards = tuple(cards[: room[place]]), cards[room[place] :]
        return Chance(given=given)

    # ---------------------------------------------------------------------------------- before the play

    def _prepared(self, hand: HandPlayed, suit: int) -> HandPlayed:
        """The deal at its first card, with all earlier decisions made in view of the strong suit."""
        while (decision := hand.state.decision) is not None and decision.label != "play":
            hand = hand.choose(self._chosen(hand, decision, suit))
            self.moves -= 1
        return hand

    def _chosen(self, hand: HandPlayed, decision: Decision, suit: int) -> Value:
        if decision.type != c.CARDS:
            legal = self._aimed(hand, decision) if self.aim.wanted else decision.legal
            return suit if decision.type == c.SUIT and suit in legal else self.rng.choice(legal)
        if decision.single:
            return frozenset([self.rng.choice(decision.legal)])
        deck = self.program.deck
        if (
            self.apart and decision.to is not None
        ):  # the same comes back if the taker has nothing else in its suit
            held = {deck.card_suit[card] for card in hand.state.cards("hand", decision.to)}
            weak = sorted(decision.legal, key=lambda card: (deck.card_suit[card] in held, self.order[card]))
        elif self.by_suit:  # a taker with nothing else in a suit returns what was given
            weak = sorted(
                decision.legal, key=lambda card: (self.suits[deck.card_suit[card]], deck.card_rank[card])
            )
        else:
            weak = sorted(decision.legal, key=lambda card: self.order[card] + self.rng.random() * 12)
        return frozenset(weak[: decision.high if self.rng.random() < 0.8 else decision.low])

    def _aimed(self, hand: HandPlayed, decision: Decision) -> Sequence[Value]:
        """The options that bring the most variables to their wanted values."""
        agree: list[int] = []
        for option in decision.legal:
            after = apply(hand.state, option).variables
            agree.append(sum(after[key] == value for key, value in self.aim.wanted.items()))
        return [x for x, n in zip(decision.legal, agree, strict=True) if n == max(agree)]

    # ------------------------------------------------------------------------------------------- the play

    def _can_play(self, hand: HandPlayed) -> bool:
        """Whether the deal can be played with the wanted tricks: as from a state that is equal for the play, or found anew."""
        state = hand.state
        known = (self.known or {}).get(self._prospect(state))
        if isinstance(state, Compiled) and known is not None and self._reached(taken_over(state, *known)):
            return True
        if self._play(hand) is None:
            return False
        self._remember(state)
        return True

    def _remember(self, state: State) -> None:
        """Note the last choice of a deal that was played from here with the wanted tricks."""
        prospect = self._prospect(state)
        if self.known is not None and prospect is not None and self.latest is not None:
            self.known[prospect] = self.latest

    def _prospect(self, state: State) -> object:
        """All that the play depends on up to its last choice, and the goal; None if that cannot be told."""
        if self.known is None or not isinstance(state, Compiled):
            return None
        rest = state.prospect(variables_played(state.to_come))
        return None if rest is None else (self.goal, rest)

    def _play(self, hand: HandPlayed) -> HandPlayed | None:
        """Play the deal to its end with the wanted tricks, or return None."""
        if hand.state.decision is None:
            return hand if self._reached(hand.state) else None
        for _ in range(TRICK_TRIES):
            if self.moves <= self.last:
                return None
            after = self._trick(hand)
            taken = self._taken(after.state)
            sound = after.state.fault is None or taken == self.goal
            towards = all(a <= b for a, b in zip(taken, self.goal, strict=True))
            if (sound and towards) or self._reached(after.state):
                rest = self._play(after)
                if rest is not None:
                    return rest
        return None

    def _reached(self, state: State) -> bool:
        """Whether a complete deal is one that was asked for."""
        return self._over(state) or (self._taken(state) == self.goal and self.aim.fits(state))

    def _over(self, state: State) -> bool:
        """Whether the match is over, if that is good enough."""
        return self.aim.or_over and state.match_over

    def _taken(self, state: State) -> tuple[int, ...]:
        taken: Callable[..., Any] = state.variable
        return tuple([taken("tricks", p) for p in self.seats])

    def _trick(self, hand: HandPlayed) -> HandPlayed:
        """One more trick, which some player who still needs one tries to win and the others to lose."""
        before = self._taken(hand.state)
        needs = [want - have for want, have in zip(self.goal, before, strict=True)]
        weights = [max(need, 0) for need in needs]
        winner = self.rng.choices(range(len(needs)), weights)[0] if any(weights) else 0
        state, choices = hand.state, list(hand.choices)
        while (decision := state.decision) is not None and self._taken(state) == before:
            if not decision.of_cards:
                choice: Value = self.rng.choice(decision.legal)
            else:
                legal = sorted(decision.legal, key=self.order.__getitem__)
                if decision.low > 1:  # cards that are discarded after a trick
                    choice = frozenset(legal[: decision.low])
                elif self.rng.random() < 0.25:
                    choice = frozenset([self.rng.choice(legal)])
                elif decision.player == winner:
                    choice = frozenset([legal[-1]])
                else:
                    choice = frozenset([self._thrown(legal, state, winner)])
            choices.append((decision, choice))
            self.latest = state, choice
            state = apply(state, choice)
            self.moves -= 1
        return HandPlayed(hand.begin, state, tuple(choices), hand.earlier)

    def _thrown(self, legal: Sequence[int], state: State, winner: int) -> int:
        """A card that lets another player win: low if a suit must be followed, otherwise one that could beat that player later."""
        deck = self.program.deck
        if len({deck.card_suit[card] for card in legal}) < 2 or self.rng.random() < 0.3:
            return legal[0]
        his = {deck.card_suit[card] for card in state.cards("hand", winner)}
        weak = [card for card in legal if card not in self.strong] or legal
        return max(weak, key=lambda card: (deck.card_suit[card] in his, deck.card_rank[card], card))


def taken_over(state: Compiled, last: State, choice: Value) -> State:
    """A complete deal played from `state` as from another that is equal for the play, whose `last` choice is given."""
    played = variables_played(state.to_come)
    rest = {key: value for key, value in state.variables.items() if key[0] not in played}
    return apply(last.but(variables=rest), choice)


@cached_by_identity(1000)
def variables_played(body: Body) -> frozenset[str]:
    """The variables that occur in statements up to the last choice; no others matter to choices, or change before it."""
    chosen = [i for i, t in enumerate(body) if any(isinstance(x, c.Choice) for x in walk(t))]
    steps = body[: chosen[-1] + 1] if chosen else ()
    return variables_read(*steps) | variables_assigned(*steps)
