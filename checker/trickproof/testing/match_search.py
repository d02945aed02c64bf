"""Matches that lead to given carried values: breadth-first search, then made concrete with cards.

A deal is first abstracted to a division of its tricks among the players, with plain choices before the play;
for each, the compiled form executes the steps after the play and between deals. Divisions that lead to the
target are then dealt and played (`deal_search`), and only that counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from random import Random

from trickproof.analysis.dependencies import is_play, last_part, steps_of_deal
from trickproof.checking.engines import COMPILED, Engine, State, begin_hand, between_hands, run
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.testing.bids import PLAIN_LINE, bid_sites
from trickproof.testing.deal_search import Aim, construct
from trickproof.testing.greedy_player import greedy_player
from trickproof.testing.random_play import Terms, pick
from trickproof.testing.witness import MOST_DEALS
from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.compiled.state import State as Compiled
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.frames import Body
from trickproof_dsl.semantics.values import Key, Value, as_number

Carried = Mapping[Key, Value]

Chosen = Callable[[State, Decision], Value]
"""How choices are made."""

DEALS = 4
"""Maximum number of deals in such a match."""

MOST_STEPS = 6_000
"""Maximum number of deals settled during the search."""

WAYS = 4
"""Maximum number of matches for which cards are searched."""

MATCHES = 8
"""Maximum number of matches played in search of one that ends: at random, and as greedy players do."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A match before a deal, and the divisions of the tricks that led there."""

    begun: State
    divisions: tuple[tuple[int, ...], ...] = ()


def leading_to(ruleset: Ruleset, terms: Terms, wanted: Sequence[Carried]) -> Iterator[HandPlayed | None]:
    """Matches after which the next deal begins with one of the `wanted` carried values; None if that is the first deal.

    Shortest first; nothing if no such match is found.
    """
    try:
        hand = first_hand(ruleset.program, Chance(), *terms)
        if any(fits(hand.begin, values) for values in wanted):
            yield None
            return
        search = _search(ruleset.program, terms, hand.begin)
        for divisions in islice(search.leading_to(wanted), WAYS):
            match = made_of_cards(ruleset, terms, divisions, wanted)
            if match is not None:
                yield match
    except EngineLimitError:
        return


def fits(begun: State, values: Carried) -> bool:
    """Whether a deal begins with these values."""
    return all(begun.variables.get(key) == value for key, value in values.items())


class _Search:
    """How the tricks of the first deals of a match may be divided, and what the next deal then begins with; fewest deals first.

    Goes on only as far as somebody asks, once for all who ask.
    """

    def __init__(self, begun: State) -> None:
        self._first = dict(begun.variables)
        self._found: list[tuple[tuple[tuple[int, ...], ...], Carried]] = []
        self._more = _divisions(begun)

    def leading_to(self, wanted: Sequence[Carried]) -> Iterator[tuple[tuple[int, ...], ...]]:
        """The divisions after which a deal begins with some of these values."""
        for number in count():
            if number == len(self._found):
                self._found += ((way, self._changed(begun)) for way, begun in islice(self._more, 1))
            if number == len(self._found):
                return
            divisions, changed = self._found[number]
            if any(
                all(changed.get(key, self._first.get(key)) == value for key, value in values.items())
                for values in wanted
            ):
                yield divisions

    def _changed(self, begun: State) -> Carried:
        """What a deal begins with, as far as it is not what the first one begins with."""
        return {key: value for key, value in begun.variables.items() if self._first[key] != value}


@cached_by_identity(8)
def _searches(_: c.Program) -> dict[object, _Search]:
    """The searches of matches of a program, by its parameters and readings."""
    return {}


def _search(program: c.Program, terms: Terms, begun: State) -> _Search:
    searches, key = _searches(program), tuple(frozenset(taken.items()) for taken in terms)
    return searches.setdefault(key, _Search(begun))


