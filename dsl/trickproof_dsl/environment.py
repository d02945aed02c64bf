"""What expressions are about, and what may be asked of it: variables, zones and bound names at one moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.faults import FaultError
from trickproof_dsl.source import Span

Value = Any
"""int, bool, None, or frozenset[int]; see core.py."""

Key = tuple[Any, ...]
"""Name of a variable or zone, followed by its owners."""


class Environment:
    """What expressions are about: variables, zones, bound names, parameters and readings of one program."""

    __slots__ = ("bound", "parameters", "program", "readings", "variables", "worked", "zones")

    def __init__(
        self,
        program: c.Program,
        variables: Mapping[Key, Value],
        zones: Mapping[Key, tuple[int, ...]],
        bound: Mapping[str, Value],
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
    ) -> None:
        self.program = program
        self.variables, self.zones, self.bound = variables, zones, dict(bound)
        self.parameters, self.readings = parameters, readings
        self.worked = 0


Meaning = Callable[[Environment], Value]
"""Gives the value of an expression."""


def present(value: Value, kind: object, span: Span) -> int:
    """A player, rank or the like that must not be `none`."""
    if value is None:
        raise FaultError("nobody", f"a {kind} is needed, there is none", span)
    return int(value)


def owned(key: Key, span: Span) -> Key:
    """The entry of a variable or zone, whose owners must not be `none`."""
    if None in key:
        raise FaultError("nobody", f"whose `{key[0]}` is asked for, there is none", span)
    return key
