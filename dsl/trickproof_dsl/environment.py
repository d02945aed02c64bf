"""What expressions are about, and what may be asked of it: variables, zones and bound names at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trickproof_dsl import core as c

Value = Any
"""int, bool, None, or frozenset[int]; see core.py."""

Key = tuple[Any, ...]
"""Name of a variable or zone, followed by its owners."""


class Environment:
    """What expressions are about: variables, zones, bound names, parameters and readings of one program.

    `worked` counts what has been gone through, so that sums of sums of sums can be stopped.
    """

    __slots__ = (
        "bound",
        "parameters",
        "players",
        "program",
        "rank",
        "readings",
        "suit",
        "variables",
        "worked",
        "zones",
    )

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
        self.players, self.suit, self.rank = program.players, program.deck.card_suit, program.deck.card_rank
        self.variables, self.zones, self.bound = variables, zones, dict(bound)
        self.parameters, self.readings = parameters, readings
        self.worked = 0
