"""The language of trickproof: rulesets, their core program and the reference interpreter.

Everything an implementer of a game needs to embed the referee; docs/api.md shows it in use.  Importing a name
brings in what it needs, and never a solver or a command line.

- Loading: `Library([folder, …]).load(id or path)` answers a `Ruleset`, or None and the diagnostics, which `render`
  draws; nothing is raised for a user's mistake.
- Playing: `start`, `apply` and `next_hand` lead from `State` to `State`.  A state waits for a `Decision`, or has a
  `fault` (the rules break down), or its hand is complete.  `play_hand` and `play_match` ask player functions.
- JSON: `event_json`, `state_json`, `decision_json`, `move_json` and `read_move` speak the form of scenarios;
  `replay_scenario` answers a whole one, `scenario_json` writes one, `replay_lines` answers JSON Lines.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trickproof_dsl.diagnostic import Diagnostic, render
    from trickproof_dsl.evaluate import Fault
    from trickproof_dsl.interpret import apply, next_hand, start
    from trickproof_dsl.jsonform import ScenarioError, event_json
    from trickproof_dsl.load import Library, Ruleset
    from trickproof_dsl.players import DecisionPlayer, Player, play_hand, play_match, random_player, visible
    from trickproof_dsl.replay import replay_lines
    from trickproof_dsl.scenario import replay_scenario
    from trickproof_dsl.scenario_moves import IllegalMoveError, read_move
    from trickproof_dsl.scenario_write import decision_json, move_json, scenario_json, state_json
    from trickproof_dsl.state import Chance, Decision, Event, State

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
    "diagnostic": ("Diagnostic", "render"),
    "evaluate": ("Fault",),
    "interpret": ("apply", "next_hand", "start"),
    "jsonform": ("ScenarioError", "event_json"),
    "load": ("Library", "Ruleset"),
    "players": ("DecisionPlayer", "Player", "play_hand", "play_match", "random_player", "visible"),
    "replay": ("replay_lines",),
    "scenario": ("replay_scenario",),
    "scenario_moves": ("IllegalMoveError", "read_move"),
    "scenario_write": ("decision_json", "move_json", "scenario_json", "state_json"),
    "state": ("Chance", "Decision", "Event", "State"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module `{__name__}` has no `{name}`")
