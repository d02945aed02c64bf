"""What a simulation needs to know of a ruleset: plain data, whose core program is decoded on demand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trickproof_dsl import core as c
    from trickproof_dsl.library import Ruleset


@dataclass(frozen=True)
class Game:
    """A ruleset's names, and its core program as JSON text without spans.

    `parameters` and `readings`: the allowed values and names, the default first.
    """

    id: str
    named: str
    title: str
    players: int
    parameters: Mapping[str, Sequence[int]]
    readings: Mapping[str, Sequence[str]]
    core: str
    loaded: c.Program | None = field(default=None, compare=False, repr=False)
    """The program with its spans, if the game was made from a loaded ruleset."""

    @cached_property
    def program(self) -> c.Program:
        """The core program, with spans if available."""
        from trickproof_dsl.core.json_codec import program_from_json

        return self.loaded or program_from_json(json.loads(self.core))


def game_of(ruleset: Ruleset) -> Game:
    """The game of a loaded ruleset."""
    from trickproof_dsl.core.json_codec import program_json

    program = ruleset.program
    core = json.dumps(program_json(program, spans=False), sort_keys=True)
    about = program.players, dict(program.parameters), dict(program.readings)
    return Game(ruleset.id, ruleset.named, ruleset.title, *about, core, program)
