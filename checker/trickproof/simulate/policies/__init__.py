"""Policies: `random`, `greedy`, and Python functions."""
