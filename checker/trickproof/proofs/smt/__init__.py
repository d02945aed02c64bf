"""The solver: symbolic values, queries, a memo of their answers, and cross-checking with a second solver."""
