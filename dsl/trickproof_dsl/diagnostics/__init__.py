"""Sources, spans and diagnostics: errors as data, their catalogue, and their rendering.

The bottom layer; nothing here raises for a user's mistake.
"""
