"""Syntax trees to the core program: names, types, and calls inlined.

With no diagnostics the core is well typed, closed and free of recursion.
"""
