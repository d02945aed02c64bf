"""Model checking of random whole rulesets with few cards, against which the checks are tested."""
