"""Whether observations reveal what a player cannot know: two cards that the player has not seen are swapped.

A random play is repeated with the two cards swapped everywhere: in the deal, and in the choices of the others.
If both plays then take the same course (each event of one is the other's with the cards swapped), the player has
seen the same, and must be shown the same.  Which cards a player has seen follows from the zone declarations of a
ruleset, which need not be the one observed: this is how a ruleset that shows too much is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from trickproof.adapters.game_state import CHANCE, Play, Terms, begin
from trickproof.adapters.observations import View
from trickproof.analysis.observable_program import MOVED, SHOWN, is_instrumented, movement
from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.playing import visible
from trickproof_dsl.semantics.events import Event

Observer = Callable[[Play, int], object]
"""Everything that a player is shown at a moment; comparable."""


def views(terms: Terms) -> Observer:
    """The observer of our own views: words, numbers, and the player's legal actions."""
    view = View(terms)

    def observe(play: Play, player: int) -> object:
        legal = tuple(play.legal()) if play.actor == player else ()
        return view.remembered(play, player), view.now(play, player), tuple(view.numbers(play, player)), legal

    return observe


@dataclass(frozen=True)
class Step:
    """One decision with all actions that made it, and the play before it."""

    play: Play
    actions: tuple[int, ...]


def random_steps(terms: Terms, chance: Random, most: int) -> tuple[list[Step], Play]:
    """A random play of at most `most` decisions, and the state after them."""
    play, steps = begin(terms), list[Step]()
    while not play.over and len(steps) < most:
        before, actions = play, list[int]()
        while not play.over and play.state is before.state:
            actions.append(chance.choice(play.legal()))
            play = play.after(actions[-1])
        steps.append(Step(before, tuple(actions)))
    return steps, play


def swapped_play(terms: Terms, steps: list[Step], one: int, other: int) -> Iterator[Play]:
    """The play with two cards swapped, after each step; ends where that is illegal."""
    swap = {one: other, other: one}
    cards = len(terms.program.deck.cards)
    play = begin(terms)
    for step in steps:
        asked = step.play.decision
        actions = [swap.get(a, a) if a < cards else a for a in step.actions]
        if asked.type == c.CARDS and not asked.blind and step.play.actor != CHANCE:
            actions.sort()
        for action in actions:
            if play.over or action not in play.legal():
                return
            play = play.after(action)
        yield play


def same_course(play: Play, other: Play, swap: dict[int, int]) -> bool:
    """Whether everything in this deal and the previous one is the same except for the two cards."""
    if (play.over, play.actor, play.hands) != (other.over, other.actor, other.hands):
        return False
    mine = [_swapped(event, swap) for event in recent(play)]
    theirs = [_swapped(event, {}) for event in recent(other)]
    return mine == theirs


def recent(play: Play) -> tuple[Event, ...]:
    """The events of this deal and of the previous one."""
    return play.state.events if play.last is None else play.last.events + play.state.events


def _swapped(event: Event, swap: dict[int, int]) -> object:
    return event.name, [(key, _value(kind, value, swap)) for key, kind, value in event.fields]


def _value(kind: c.Type, value: Any, swap: dict[int, int]) -> object:
    if kind == c.CARDS:
        return frozenset(swap.get(x, x) for x in value)
    if kind == c.CARD:
        return [swap.get(x, x) for x in value] if isinstance(value, tuple) else swap.get(value, value)
    return value


def seen_cards(reference: c.Program, plays: list[Play], player: int) -> set[int]:
    """Cards that the player has seen in these plays, by the zones of a program; in doubt a card is seen."""
    found: set[int] = set()
    for play in plays:
        found |= {card for zone in visible(_as_in(reference, play), player).values() for card in zone}
        for event in recent(play):
            found |= set(_cards_seen(reference, event, player))
    return found


def _as_in(reference: c.Program, play: Play) -> State:
    return play.state.but(program=replace(play.state.program, zones=reference.zones))


def _cards_seen(reference: c.Program, event: Event, player: int) -> tuple[int, ...]:
    if event.name.startswith(MOVED):
        moved = movement(event)
        return (
            moved.cards
            if _open(reference, moved.source, player) or _open(reference, moved.target, player)
            else ()
        )
    fields = {key: value for key, _, value in event.fields}
    if event.name == SHOWN:
        return tuple(fields["cards"]) if player in (fields["player"], *fields["to"]) else ()
    announced = event.name in {"trick"} or "player" not in fields
    if is_instrumented(event) or not announced:
        return ()
    cards = [v for _, kind, v in event.fields if kind in (c.CARD, c.CARDS) and v is not None]
    return tuple(x for v in cards for x in ([v] if isinstance(v, int) else v) if x is not None)


def _open(reference: c.Program, zone: tuple[Any, ...], player: int) -> bool:
    seen_by = reference.zones[zone[0]].seen_by
    return seen_by == "everyone" or (seen_by == "owner" and player in zone[1:])


@dataclass
class Found:
    """The number of observations compared, and a description of those that differ."""

    compared: int
    leaks: list[str]


def look_for_leaks(
    terms: Terms,
    reference: c.Program | None = None,
    observe: Observer | None = None,
    *,
    seeds: range = range(2),
    moments: int = 6,
    pairs: int = 4,
    most: int = 120,
) -> Found:
    """Random plays, moments in them, players, and pairs of cards that the player has not seen by then."""
    known = reference or terms.ruleset.program
    observe = observe or views(terms)
    found = Found(0, [])
    for seed in seeds:
        chance = Random(seed)
        steps, last = random_steps(terms, chance, most)
        plays = [step.play for step in steps] + [last]
        for _ in range(moments):
            at = chance.randrange(1, len(plays))
            player = chance.randrange(terms.program.players)
            unseen = sorted(
                set(range(len(terms.program.deck.cards))) - seen_cards(known, plays[: at + 1], player)
            )
            for _ in range(pairs if len(unseen) > 1 else 0):
                _compare(terms, observe, steps[:at], plays[: at + 1], player, chance.sample(unseen, 2), found)
    return found


def _compare(
    terms: Terms,
    observe: Observer,
    steps: list[Step],
    plays: list[Play],
    player: int,
    pair: list[int],
    found: Found,
) -> None:
    swap = {pair[0]: pair[1], pair[1]: pair[0]}
    codes = " and ".join(terms.program.deck.cards[card] for card in pair)
    for play, other in zip(plays[1:], swapped_play(terms, steps, *pair), strict=False):
        if not same_course(play, other, swap):
            break
        for shown in (other, _zones_swapped(play, swap)):
            found.compared += 1
            if observe(play, player) != observe(shown, player):
                found.leaks.append(f"player {player} can tell {codes} apart")
                return


def _zones_swapped(play: Play, swap: dict[int, int]) -> Play:
    """The same moment, with the two cards swapped in the state's zones only."""
    zones = {key: tuple(swap.get(x, x) for x in cards) for key, cards in play.state.zones.items()}
    return replace(play, state=play.state.but(zones=zones))
