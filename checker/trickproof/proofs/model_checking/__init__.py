"""Transition systems over the values that deals carry on: unrolling, induction, Horn clauses, ranking functions."""
