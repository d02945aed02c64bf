"""Players' actions and announcements by the rules, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Value

Field = tuple[str, c.Type, Any]
"""A key, a type and a value; a tuple of values for a per-player variable, or for a zone in its order."""

VALUE_KEYS = {"suit": "suit", "integer": "number", "player": "whom", "card": "card", "rank": "rank"}
VALUE_KEYS |= {"option": "option", "boolean": "answer", "team": "team"}
"""The key of a chosen value in its event, by the kind of its type."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a hand."""

    name: str
    fields: tuple[Field, ...]


def moved(
    t: c.Move | c.Show, cards: frozenset[int], player: int, to: int | None = None, holder: int | None = None
) -> Event:
    """A player has moved or shown cards, possibly to another; `holder` is the player who had them."""
    fields: tuple[Field, ...] = (("player", c.PLAYER, player),)
    if holder is not None and holder != player:
        fields += (("from", c.PLAYER, holder),)
    if to is not None:
        fields += (("to", c.PLAYER, to),)
    if isinstance(t, c.Move) and t.single:
        return Event(t.label, (*fields, ("card", c.CARD, next(iter(cards)))))
    return Event(t.label, (*fields, ("cards", c.CARDS, cards)))


def chosen(label: str, kind: c.Type, player: int, value: Value) -> Event:
    """A player has chosen a value."""
    return Event(label, (("player", c.PLAYER, player), (VALUE_KEYS[kind.kind], kind, value)))


def ended(winners: frozenset[int]) -> Event:
    """The match is over."""
    return Event("end", (("winners", c.PLAYERS, winners),))


HAND_ENDED = Event("hand-ends", ()), Event("deal-again", ())
"""The hand is over before its last step; the second event also means that its cards are dealt again."""

SCORED = "score"
"""The announcement of the standard vocabulary that a hand has been scored."""
