"""The project's own policies for games of other libraries, and resampling of what a player does not know.

`Seat` chooses actions for one player by a policy of the simulator; `resampled` deals the hidden cards anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

from trickproof.adapters.game_state import Play, Terms
from trickproof.adapters.information_state import listed
from trickproof.adapters.settings import RulesetError
from trickproof.information.record import HOLE
from trickproof.information.stream import Stream, mixed
from trickproof.search.bids import lines_of
from trickproof.search.engine import SearchEngine
from trickproof.search.interpreted import HandRecord
from trickproof.search.player import SearchPlayer
from trickproof.search.worlds import TooManyWaysError, Worlds, viewed
from trickproof.simulate.ir.calling_convention import SEARCH, BeyondError
from trickproof.simulate.options import ChoiceError, policies
from trickproof.simulate.runtime.machine import best_backend
from trickproof.testing.greedy_player import policy_player
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, begin as begin_match, between_hands
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.values import Value

MOST_DRAWS = 4
"""Maximum number of attempts to find a world."""


class Thinking:
    """What search needs for a game, created once. Raises RulesetError if the ruleset has no integer form."""

    def __init__(self, terms: Terms) -> None:
        try:
            self.engine = SearchEngine(terms.ruleset.program, best_backend())
        except BeyondError as why:
            raise RulesetError(f"{terms.ruleset.id} cannot be searched: {why.message}") from None
        self.engine.bind(terms.parameters, terms.readings)
        self._record = HandRecord(self.engine.form, self.engine.layout)
        self._followed: tuple[object, list[Any]] = (None, [])
        """The state before the recorded deal, and the choices recorded so far."""

    def record(self, play: Play) -> HandRecord:
        """The record of the deal up to the pending choice."""
        record, answers, (last, known_answers) = self._record, listed(play.answers), self._followed
        if known_answers and last is play.last and answers[: len(known_answers)] == known_answers:
            record.go_on(answers[len(known_answers) :])
        else:
            self._replay(play, answers)
        self._followed = play.last, answers
        return record

    def _replay(self, play: Play, answers: list[Any]) -> None:
        terms = play.terms
        if play.last is None:
            before = begin_match(terms.program, Chance(play.seed or 0), terms.parameters, terms.readings)
        else:
            before = between_hands(play.last)
        self._record.replay(before, answers)

    def world(self, play: Play, player: int, stream: Stream) -> list[int]:
        """A record of the deal that is consistent with what a player has seen.

        Raises ValueError if none is found.
        """
        engine, words = self.engine, self.record(play).words
        try:
            seen = viewed(engine, words, player)
        except TooManyWaysError:
            raise ValueError("cards may have come to where they are in too many ways") from None
        for _ in range(MOST_DRAWS):
            worlds = Worlds(engine.machine, seen, engine.form.first).draw(1, stream)
            if worlds:
                return [*seen.words[: engine.form.first], *worlds[0]]
        raise ValueError("no other cards were found that fit what the player has seen")


_THINKING: dict[int, tuple[Terms, Thinking]] = {}
"""By the identity of terms, which are kept alive so that it stays unique."""


def thinking(terms: Terms) -> Thinking:
    """One instance shared by all plays of a game."""
    if id(terms) not in _THINKING:
        _THINKING[id(terms)] = terms, Thinking(terms)
    return _THINKING[id(terms)][1]


class Seat:
    """Chooses actions for one player. Raises RulesetError for unknown policies."""

    def __init__(self, terms: Terms, player: int, named: str, seed: int = 0) -> None:
        if not 0 <= player < terms.program.players:
            raise RulesetError(f"seats are 0 to {terms.program.players - 1}, not {player}")
        try:
            self.policies = policies(named, terms.program.players)
        except ChoiceError as wrong:
            raise RulesetError(str(wrong)) from None
        self.terms, self.player, self.seed = terms, player, seed
        settings = terms.parameters, terms.readings
        self._lines = cache(lambda: lines_of(terms.ruleset.program, best_backend(), *settings))
        self._search = {
            name: SearchPlayer(thinking(terms).engine, int(name.partition(":")[2]))
            for name in self.policies
            if name.startswith(f"{SEARCH}:")
        }

    def action(self, play: Play) -> int:
        """The player's action. Raises ValueError if it is not the player's turn."""
        if play.actor != self.player:
            raise ValueError(f"player {self.player} is not asked now")
        choice, decision, actions = self._choice(play), play.decision, self.terms.actions
        if decision.type != c.CARDS:
            return actions.of_value(decision.type, choice)
        assert isinstance(choice, frozenset)
        if decision.blind:
            return actions.blindly if len(play.picked) < len(choice) else actions.done
        rest = sorted(choice - set(play.picked))
        wanted = rest[0] if rest else actions.done
        legal = play.legal()  # the cards picked so far may not be this policy's
        return wanted if wanted in legal else legal[0]

    def _choice(self, play: Play) -> Value:
        decided = len(listed(play.answers))
        place = (self.player - (play.state.variables.get(("dealer",)) or 0)) % self.terms.program.players
        policy = self.policies[place if len(self.policies) > 1 else 0]
        if policy not in self._search:
            seed = mixed(self.seed, play.hands, decided)
            return policy_player(policy, seed, self._lines)(play.state, play.decision)
        record = thinking(self.terms).record(play)
        word = self._search[policy].choose(record.words, mixed(self.seed) >> 1, play.hands)
        return record.decoded(play.decision, word)


def resampled(play: Play, player: int, sampler: Callable[[], float]) -> list[int]:
    """All actions of a play that a player cannot distinguish from this one; earlier deals stay as they were.

    `sampler` returns numbers from 0 to 1. Raises ValueError if a seed fixes all deals, or if no such play is
    found.
    """
    if play.seed is not None:
        raise ValueError(
            "with a seed all deals are fixed: make the game without one to deal hidden cards anew"
        )
    if play.over or play.actor < 0:
        return play.history
    drawn = int(sampler() * (1 << 53))
    mind, random = thinking(play.terms), Random(drawn)
    world = mind.world(play, player, Stream(mixed(drawn)))
    return [*listed(play.earlier), *_actions(mind, play, world, random), *play.picked]


def _actions(mind: Thinking, play: Play, world: list[int], random: Random) -> Iterator[int]:
    """The actions of a world's deal; choices that are hidden and irrelevant are random."""
    form, layout, actions = mind.engine.form, mind.engine.layout, play.terms.actions
    now = replay_start(play)
    for item in form.items(world):
        at = item.at + item.site.chosen
        if isinstance(item.site.node, c.Announce) or at >= len(world):
            continue
        decision = now.decision
        if decision is None:
            return
        kind, blind = decision.type, decision.blind
        if kind != c.CARDS:
            choice = random.choice(decision.legal) if world[at] == HOLE else layout.decoded(kind, world[at])
            yield actions.of_value(kind, choice)
        else:
            number = (
                decision.low + random.randrange(decision.high - decision.low + 1) if world[at] == HOLE else 0
            )
            some = frozenset(random.sample(decision.legal, number))
            choice = some if world[at] == HOLE else layout.cards(world[at])
            yield from _picks(play, decision, sorted(choice), blind)
        now = apply(now, choice)


def _picks(play: Play, decision: Any, cards: list[int], blind: bool) -> Iterator[int]:
    """A choice of cards as actions."""
    actions = play.terms.actions
    dealt = decision.binder.startswith("#deal")
    if dealt and decision.low == len(decision.legal):
        return
    for number, card in enumerate(cards):
        if blind and not dealt and number >= decision.low:
            yield actions.blindly
        yield card
    if not dealt and len(cards) < decision.high:
        yield actions.done


def replay_start(play: Play) -> Any:
    """The initial state of the deal, run to its first decision."""
    from trickproof_dsl.compiled.machine import begin_hand

    terms = play.terms
    if play.last is None:
        return begin_hand(begin_match(terms.program, Chance(0), terms.parameters, terms.readings))
    return begin_hand(between_hands(play.last))
