"""A second, independent reading of the five documents, used by tests as an oracle.

Nothing here imports trickproof or trickproof_dsl, and this is the only place of the project where
facts are wired in by ruleset id: two readings that share code would share mistakes.
"""
