"""Canonical text of files, rules and expressions; parse after format is the identity, and comments stay."""
