"""Rulesets as games of OpenSpiel and PettingZoo: `openspiel.game` and `pettingzoo.env`; docs/adapters.md shows them.

`openspiel` and `pettingzoo` need the extra `peers`; everything else here needs nothing that is not ours:

- `settings`: a ruleset from an id, a path or a loaded `Ruleset`, or `RulesetError` with the diagnostics; parameters, readings.
- `action_space`: the fixed, numbered actions of a program.
- `information_state`: what each player has seen.
- `returns`: what a game that was played returns to each player.
- `game_state`: a match at one moment as a value, one action after another; `observations`: what a player may look at of it.
"""
