"""What the Python text of steps calls (`python_steps`, `python_blocks`): whatever changes values or asks somebody.

`v` is the list of values (`places`), `m` what stays the same throughout the match; the last argument is the part of the
core program that is carried out, which tells where the rules break down.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import shake_128
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled.decision import Decision, Question
from trickproof_dsl.compiled.event_log import ended
from trickproof_dsl.compiled.slots import CHANCE, DEALT, DECK, EVENTS, ROUNDS, WINNERS, Key, Value
from trickproof_dsl.compiled.state import Chance, Match
from trickproof_dsl.semantics.faults import FaultError

MOST_ROUNDS_AT_ONCE = 50_000
"""Rounds of loops between two decisions, those of small loops aside: rules that do more have loops in loops that nobody
could carry out."""

Values = list[Any]


# ------------------------------------------------------------------------------------------------- loops


@lru_cache(4096)
def seats_from(seats: frozenset[int], start: int, clockwise: bool, players: int) -> tuple[int, ...]:
    """Seats one after another from one on, which need not be among them."""
    turn = 1 if clockwise else -1
    return tuple(sorted(seats, key=lambda p: (p - start) * turn % players))


def ordered(
    m: Match, domain: frozenset[int], start: int | None, key: Callable[[int], Key] | None, t: c.Loop
) -> tuple[int, ...]:
    """The elements in the order of the keys, ties as the order says."""
    if start is None:
        elements = tuple(sorted(domain))
    else:
        elements = seats_from(domain, start, t.order.clockwise, m.program.players)
    if key is None and t.order.ties != "impossible":
        return elements
    ranked = {x: key(x) for x in elements} if key else {}
    if t.order.ties == "impossible" and len(set(ranked.values()) or {()}) < len(elements):
        raise FaultError("tie", "two are equal in an order that allows no ties", t.span)
    return tuple(sorted(elements, key=ranked.__getitem__)) if key else elements


def another_round(v: Values, t: c.Loop | c.Until) -> None:
    """One more round of whatever loop."""
    v[ROUNDS] += 1
    if v[ROUNDS] > MOST_ROUNDS_AT_ONCE:
        raise FaultError("loop-bound", f"not done after {MOST_ROUNDS_AT_ONCE} rounds", t.span)


def rounds_left(rounds: int, t: c.Until) -> int:
    """The rounds that are left after another one."""
    if rounds <= 0:
        raise FaultError("loop-bound", "not done after as many rounds as are allowed", t.span)
    return rounds - 1


def end_match(v: Values, winners: frozenset[int]) -> None:
    """The match is over."""
    v[WINNERS] = winners
    v[EVENTS] = [v[EVENTS], ended, winners]


def not_said(t: c.Unspecified) -> None:
    """A step of a rule that is missing."""
    raise FaultError("unspecified", f"nothing says what `{t.rule}` does", t.span)


# --------------------------------------------------------------------------------------------- decisions


def ask_cards(
    v: Values,
    domain: frozenset[int],
    low: int,
    high: int,
    player: int,
    to: int | None,
    whose: Callable[[], int] | None,
    asked: Question,
    t: c.ChooseCards,
) -> Any:
    """A decision; or what comes after it, when nothing is asked."""
    if low < 0 or high < low:
        raise FaultError("bad-number", f"between {low} and {high} cards are asked for", t.span, t.label)
    if high == 0:
        v[asked.place] = frozenset()
        return asked.after
    if len(domain) < low:
        missing = f"player {player} must choose {low} of {len(domain)} cards"
        raise FaultError("no-legal-choice", missing, t.span, t.label)
    holder = whose() if whose else None
    holder = None if holder == player else holder
    return Decision(asked, player, tuple(sorted(domain)), low, min(high, len(domain)), to, holder)


def ask_value(player: int, legal: Sequence[Value], asked: Question, t: c.ChooseValue) -> Decision:
    """A decision."""
    options = (*legal, None) if t.or_none else tuple(legal)
    if not options:
        raise FaultError("no-legal-choice", f"player {player} has no option", t.span, t.label)
    return Decision(asked, player, options)


def legal_cards(decision: Decision, cards: frozenset[int]) -> frozenset[int]:
    """The cards that are chosen.  Raises ValueError when that is not legal."""
    if not decision.low <= len(cards) <= decision.high:
        raise ValueError("not a legal choice")
    for card in cards:
        if card not in decision.among:
            raise ValueError("not a legal choice")
    return cards


def options(domain: frozenset[int], t: c.ChooseValue) -> list[Value]:
    """What may be allowed, in order."""
    return [bool(x) for x in sorted(domain)] if t.value_type.kind == "boolean" else sorted(domain)


# ------------------------------------------------------------------------------------------------- cards


def move(v: Values, cards: frozenset[int], source: int, target: int, t: c.Move) -> bool:
    """Cards change place; answers whether there are any."""
    held: tuple[int, ...] = v[source]
    if len(cards) == 1:
        (card,) = cards
        if card not in held:
            raise FaultError("cards-not-there", "cards are moved from where they are not", t.span, t.label)
        at = held.index(card)
        v[source] = held[:at] + held[at + 1 :]
        v[target] += (card,)
        return True
    if not cards.issubset(held):
        raise FaultError("cards-not-there", "cards are moved from where they are not", t.span, t.label)
    if cards:
        v[source] = tuple([x for x in held if x not in cards])
        v[target] += tuple(sorted(cards))
    return bool(cards)


def shuffle(m: Match, v: Values) -> None:
    """Every card goes to the deck."""
    chance: Chance = v[CHANCE]
    if chance.given is None:
        keys = _keys(f"{chance.seed}/{chance.shuffles}", len(m.program.deck.cards))
        cards = tuple(sorted(range(len(keys)), key=keys.__getitem__))
    else:
        top = chance.given.get((DECK,), ())
        cards = (*top, *(x for x in range(len(m.program.deck.cards)) if x not in top))
    for place in m.places.zone_keys:
        v[place] = ()
    v[m.places.deck] = cards
    v[CHANCE], v[DEALT] = Chance(chance.seed, chance.given, chance.shuffles + 1), ()


def _keys(seed: str, number: int) -> tuple[int, ...]:
    """Numbers below 2^64 by chance, the same for a seed on every machine and under every version of Python."""
    return struct.unpack(f"<{number}Q", shake_128(seed.encode()).digest(8 * number))


def deal(m: Match, v: Values, target: int, number: int | None, t: c.Deal) -> None:
    """From the cards given for the place while there are any, then from the deck those given nowhere."""
    deck, chance = v[m.places.deck], v[CHANCE]
    if not chance.given:
        count = len(deck) if number is None else number
        dealt = deck[: max(count, 0)]
        left, enough = deck[len(dealt) :], len(dealt) == count
    else:
        given, key = chance.given, m.places.zone_keys[target]
        kept = {card for place, cards in given.items() if place != (DECK,) for card in cards}
        there = given.get(key, ()) + tuple([card for card in deck if card not in kept])
        count = len(there) if number is None else number
        dealt = there[: max(count, 0)]
        gone = frozenset(dealt)
        left, enough = tuple([x for x in deck if x not in gone]), len(dealt) == count and gone.issubset(deck)
        if key in given:
            chance = Chance(chance.seed, {**given, key: given[key][len(dealt) :]}, chance.shuffles)
    if not enough:
        raise FaultError("deck-empty", f"{count} cards are dealt, {len(dealt)} are there", t.span)
    v[CHANCE] = chance
    v[m.places.deck] = left
    v[target] += dealt
    v[DEALT] += ((target, dealt),)
