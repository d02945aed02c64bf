"""Hands played at random with their records, for the tests of what is known of them and of who searches in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from checker.information.plain import movement_of
from trickproof.information.record import HOLE, PLAYER
from trickproof.search.engine import SearchEngine
from trickproof.search.interpreted import HandRecord
from trickproof.search.worlds import View, viewed
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.script import looking_layout
from trickproof.simulate.script.machine import Job, Result
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, begin, begin_hand, between_hands
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset
from trickproof_dsl.playing import random_player
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.values import DECK, Key


@dataclass(frozen=True)
class Asked:
    """A moment at which a player is asked: the record up to there, and how the hand began."""

    state: State
    words: list[int]
    header: tuple[int, ...]


@cache
def _engine(backend: str, core: int) -> SearchEngine:
    return SearchEngine(_RULESETS[core].program, backend)


_RULESETS: dict[int, Ruleset] = {}


def engine_of(ruleset: Ruleset, backend: str = "") -> SearchEngine:
    """What search needs of a ruleset, made once."""
    _RULESETS[id(ruleset)] = ruleset
    return _engine(backend or best_backend(), id(ruleset))


def engine_by_id(ruleset: int) -> SearchEngine:
    """The same, for a ruleset that it was made of."""
    return engine_of(_RULESETS[ruleset])


def moments(ruleset: Ruleset, hands: int, seed: int = 0) -> Iterator[Asked]:
    """Every decision of some hands of a match played at random; the record goes on growing while it is looked at."""
    engine = engine_of(ruleset)
    record = HandRecord(engine.form, engine.layout)
    state, player = begin(ruleset.program, Chance(seed)), random_player(seed)
    for _ in range(hands):
        record.begin(state)
        state = begin_hand(state)
        while state.decision is not None:
            words = list(record.words)
            yield Asked(state, words, tuple(words[: engine.form.first]))
            choice = player(state, state.decision)
            state = apply(state, choice)
            record.chosen(choice)
        if state.fault or state.match_over:
            return
        state = between_hands(state)


def followed(engine: SearchEngine, words: Sequence[int]) -> Result:
    """How a hand goes on that is given by its record."""
    first = engine.form.first
    return engine.machine.play(words[:first], [words[first:]], [Job(0, HOLE, 12345)])[0]


def seen_by_actor(engine: SearchEngine, words: Sequence[int]) -> View:
    """What the player knows who is asked at the end of a record."""
    return viewed(engine, words, words[engine.form.last(words).at + PLAYER])


def possible_ways(state: Sequence[int], zones: Sequence[Key]) -> dict[frozenset[tuple[Key, int]], int]:
    """The cards by the ways that they may have taken, from the state of a view."""
    by_card: dict[int, set[tuple[Key, int]]] = {}
    end = looking_layout.WAYS_AT + looking_layout.WAY * state[looking_layout.WAYS]
    for at in range(looking_layout.WAYS_AT, end, looking_layout.WAY):
        zone, through, there = state[at : at + looking_layout.WAY]
        for card in range(64):
            by_card.setdefault(card, set())
            if there >> card & 1:
                by_card[card].add((zones[zone], through))
    cards: dict[frozenset[tuple[Key, int]], int] = {}
    for card, ways in by_card.items():
        if ways:
            cards[frozenset(ways)] = cards.get(frozenset(ways), 0) | 1 << card
    return cards


def true_ways(engine: SearchEngine, words: Sequence[int], seen: View) -> dict[int, tuple[Key, int]]:
    """By position the way that each card has taken, hidden movements counted as the viewer counts them."""
    form = engine.form
    ways: dict[int, tuple[Key, int]] = {}
    hidden = 0
    for item in form.items(words):
        if item.site.event == "#shuffled":
            ways = {i: ((DECK,), 0) for i in range(64) if engine.deck >> i & 1}
            hidden = 0
        if not item.site.moves or item.at + item.site.size > len(words):
            continue
        movement = movement_of(words, item)
        bit = 0
        if seen.words[item.at + item.site.word("cards")] == HOLE:
            bit, hidden = 1 << hidden, hidden + 1
        for card in [i for i in range(64) if movement.cards >> i & 1]:
            assert ways[card][0] == movement.source
            ways[card] = movement.target, ways[card][1] | bit
    return ways


def filled(seen: View, words: Sequence[int]) -> list[int]:
    """What is seen, with the true cards of hidden movements."""
    record = list(seen.words)
    for word in seen.holes:
        record[word] = words[word]
    return record


def as_if(ruleset: Ruleset, engine: SearchEngine, world: Sequence[int], seed: int) -> list[int] | None:
    """The whole record of the first hand in which things are as in a world: what the others could have chosen as well.

    None where choices of which the world says nothing, made at random, lead elsewhere.
    """
    form, layout = engine.form, engine.layout
    items = list(form.items(world))
    order: list[int] = []
    for item in items:
        if item.site.chance and item.at + item.site.chosen < len(world):
            order += sorted(layout.cards(world[item.at + item.site.chosen]))
    record = HandRecord(form, layout)
    state = begin(ruleset.program, Chance(0, {(DECK,): tuple(order)}))
    record.begin(state)
    state = begin_hand(state)
    player = random_player(seed)
    for item in items[:-1]:
        if isinstance(item.site.node, c.Announce) or item.site.chance:
            continue
        if state.decision is None or state.decision.binder != item.site.node.binder:
            return None
        word = world[item.at + item.site.chosen]
        choice: Any = player(state, state.decision) if word == HOLE else record.decoded(state.decision, word)
        if not state.decision.allows(choice):
            return None
        state = apply(state, choice)
        record.chosen(choice)
    return record.words
