"""Values of a match, the names under which they lie, and what a match starts with."""

from __future__ import annotations

from collections.abc import Iterator

from trickproof_dsl import core as c

Value = int | bool | frozenset[int] | None
"""A value of the core: an integer, a truth value, the index of a player, card or the like, a set of indices, or `none`."""

Owners = tuple[int, ...]
"""Whose entry of a variable or zone it is: indices of players, suits and the like."""

Key = tuple[str, *tuple[int, ...]]
"""Name of a variable or zone, followed by its owners."""

DECK = "deck"
"""The zone that shuffling fills and dealing empties."""


def as_number(value: Value) -> int:
    """A value known to be a number or an index, and not `none`."""
    assert isinstance(value, int)
    return value


def size_of(program: c.Program, kind: c.Type) -> int:
    """How many values a finite type has."""
    deck = program.deck
    sizes = {"suit": len(deck.suits), "rank": len(deck.ranks), "card": len(deck.cards), "boolean": 2}
    sizes |= {"team": len(program.teams), "option": len(program.options.get(kind.option, ()))}
    return sizes.get(kind.kind, program.players)


def owner_keys(program: c.Program, of: tuple[c.Type, ...]) -> list[Owners]:
    """Every combination of owners, the last changing fastest."""
    combinations: list[Owners] = [()]
    for kind in of:
        combinations = [(*owners, i) for owners in combinations for i in range(size_of(program, kind))]
    return combinations


def zone_keys(program: c.Program) -> list[Key]:
    """Every zone of everybody, in the order of declaration, and the deck last."""
    declared: list[Key] = [
        (name, *owners) for name, zone in program.zones.items() for owners in owner_keys(program, zone.of)
    ]
    return [*declared, (DECK,)]


def fresh_values(program: c.Program, info: c.VariableInfo) -> Iterator[tuple[Key, Value]]:
    """The entries that a variable starts with."""
    value = frozenset(info.initial) if isinstance(info.initial, tuple) else info.initial
    return (((info.name, *owners), value) for owners in owner_keys(program, info.of))


def initial_values(program: c.Program) -> dict[Key, Value]:
    """Every entry of every variable as a match starts with it."""
    return {key: value for info in program.variables.values() for key, value in fresh_values(program, info)}


def uncarried(program: c.Program) -> dict[Key, Value]:
    """The entries that are not carried from hand to hand, as every hand but the first starts with them."""
    variables = [info for info in program.variables.values() if not info.carried]
    return {key: value for info in variables for key, value in fresh_values(program, info)}
