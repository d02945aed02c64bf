"""Claims about whole matches: transition systems, invariants, ranking functions, lassos, Markov chains."""
