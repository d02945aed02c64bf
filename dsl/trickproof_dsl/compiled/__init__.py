"""The compiled form of a core program: blocks of Python between decisions, tested against `semantics`."""
