"""Claims about one hand: initial states, loop invariants, and one solver query for each obligation of a path."""
