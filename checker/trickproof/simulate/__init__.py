"""The simulator: a ruleset's core program as an integer program, compiled, played many million times, counted."""
