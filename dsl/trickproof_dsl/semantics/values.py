"""Values of a match, their keys, and initial values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from trickproof_dsl import core as c

T = TypeVar("T")

Value = int | bool | frozenset[int] | None
"""A value of the core: an integer, a Boolean, the index of a player, card or the like, a set of indices, or `none`."""

Owners = tuple[int, ...]
"""The owners of an entry of a variable or zone: indices of players, suits and the like."""

Key = tuple[str, *tuple[int, ...]]
"""The name of a variable or zone, followed by its owners."""

DECK = "deck"
"""The zone that shuffling fills and dealing empties."""


def as_number(value: Value) -> int:
    """Narrow a value known to be a number or an index, and not `none`."""
    assert isinstance(value, int)
    return value


def size_of(program: c.Program, kind: c.Type) -> int:
    """The number of values of a finite type."""
    deck = program.deck
    sizes = {"suit": len(deck.suits), "rank": len(deck.ranks), "card": len(deck.cards), "boolean": 2}
    sizes |= {"team": len(program.teams), "option": len(program.options.get(kind.option, ()))}
    return sizes.get(kind.kind, program.players)


def owner_keys(program: c.Program, of: tuple[c.Type, ...]) -> list[Owners]:
    """Every combination of owners, the last varying fastest."""
    combinations: list[Owners] = [()]
    for kind in of:
        combinations = [(*owners, i) for owners in combinations for i in range(size_of(program, kind))]
    return combinations


def zone_keys(program: c.Program) -> list[Key]:
    """The keys of all zones, in order of declaration, the deck last."""
    declared: list[Key] = [
        (name, *owners) for name, zone in program.zones.items() for owners in owner_keys(program, zone.of)
    ]
    return [*declared, (DECK,)]


def fresh_values(program: c.Program, info: c.VariableInfo) -> Iterator[tuple[Key, Value]]:
    """The initial entries of a variable."""
    value = frozenset(info.initial) if isinstance(info.initial, tuple) else info.initial
    return (((info.name, *owners), value) for owners in owner_keys(program, info.of))


def initial_values(program: c.Program) -> dict[Key, Value]:
    """The initial entries of all variables at the start of a match."""
    return {key: value for info in program.variables.values() for key, value in fresh_values(program, info)}


def carried(program: c.Program, values: Mapping[Key, T]) -> dict[Key, T]:
    """The entries that are carried from hand to hand."""
    return {key: value for key, value in values.items() if program.variables[key[0]].carried}


def uncarried(program: c.Program) -> dict[Key, Value]:
    """The entries that are not carried from hand to hand, with their values at the start of every hand."""
    variables = [info for info in program.variables.values() if not info.carried]
    return {key: value for info in variables for key, value in fresh_values(program, info)}
