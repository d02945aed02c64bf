"""The checker of trickproof: checks, comparison, simulation, reports and the command line."""
