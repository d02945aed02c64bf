"""Runtime support for compiled statements: operations that change the memory or ask a player.

The last argument is the part of the core program that is executed, which gives the place of a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trickproof_dsl import core as c
from trickproof_dsl.compiled.memory import Match, Memory
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision, Question
from trickproof_dsl.semantics.events import HAND_ENDED, Event, ended
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.values import DECK, Key, Value

MOST_ROUNDS_AT_ONCE = 50_000
"""Maximum iterations of loops between two decisions, not counting small loops."""


# ------------------------------------------------------------------------------------------------- loops


def ordered(
    players: int,
    domain: frozenset[int],
    start: int | None,
    key: Callable[[int], tuple[int, ...]] | None,
    t: c.Loop,
) -> tuple[int, ...]:
    """The elements in the order of the keys, with ties broken as the order specifies."""
    if start is None:
        elements = sorted(domain)
    else:
        turn = 1 if t.order.clockwise else -1
        elements = [p for i in range(players) if (p := (start + turn * i) % players) in domain]
    if key is None:
        if t.order.ties == "impossible" and len(elements) > 1:
            raise _tie(t)
        return tuple(elements)
    keys = {x: key(x) for x in elements}
    if t.order.ties == "impossible" and len(set(keys.values())) < len(elements):
        raise _tie(t)
    return tuple(sorted(elements, key=keys.__getitem__))


def _tie(t: c.Loop) -> FaultError:
    return FaultError("tie", "there is a tie, but the rule says that ties are impossible", t.span)


def another_round(s: Memory, t: c.Loop | c.Until) -> None:
    """Count an iteration of a loop."""
    s.rounds += 1
    if s.rounds > MOST_ROUNDS_AT_ONCE:
        raise EngineLimitError(f"not done after {MOST_ROUNDS_AT_ONCE} rounds", t.span)


def rounds_left(rounds: int, t: c.Until) -> int:
    """The iterations left after another one."""
    if rounds <= 0:
        raise FaultError("loop-bound", "not done after the maximum number of rounds", t.span)
    return rounds - 1


def not_said(t: c.Unspecified) -> None:
    """Fault: the step belongs to a missing rule."""
    raise FaultError("unspecified", f"nothing says what `{t.rule}` does", t.span)


# --------------------------------------------------------------------------------- decisions and events


def ask_cards(
    domain: frozenset[int],
    low: int,
    high: int,
    player: int,
    to: int | None,
    whose: Callable[[], int] | None,
    question: Question,
    t: c.ChooseCards,
) -> Decision | None:
    """The decision, or None if nothing is asked."""
    if low < 0 or high < low:
        raise FaultError("bad-number", f"between {low} and {high} cards are asked for", t.span, t.label)
    if high == 0:
        return None
    if len(domain) < low:
        missing = f"player {player} must choose {low} of {len(domain)} cards"
        raise FaultError("no-legal-choice", missing, t.span, t.label)
    holder = whose() if whose else None
    holder = None if holder == player else holder
    return Decision(question, player, tuple(sorted(domain)), low, min(high, len(domain)), to, holder)


def ask_value(player: int, legal: Sequence[Value], question: Question, t: c.ChooseValue) -> Decision:
    """The decision."""
    options = (*legal, None) if t.or_none else tuple(legal)
    if not options:
        raise FaultError("no-legal-choice", f"player {player} has no option", t.span, t.label)
    return Decision(question, player, options)


def options(domain: frozenset[int], t: c.ChooseValue) -> list[int] | list[bool]:
    """The candidate values, in order."""
    return [bool(x) for x in sorted(domain)] if t.value_type.kind == "boolean" else sorted(domain)


def announced(
    values: Sequence[Value | tuple[Value, ...]], fields: Sequence[tuple[str, c.Type]], t: c.Announce
) -> Event:
    """The announced event; a zone's cards are in order, a per-player variable is a tuple."""
    return Event(t.event, tuple([(*field, value) for field, value in zip(fields, values, strict=True)]))


def end_match(s: Memory, winners: frozenset[int]) -> None:
    """End the match."""
    s.winners = winners
    s.events.append(ended(winners))


def end_hand(s: Memory, again: bool) -> None:
    """End the hand before its last step."""
    s.again = again
    s.events.append(HAND_ENDED[again])


# ------------------------------------------------------------------------------------------------- cards


def move(z: list[tuple[int, ...]], cards: frozenset[int], source: int, target: int, t: c.Move) -> bool:
    """Move cards; return whether there were any."""
    held = z[source]
    rest = [x for x in held if x not in cards]
    if len(held) - len(rest) != len(cards):
        raise FaultError(
            "cards-not-there", "cards are moved from a zone that does not hold them", t.span, t.label
        )
    if cards:
        z[source] = tuple(rest)
        z[target] += tuple(sorted(cards))
    return bool(cards)


def shuffle(m: Match, s: Memory) -> None:
    """Return every card to the deck."""
    chance = s.chance
    s.zones[:] = [()] * len(s.zones)
    s.zones[m.slots.deck] = chance.shuffled(len(m.program.deck.cards))
    s.chance = Chance(chance.seed, chance.given, chance.shuffles + 1)


def deal(m: Match, s: Memory, target: int, number: int | None, t: c.Deal) -> None:
    """Deal from the cards given for the place, then from the cards of the deck given nowhere."""
    deck, key, given = s.zones[m.slots.deck], m.slots.zone_keys[target], s.chance.given or {}
    reserved = {card for place, cards in given.items() if place != (DECK,) for card in cards}
    there = given.get(key, ()) + tuple([card for card in deck if card not in reserved])
    count = len(there) if number is None else number
    cards = frozenset(dealt := there[: max(count, 0)])
    if len(dealt) != count or not cards.issubset(deck):
        raise FaultError(
            "deck-empty", f"too few cards in the deck: {len(dealt)} left, {count} to deal", t.span
        )
    s.zones[m.slots.deck] = tuple([card for card in deck if card not in cards])
    s.zones[target] += dealt
    s.chance = _after_dealing(s.chance, key, dealt)


def _after_dealing(chance: Chance, key: Key, cards: tuple[int, ...]) -> Chance:
    """Record the cards as dealt to a place, and as used up if they were given for it."""
    given, before = chance.given, chance.dealt.get(key, ())
    if given is not None and key in given:
        given = {**given, key: given[key][len(cards) :]}
    dealt = {**chance.dealt, key: before + tuple(sorted(cards))}
    return Chance(chance.seed, given, chance.shuffles, dealt)
