"""A searching player: shared worlds, rollouts, and more rollouts for the most promising candidates.

- `engine`: what is built once for a program; `worlds`: hands consistent with what was seen; `prober`: what
  the rules would have allowed.
- `candidates`: what to try; `halving`: which candidate is best; `player`: from the record of a hand to a
  choice.
"""
