"""A match at one moment, as immutable values: state, decision, event, and where chance comes from.

Read by everything that plays; changed only by `interpret.py`, which makes new ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

from trickproof_dsl import core as c
from trickproof_dsl.evaluate import Fault, Key, Value
from trickproof_dsl.source import Span

Made = TypeVar("Made")

DECK = "deck"
"""The zone that shuffling fills and dealing empties."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def _value(cls: type[Made]) -> type[Made]:
    """A dataclass that nobody changes.  Types say so; at run time it would make playing a third slower."""
    return dataclass(slots=True, unsafe_hash=True, repr="__repr__" not in vars(cls))(cls)


@_value
class Event:
    """Something that happened: `fields` are (key, type, value); a list of values where the type is per player."""

    name: str
    fields: tuple[tuple[str, c.Type, Value], ...]


@_value
class Decision:
    """What is asked: `legal` lists values, or for `cards` the cards of which `low` to `high` are picked.

    `to` is the player whom the cards go to, `whose` another player whose cards they are.
    """

    player: int
    label: str
    type: c.Type
    legal: tuple[Value, ...]
    low: int
    high: int
    to: int | None
    whose: int | None
    single: bool
    blind: bool
    rule: str
    binder: str = field(repr=False)
    span: Span = field(compare=False, repr=False)

    @property
    def of_cards(self) -> bool:
        """Whether a set of cards is chosen."""
        return self.type.kind == "cards"

    def allows(self, choice: Value) -> bool:
        """Whether the choice is legal."""
        if self.of_cards:
            cards = frozenset(choice)
            return self.low <= len(cards) <= self.high and cards.issubset(self.legal)
        return choice in self.legal


@dataclass(frozen=True, slots=True)
class Chance:
    """Where chance comes from: a seed, or `given` cards by place (dealt in their order).

    Cards given for the deck are its order, top first, once all other given cards are dealt.
    `shuffles` counts; `dealt` records what went where since the last shuffle, each dealing in order of index.
    """

    seed: int = 0
    given: Mapping[Key, tuple[int, ...]] | None = None
    shuffles: int = 0
    dealt: Mapping[Key, tuple[int, ...]] = field(default_factory=dict)


Body = tuple[c.Stmt, ...]

Frame = tuple[Body, int, c.Loop | c.Until | None, tuple[Value, ...], int]
"""Steps to go through; which comes next; for loops what is gone round, the elements left, for `until` the rounds left."""


@_value
class State:
    """Everything about a match at one moment.  Exactly one holds: a decision, a fault, or the hand is complete."""

    program: c.Program
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    chance: Chance
    variables: Mapping[Key, Value]
    zones: Mapping[Key, tuple[int, ...]]
    bound: Mapping[str, Value]
    stack: tuple[Frame, ...]
    events: tuple[Event, ...] = ()
    decision: Decision | None = None
    fault: Fault | None = None
    match_over: bool = False
    winners: frozenset[int] = frozenset()

    def __repr__(self) -> str:
        now = "match over" if self.match_over else "hand over"
        if self.fault is not None:
            now = f"fault {self.fault.kind}"
        elif self.decision is not None:
            now = f"player {self.decision.player} has to {self.decision.label}"
        return f"<State: {len(self.events)} events, {now}>"

    @property
    def hand_over(self) -> bool:
        return self.decision is None and self.fault is None

    def variable(self, name: str, *owners: int) -> Value:
        return self.variables[(name, *owners)]

    def cards(self, zone: str, *owners: int) -> tuple[int, ...]:
        return self.zones[(zone, *owners)]


def initial(
    program: c.Program,
    chance: Chance | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    variables: Mapping[Key, Value] | None = None,
) -> State:
    """A match before its first step: every variable initial (or as given), every card in the deck."""
    chosen = {name: values[0] for name, values in program.parameters.items()} | dict(parameters or {})
    values = {k: v for info in program.variables.values() for k, v in fresh_values(program, info)}
    zones: dict[Key, tuple[int, ...]] = {
        (zone.name, *owners): () for zone in program.zones.values() for owners in owner_keys(program, zone.of)
    }
    zones[(DECK,)] = tuple(range(len(program.deck.cards)))
    return State(
        program,
        chosen,
        dict(readings or {}),
        chance or Chance(),
        values | dict(variables or {}),
        zones,
        {},
        (),
    )


VALUE_KEYS = {"suit": "suit", "integer": "number", "player": "whom", "card": "card", "rank": "rank"}
VALUE_KEYS |= {"option": "option", "boolean": "answer", "team": "team"}


def owner_keys(program: c.Program, of: tuple[c.Type, ...]) -> list[Key]:
    """Every combination of owners."""
    keys: list[Key] = [()]
    for kind in of:
        keys = [(*key, i) for key in keys for i in range(size_of(program, kind))]
    return keys


def size_of(program: c.Program, kind: c.Type) -> int:
    """How many values a finite type has."""
    deck = program.deck
    sizes = {"suit": len(deck.suits), "rank": len(deck.ranks), "card": len(deck.cards), "boolean": 2}
    sizes |= {"team": len(program.teams), "option": len(program.options.get(kind.option, ()))}
    return sizes.get(kind.kind, program.players)


def fresh_values(program: c.Program, info: c.VariableInfo) -> Iterable[tuple[Key, Value]]:
    """The entries a variable starts with."""
    value = frozenset(info.initial) if isinstance(info.initial, tuple) else info.initial
    return (((info.name, *owners), value) for owners in owner_keys(program, info.of))
