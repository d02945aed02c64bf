"""Where the values of a match are kept: a list, with a place for every variable of everybody, and every zone.

Before them come what has happened, chance, who has won, and two counts by which endless rules are stopped; after them
what the steps under way have bound (`python_blocks`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any, NamedTuple

from trickproof_dsl import core as c
from trickproof_dsl.compiled.identity_memo import kept

Value = Any
"""int, bool, None, or frozenset[int]; see `core.types`."""

Key = tuple[Any, ...]
"""Name of a variable or zone, followed by its owners."""

DECK = "deck"
"""The zone that shuffling fills and dealing empties."""

EVENTS, CHANCE, DEALT, WINNERS, ROUNDS, WORKED = range(6)
"""What comes first: what has happened (`event_log.Note`), where chance comes from (`state.Chance`), pairs of a place and
the cards dealt to it since the last shuffle, the winners once the match is over; and since the last decision, rounds of
loops and elements gone through."""

HEAD = 6


class Row(NamedTuple):
    """The places of one variable or zone: the entry of owners i, j is at `first + i * strides[0] + j * strides[1]`."""

    name: str
    first: int
    strides: tuple[int, ...]


class Places:
    """The places of a program's variables and zones, in the order in which they are declared."""

    def __init__(self, program: c.Program) -> None:
        numbers = count(HEAD)
        self.variables: dict[Key, int] = {}
        self.zones: dict[Key, int] = {}
        rows: list[dict[str, Row]] = [{}, {}]
        zones = {name: zone.of for name, zone in program.zones.items()} | {DECK: ()}
        declared = {name: info.of for name, info in program.variables.items()}
        for row, places, of_all in zip(rows, (self.variables, self.zones), (declared, zones), strict=True):
            for name, of in of_all.items():
                keys = [(name, *owners) for owners in owner_keys(program, of)]
                places.update(zip(keys, numbers, strict=False))
                sizes = [size_of(program, kind) for kind in of]
                row[name] = Row(name, places.get(keys[0], HEAD) if keys else HEAD, _strides(sizes))
        self.variable_rows, self.zone_rows = rows
        self.size = HEAD + len(self.variables) + len(self.zones)
        self.zone_keys = {place: key for key, place in self.zones.items()}
        self.deck = self.zones[(DECK,)]

    def listed(
        self, variables: Mapping[Key, Value], zones: Mapping[Key, Value], missing: object = None
    ) -> list[Value]:
        """The values in their places; what the program does not know has none."""
        values: list[Value] = [missing] * self.size
        for key, value in variables.items():
            if key in self.variables:
                values[self.variables[key]] = value
        for key, value in zones.items():
            if key in self.zones:
                values[self.zones[key]] = value
        return values


def _strides(sizes: list[int]) -> tuple[int, ...]:
    strides, stride = [], 1
    for size in reversed(sizes):
        strides.append(stride)
        stride *= size
    return tuple(reversed(strides))


@kept(1000)
def places_of(program: c.Program) -> Places:
    """The places of a program."""
    return Places(program)


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


def uncarried(program: c.Program) -> dict[Key, Value]:
    """The entries that are not carried from hand to hand, as every hand begins with them."""
    infos = [info for info in program.variables.values() if not info.carried]
    return {key: value for info in infos for key, value in fresh_values(program, info)}


def fresh_values(program: c.Program, info: c.VariableInfo) -> Iterable[tuple[Key, Value]]:
    """The entries a variable starts with."""
    value = frozenset(info.initial) if isinstance(info.initial, tuple) else info.initial
    return (((info.name, *owners), value) for owners in owner_keys(program, info.of))
