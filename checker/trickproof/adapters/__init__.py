"""Rulesets as games of other people's software: `openspiel.game` and `pettingzoo.env`; docs/adapters.md shows them.

`openspiel` and `pettingzoo` need the extra `peers`; everything else here needs nothing that is not ours:

- `rulesets`: a ruleset from an id, a path or a loaded `Ruleset`, or `RulesetError` with the diagnostics.
- `telling`: a core program in which the deal is asked card by card, and every movement of cards is told.
- `actions`: the fixed, numbered actions of a program.
- `public`: which variables everybody can work out; `knowledge`: what each player has seen.
- `points`: what a hand and a match are worth to each player.
- `play`: a match at one moment as a value, one action after another; `view`: what a player may look at of it.
"""
