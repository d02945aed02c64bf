"""The language of trickproof: rulesets, their core program and the reference interpreter.

This is what an implementer of a game needs to embed the referee; docs/api.md shows it in use.  Importing a
name loads only what it needs, and never a solver or a command line.

- Loading: `Library([folder, …]).load(id or path)` returns a `Ruleset`, or None and the diagnostics, which
  `render` formats; no exception is raised for a user's mistake.
- Playing: `start`, `apply` and `next_hand` map a `State` to the next.  A state waits for a `Decision`, or has
  a `fault` (the rules fail at run time), or its hand is complete.  `play_hand` and `play_match` call player
  functions.
- JSON: `event_json`, `state_json`, `decision_json`, `move_json` and `read_move` use the scenario format;
  `replay_scenario` answers a whole scenario, `scenario_json` writes one, `replay_lines` answers JSON Lines.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trickproof_dsl.compiled.machine import apply, next_hand, start
    from trickproof_dsl.compiled.state import State
    from trickproof_dsl.diagnostics.diagnostic import Diagnostic, render
    from trickproof_dsl.library import Library, Ruleset
    from trickproof_dsl.playing import DecisionPlayer, Player, play_hand, play_match, random_player, visible
    from trickproof_dsl.scenarios.json_lines import replay_lines
    from trickproof_dsl.scenarios.json_values import ScenarioError, event_json
    from trickproof_dsl.scenarios.moves import IllegalMoveError, read_move
    from trickproof_dsl.scenarios.replay import replay_scenario
    from trickproof_dsl.scenarios.writing import decision_json, move_json, scenario_json, state_json
    from trickproof_dsl.semantics.chance import Chance
    from trickproof_dsl.semantics.decisions import Decision
    from trickproof_dsl.semantics.events import Event
    from trickproof_dsl.semantics.faults import Fault

__all__ = [
    "Chance",
    "Decision",
    "DecisionPlayer",
    "Diagnostic",
    "Event",
    "Fault",
    "IllegalMoveError",
    "Library",
    "Player",
    "Ruleset",
    "ScenarioError",
    "State",
    "apply",
    "decision_json",
    "event_json",
    "move_json",
    "next_hand",
    "play_hand",
    "play_match",
    "random_player",
    "read_move",
    "render",
    "replay_lines",
    "replay_scenario",
    "scenario_json",
    "start",
    "state_json",
    "visible",
]

_HOMES = {
    "diagnostics.diagnostic": ("Diagnostic", "render"),
    "compiled.machine": ("apply", "next_hand", "start"),
    "scenarios.json_values": ("ScenarioError", "event_json"),
    "library": ("Library", "Ruleset"),
    "playing": ("DecisionPlayer", "Player", "play_hand", "play_match", "random_player", "visible"),
    "scenarios.json_lines": ("replay_lines",),
    "scenarios.replay": ("replay_scenario",),
    "scenarios.moves": ("IllegalMoveError", "read_move"),
    "scenarios.writing": ("decision_json", "move_json", "scenario_json", "state_json"),
    "compiled.state": ("State",),
    "semantics.chance": ("Chance",),
    "semantics.decisions": ("Decision",),
    "semantics.events": ("Event",),
    "semantics.faults": ("Fault",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module `{__name__}` has no `{name}`")
