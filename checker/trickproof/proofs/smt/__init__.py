"""The solver: symbolic values, queries, their memo, and a second solver to confirm them."""
