"""Unknown cards: sets of them, what is known of a set, and where cards may lie."""
