"""Model checking of random whole rulesets: exhaustive exploration with few cards, against which the checks
are tested.
"""
