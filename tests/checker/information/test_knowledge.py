"""What follows from what was seen: the routine finds what plain Python does, and what is known of small examples."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from budget import RUN, slow_but
from checker.adapters.peer_rulesets import PATHS, QUICK, loaded
from checker.information.plain import HiddenMovement, Knowledge, Movement, Observation, Ways, known, looked
from checker.search.hands import engine_of, moments, possible_ways
from trickproof.information.record import HOLE, Item
from trickproof.search.worlds import Log, View
from trickproof.simulate.ir.calling_convention import BACKENDS, LLVM, PYTHON
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.script import looking, looking_layout
from trickproof.simulate.script.machine import PROBES
from trickproof_dsl.semantics.values import DECK, Key

EVERY, MOST = 5, 130
"""Decisions that are looked at, of how many."""


@RUN
@pytest.mark.parametrize("path", slow_but(QUICK, PATHS), ids=lambda path: path.stem)
def test_players_know_what_plain_python_finds(path: Path) -> None:
    """While a hand grows; with every card's ways, and the holes."""
    ruleset = loaded(path)
    engine = engine_of(ruleset)
    log, views = Log(engine), dict[int, View]()
    for number, asked in enumerate(moments(ruleset, 3, seed=1)):
        assert asked.state.decision is not None
        viewer = asked.state.decision.player
        if not log.read(asked.words):
            log, views = Log(engine), {}
            log.read(asked.words)
        if number % EVERY or number > MOST:
            continue
        view = views.setdefault(viewer, View(engine, viewer, log)).look()
        seen, knowledge = looked(engine, asked.words, viewer)
        assert list(view.words) == seen.words
        assert possible_ways(view.state, engine.form.zones) == knowledge.cards
        assert list(view.sizes) == [x.number for x in knowledge.hidden]
        assert view.holes == [word for x in knowledge.hidden for word in (x.words[0], x.words[-1])]
        assert view.shape.by_rules == knowledge.by_rules


TABLE, HAND, OTHER, PILE = ("table",), ("hand", 0), ("hand", 1), ("pile",)
ZONES: tuple[Key, ...] = ((DECK,), TABLE, HAND, OTHER, PILE)
SHUFFLED, REVEALED = "#shuffled", "#revealed"

Event = Movement | HiddenMovement | str


def seen(source: Key, target: Key, cards: int, at_once: bool = False) -> Movement:
    return Movement(-1, source, target, cards, at_once)


def hidden(
    source: Key, target: Key, number: int, at_once: bool = False, forced: bool = False
) -> HiddenMovement:
    return HiddenMovement(source, target, number, (), at_once, forced)


def by_plain_python(deck: int, events: Sequence[Event]) -> Knowledge:
    sites: list[Any] = [
        SimpleNamespace(moves=not isinstance(x, str), moved_from=None, size=1, event=x) for x in events
    ]
    items = [Item(site, at) for at, site in enumerate(sites)]
    movements = {at: x for at, x in enumerate(events) if not isinstance(x, str)}
    return known(Observation(1, [0] * len(items), items, movements), deck)


def by_routine(deck: int, events: Sequence[Event], backend: str) -> dict[Ways, int]:
    """The ways after a record in which every event has a site of its own, in a program without players."""
    rows_at = looking_layout.SITES + 1 + len(ZONES)
    lists_at = rows_at + looking_layout.ROW * len(events)
    lists = [word for i in range(len(ZONES)) for word in (i, 0)]
    form = [0, 0, deck, len(ZONES), 0, 0, rows_at, *[0] * len(ZONES)]
    words, state = list[int](), array("q", bytes(8 * (looking_layout.SIZES_AT + len(ZONES) + len(events))))
    for number, event in enumerate(events):
        if isinstance(event, str):
            kind = looking_layout.SHUFFLE if event == SHUFFLED else looking_layout.REVEAL
            form += (kind, 2, 0, -1, 0, 0, 0, 0, 0, -1, 0)
            words += (number, 0)
            continue
        zones = (lists_at + 2 * ZONES.index(zone) for zone in (event.source, event.target))
        form += (looking_layout.MOVEMENT, 2, event.at_once, -1, 0, 1, 0, *zones, -1, 0)
        words += (number, HOLE if isinstance(event, HiddenMovement) else event.cards)
        if isinstance(event, HiddenMovement):
            at = looking_layout.MOVES_AT + state[looking_layout.MOVES] * looking_layout.MOVE
            state[at + looking_layout.NUMBER], state[at + looking_layout.FORCED] = event.number, event.forced
            state[looking_layout.MOVES] += 1
    state[looking_layout.END] = state[looking_layout.SEEN] = len(words)
    state[looking_layout.AGAIN] = 1
    no_machine: Any = SimpleNamespace(backend=backend)
    script = array("q", [0] * PROBES + words + [0])
    arrays = [
        array("q", form + lists),
        array("q", words),
        state,
        looking_layout.told_words(),
        *[array("q", [0])] * 3,
        script,
    ]
    looking.looker(no_machine)(*arrays)
    assert not state[looking_layout.LEFT]
    return possible_ways(state, ZONES)


