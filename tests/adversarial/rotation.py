"""Seat symmetry: a state before a deal is equivalent to its rotations."""

from __future__ import annotations

from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import Key, Value

DEALER = "dealer"


def seats_alike(program: c.Program) -> bool:
    """Whether the rules refer to seats only relative to the dealer."""
    dealer = program.variables.get(DEALER)
    if program.teams or dealer is None or not dealer.carried or dealer.of or dealer.type != c.PLAYER:
        return False
    if any(info.initial is not None for info in program.variables.values() if _names_a_seat(info)):
        return False
    conditions = tuple(invariant.condition for invariant in program.invariants.values())
    return not any(_names(node) for node in walk(program.setup, program.hand, program.between, conditions))


def _names_a_seat(info: c.VariableInfo) -> bool:
    return info.name != DEALER and info.type == c.PLAYER


def _names(node: Any) -> bool:
    match node:
        case c.Literal():
            return node.type in (c.PLAYER, c.PLAYERS) and node.value not in (None, ())
        case c.Top():
            return bool(node.operand.type == c.PLAYERS)
        case c.Loop():
            return node.domain.type == c.PLAYERS and node.order.start is None
        case c.Table():
            return True
    return False


Contents = tuple[dict[Key, Value], dict[Key, tuple[int, ...]]]
"""Variables and zones."""


def dealt_by_first(state: State) -> State:
    """The state rotated so that seat 0 deals."""
    variables, zones = moved_on(state)
    return state.but(variables=variables, zones=zones)


def moved_on(state: StateView) -> Contents:
    """The contents of a state rotated so that seat 0 deals."""
    dealer = state.variable(DEALER)
    if not isinstance(dealer, int) or dealer == 0:
        return dict(state.variables), dict(state.zones)
    program, by = state.program, state.program.players - dealer
    variables: dict[Key, Value] = {}
    for key, value in state.variables.items():
        info = program.variables[key[0]]
        variables[_moved_key(key, info.of, by, program)] = _moved(value, info.type, by, program)
    zones = {
        _moved_key(key, program.zones[key[0]].of if key[0] in program.zones else (), by, program): cards
        for key, cards in state.zones.items()
    }
    return variables, zones


def _moved_key(key: Key, of: tuple[c.Type, ...], by: int, program: c.Program) -> Key:
    owners = (
        (x + by) % program.players if kind == c.PLAYER else x for x, kind in zip(key[1:], of, strict=True)
    )
    return (key[0], *owners)


def _moved(value: Value, kind: c.Type, by: int, program: c.Program) -> Value:
    if kind == c.PLAYER and isinstance(value, int):
        return (value + by) % program.players
    if kind == c.PLAYERS and isinstance(value, frozenset):
        return frozenset((x + by) % program.players for x in value)
    return value
