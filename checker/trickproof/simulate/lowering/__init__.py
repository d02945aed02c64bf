"""Lowering from core programs to integer programs, arm for arm like the reference semantics."""
