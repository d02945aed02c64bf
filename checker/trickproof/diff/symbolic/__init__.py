"""Differences that the solver decides: after play, and between rules that have a value."""
