"""Checks certificates of proofs without the prover: a parser, a verifier, and the second solvers that decide the leaf queries."""
