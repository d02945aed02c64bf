"""The simulator: compiles a ruleset's core program to an integer program, plays it millions of times and counts."""
