"""A player who thinks: common worlds, rollouts, and more of them for what looks best.

- `engine`: what is made once of a program; `worlds`: hands that fit what was seen; `prober`: what the rules would have allowed.
- `candidates`: what is tried; `halving`: which of it is best; `player`: from the record of a hand to a choice.
"""
