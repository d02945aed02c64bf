"""Checks certificates of proofs without the prover: parsing, reconstruction of the leaf queries, and the
second solvers that decide them.
"""
