"""From syntax trees to the core program: resolves names, checks types, inlines calls.

Without diagnostics, the core program is well typed, closed and free of recursion.
"""
