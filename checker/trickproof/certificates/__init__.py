"""Certificates of proofs, checked without the prover: what is read, what the leaves are, and who is asked."""
