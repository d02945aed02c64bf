"""Differences that the solver decides: after the play, and between rules that give a value."""
