"""Symbolic execution of core programs, arm for arm like the reference semantics."""
