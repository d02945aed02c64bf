"""Sources, spans and diagnostics: errors as data, their catalogue, and how they are drawn.

Bottom of everything; nothing is raised for a user's mistake.
"""