def _divisions(begun: State) -> Iterator[tuple[tuple[tuple[int, ...], ...], State]]:
    """Each deal settled in breadth-first search from the start of a match, with the divisions that led to it."""
    nodes, seen, steps = [_Node(begun)], {_carried(begun)}, 0
    for _ in range(DEALS):
        following: list[_Node] = []
        for node in nodes:
            for division, state in settled(node.begun):
                steps += 1
                if steps > MOST_STEPS:
                    return
                divisions = (*node.divisions, division)
                yield divisions, state
                if _carried(state) not in seen:
                    seen.add(_carried(state))
                    following.append(_Node(state, divisions))
        nodes = following


def _carried(state: State) -> frozenset[tuple[Key, Value]]:
    variables = state.program.variables
    return frozenset((key, value) for key, value in state.variables.items() if variables[key[0]].carried)


def settled(begun: State) -> Iterator[tuple[tuple[int, ...], State]]:
    """For each division of the tricks of a deal, what the next deal begins with, if there is one.

    `begun` is the match before the deal. Decisions before the play take the first legal option, with as many
    cards as allowed.
    """
    program = begun.program
    after, tricks = after_play(program), program.variables.get("tricks")
    if after is None or tricks is None or tricks.of != (c.PLAYER,):
        return
    hand = HandPlayed(begun, run(begun, program.hand))
    while (decision := hand.state.decision) is not None and decision.label != "play":
        hand = hand.choose(pick(decision, None, most=True))
    if hand.state.decision is None:
        return
    known, size = dict(hand.state.variables), as_number(hand.state.variables.get(("hand-size",), 0))
    for division in divided(size, program.players):
        of_players: dict[Key, Value] = {("tricks", p): number for p, number in enumerate(division)}
        state = _next(run(begun.but(variables=known | of_players), after))
        if state is not None:
            yield division, state


def dealt(begun: State, chance: Chance) -> HandPlayed:
    """The deal that begins in a state."""
    begun = begun.but(chance=chance)
    return HandPlayed(begun, begin_hand(begun))


def played_again(
    program: c.Program,
    terms: tuple[Mapping[str, int], Mapping[str, int]],
    match: Sequence[HandPlayed],
    engine: Engine,
) -> HandPlayed | None:
    """The same deals and choices as in a match, from its start under other rules; None if these allow no such match.

    The rules may ask for the choices of a deal in another order.
    """
    hand: HandPlayed | None = None
    for number, deal in enumerate(match):
        chance = deal.begin.chance
        hand = first_hand(program, chance, *terms, engine=engine) if hand is None else hand.then(chance)
        if len(hand.earlier) < number:
            return None
        played = _same_choices(hand, deal)
        if played is None or _next(played.state) is None:
            return None
        hand = played
    return hand


def _same_choices(hand: HandPlayed, deal: HandPlayed) -> HandPlayed | None:
    """A deal played with the choices made in another one, in whatever order they are asked for; None if one is not allowed."""
    choices = list(deal.choices)
    while (asked := hand.state.decision) is not None:
        who = asked.label, asked.player, asked.to
        mine = (i for i, (d, x) in enumerate(choices) if (d.label, d.player, d.to) == who and asked.allows(x))
        place = next(mine, None)
        if place is None:
            return None
        hand = hand.choose(choices.pop(place)[1])
    return hand


def ending_under(program: c.Program, terms: Terms, ended: HandPlayed) -> HandPlayed | None:
    """A match that ends under given parameters and readings: a replay of the one that `ended` under others, or a random one."""
    with suppress(EngineLimitError):
        before = played_again(program, terms, ended.earlier, COMPILED) if ended.earlier else None
        if before is not None or not ended.earlier:
            chance = ended.begin.chance
            hand = first_hand(program, chance, *terms) if before is None else before.then(chance)
            last = _same_choices(hand, ended) if len(hand.earlier) == len(ended.earlier) else None
            if last is not None and _over(last):
                return last
    matches = _matches(partial(_played, program, terms))
    return next(filter(_over, matches), None) or played_to_its_end(program, terms)


