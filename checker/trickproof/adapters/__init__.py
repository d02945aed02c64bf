"""Rulesets as games of OpenSpiel and PettingZoo: `openspiel.game` and `pettingzoo.env`; docs/adapters.md shows them.

`openspiel` and `pettingzoo` need the extra `peers`; the other modules have no third-party dependencies:

- `settings`: a ruleset from an id, a path or a loaded `Ruleset`, or `RulesetError` with the diagnostics; parameters and readings.
- `action_space`: the fixed, numbered actions of a program.
- `information_state`: what each player has seen and knows.
- `returns`: the returns of a finished game.
- `game_state`: an immutable state of a match; `observations`: what a player sees of it.
"""