def after(deck: int, *events: Event) -> Knowledge:
    """What is known after some events, which both ways of finding out say."""
    knowledge = by_plain_python(deck, events)
    assert by_routine(deck, events, best_backend()) == knowledge.cards
    return knowledge


def test_a_card_that_is_left_where_all_were_taken_away_has_gone_before() -> None:
    """One of four cards is taken from an open table, nobody saw which; then the three that lie there are."""
    taken = after(0b1111, seen((DECK,), TABLE, 0b1111), hidden(TABLE, HAND, 1), seen(TABLE, PILE, 0b1101))
    assert taken.cards == {frozenset({(HAND, 1)}): 0b0010, frozenset({(PILE, 0)}): 0b1101}


def test_what_is_left_in_the_deck_may_be_anywhere_until_it_is_empty() -> None:
    dealt = (hidden((DECK,), HAND, 2), seen((DECK,), TABLE, 0b0100))
    assert after(0b1111, *dealt).possible(HAND) == 0b1011
    assert after(0b1111, *dealt, seen((DECK,), TABLE, 0b1000)).cards == {
        frozenset({(HAND, 1)}): 0b0011,
        frozenset({(TABLE, 0)}): 0b1100,
    }


@pytest.mark.parametrize("backend", BACKENDS)
def test_any_movements_mean_the_same_to_the_routine(backend: str) -> None:
    """Random ones, some of cards that were chosen at once, with shuffles and revelations between them."""
    if backend == LLVM != best_backend():
        pytest.skip("there is no llvmlite")
    chance, ways = Random(1), 0
    for _ in range(60 if backend == PYTHON else 600):
        events = random_events(chance)
        knowledge = by_plain_python(0b11111111, events)
        assert by_routine(0b11111111, events, backend) == knowledge.cards, events
        ways = max(ways, *(len(x) for x in knowledge.cards))
    assert ways > 5


def random_events(chance: Random) -> list[Event]:
    """Cards that go from zone to zone, as they would in a hand."""
    zones = {zone: set[int]() for zone in ZONES}
    zones[(DECK,)] = set(range(8))
    events: list[Event] = []
    fresh: set[int] = set()
    """Cards that have moved since choices were revealed: they cannot be among those that move at once."""
    for _ in range(chance.randint(1, 16)):
        if chance.random() < 0.1:
            events.append(SHUFFLED if chance.random() < 0.3 else REVEALED)
            fresh.clear()
            if events[-1] == SHUFFLED:
                zones = {zone: set(range(8)) if zone == (DECK,) else set() for zone in ZONES}
            continue
        source, target = chance.sample(ZONES, 2)
        if not zones[source] and chance.random() < 0.8:
            source = max(ZONES, key=lambda zone: len(zones[zone]) + chance.random())
        at_once = chance.random() < 0.3
        there = sorted(zones[source] - fresh if at_once else zones[source])
        cards = set(chance.sample(there, chance.choice((min(2, len(there)), len(there)))))
        zones[source] -= cards
        zones[target] |= cards
        fresh |= cards
        mask = sum(1 << card for card in cards)
        if chance.random() < 0.4:
            events.append(seen(source, target, mask, at_once))
        else:
            events.append(hidden(source, target, len(cards), at_once, chance.random() < 0.5))
    return events