def played_to_its_end(program: c.Program, terms: Terms) -> HandPlayed | None:
    """The shortest match of sensible players that ends; where random play loses points, only such matches do."""
    matches = _matches(lambda seed: _played(program, terms, seed, player=sensible(program, seed)))
    return min(filter(_over, matches), key=lambda hand: len(hand.match), default=None)


def sensible(program: c.Program, seed: int) -> Chosen:
    """Plays like a greedy player, and bids without having tried anything."""
    lines = dict.fromkeys(bid_sites(program), PLAIN_LINE)
    player = greedy_player(seed, lines=lambda: lines)

    def chosen(state: State, decision: Decision) -> Value:
        assert isinstance(state, Compiled)
        return player(state, decision)

    return chosen


def random_match(program: c.Program, terms: Terms, deals: int) -> HandPlayed | None:
    """The deal after `deals` random ones; None if none of the matches tried lasts that long."""
    matches = _matches(lambda seed: _played(program, terms, seed, deals + 1))
    return next((hand for hand in matches if len(hand.earlier) == deals), None)


def _matches(play: Callable[[int], HandPlayed]) -> Iterator[HandPlayed]:
    """The last deals of matches with different seeds, but for those in which the engine gives up."""
    for seed in range(MATCHES):
        with suppress(EngineLimitError):
            yield play(seed)


def _over(hand: HandPlayed) -> bool:
    """Whether a match ends with a deal, or in the steps after it."""
    if hand.state.fault or hand.state.match_over or not hand.state.hand_over:
        return hand.state.match_over
    try:
        return between_hands(hand.state).match_over
    except EngineLimitError:
        return False


def _played(
    program: c.Program, terms: Terms, seed: int, most: int = MOST_DEALS, player: Chosen | None = None
) -> HandPlayed:
    """The last deal of a match played until it ends, or until it has `most` deals; at random without a player."""
    rng, hand = Random(seed), first_hand(program, Chance(seed), *terms)
    while True:
        while (decision := hand.state.decision) is not None:
            hand = hand.choose(pick(decision, rng) if player is None else player(hand.state, decision))
        done = len(hand.match) == most or _over(hand) or _next(hand.state) is None
        if done:
            return hand
        hand = hand.then(Chance(seed + MATCHES * len(hand.match)))


def divided(number: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to divide a number into `parts` parts, most even first."""
    every = (
        [(number,)]
        if parts == 1
        else [(first, *rest) for first in range(number + 1) for rest in divided(number - first, parts - 1)]
    )
    yield from sorted(every, key=lambda division: (max(division), division))


def after_play(program: c.Program) -> Body | None:
    """The steps of a deal after its play; None if it has no step `do play`."""
    return last_part(program) if any(map(is_play, steps_of_deal(program))) else None


def made_of_cards(
    ruleset: Ruleset, terms: Terms, divisions: Sequence[tuple[int, ...]], wanted: Sequence[Carried]
) -> HandPlayed | None:
    """A concrete match with these divisions of the tricks, after which the next deal begins as wanted.

    None if no cards were found for it, or if it leads elsewhere.
    """
    hand: HandPlayed | None = None
    for number, division in enumerate(divisions, 1):
        aim = Aim(fits=_goes_on if number < len(divisions) else lambda state: _leads(state, wanted))
        hand = construct(ruleset, *terms, {}, division, aim, hand)
        if hand is None:
            return None
    return hand


def _goes_on(state: State) -> bool:
    return _next(state) is not None


def _leads(state: State, wanted: Sequence[Carried]) -> bool:
    begun = _next(state)
    return begun is not None and any(fits(begun, values) for values in wanted)


def _next(state: State) -> State | None:
    """A match before its next deal; None if there is none."""
    if not state.hand_over or state.match_over:
        return None
    begun = between_hands(state)
    return None if begun.fault or begun.match_over else begun
