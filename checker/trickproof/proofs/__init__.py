"""Proofs over all deals and choices: `smt`, then `symbolic`, then `hands`, then `matches`."""
