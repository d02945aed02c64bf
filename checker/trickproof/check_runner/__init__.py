"""Runs the checks and caches their findings."""
