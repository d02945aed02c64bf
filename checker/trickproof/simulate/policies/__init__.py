"""Who chooses, and how: `random`, `greedy`, and Python functions."""
