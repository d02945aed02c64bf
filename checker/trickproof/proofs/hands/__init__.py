"""Claims about a single deal: initial states, loop invariants, and one solver query for each obligation of a path."""
