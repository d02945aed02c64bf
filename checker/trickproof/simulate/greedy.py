"""A policy that is sensible and cheap (to be written)."""

from trickproof.simulate.policies import RandomPolicy


class GreedyPolicy(RandomPolicy):
    pass
