"""What has happened in a hand: a chain of notes that states share, made into events when somebody asks.

A note is `[the note before, a function, what it is called with …]`.  One whose events have been asked for becomes
`[None, None, the events]`, so that nothing is made twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import Value

Note = list[Any]

Kinds = tuple[tuple[str, c.Type], ...]

VALUE_KEYS = {"suit": "suit", "integer": "number", "player": "whom", "card": "card", "rank": "rank"}
VALUE_KEYS |= {"option": "option", "boolean": "answer", "team": "team"}
"""How a chosen value is called in its event."""


@dataclass(slots=True, unsafe_hash=True)
class Event:
    """Something that happened: `fields` are (key, type, value); a list of values where the type is per player."""

    name: str
    fields: tuple[tuple[str, c.Type, Value], ...]


def events_until(note: Note | None) -> tuple[Event, ...]:
    """Everything that has happened, first to last."""
    later: list[Note] = []
    at = note
    while at is not None and at[1] is not None:
        later.append(at)
        at = at[0]
    found: tuple[Event, ...] = () if at is None else at[2]
    if note is not None and later:
        found += tuple([make(*values) for _, make, *values in reversed(later)])
        note[:] = None, None, found
    return found


def told(events: tuple[Event, ...]) -> Note | None:
    """The note after which just these events have happened."""
    return [None, None, events] if events else None


# ----------------------------------------------------------------------------- what notes are made into


def moved(
    t: c.Move | c.Show, cards: frozenset[int], player: int, to: int | None = None, holder: int | None = None
) -> Event:
    """A player has moved or shown cards, perhaps to another; `holder` is whose they were."""
    fields: tuple[tuple[str, c.Type, Value], ...] = (("player", c.PLAYER, player),)
    if holder is not None and holder != player:
        fields += (("from", c.PLAYER, holder),)
    if to is not None:
        fields += (("to", c.PLAYER, to),)
    if isinstance(t, c.Move) and t.single:
        return Event(t.label, (*fields, ("card", c.CARD, next(iter(cards)))))
    return Event(t.label, (*fields, ("cards", c.CARDS, cards)))


def announced(name: str, kinds: Kinds, *values: Value) -> Event:
    """What the rules tell; a zone in its order, a per-player variable as a tuple."""
    return Event(name, tuple([(*kind, value) for kind, value in zip(kinds, values, strict=True)]))


def chosen(label: str, kind: c.Type, player: int, value: Value) -> Event:
    """A player has chosen a value."""
    return Event(label, (("player", c.PLAYER, player), (VALUE_KEYS[kind.kind], kind, value)))


def ended(winners: frozenset[int]) -> Event:
    """The match is over."""
    return Event("end", (("winners", c.PLAYERS, winners),))
