"""The checks that a ruleset states itself: its invariants and its restatements."""

from __future__ import annotations

from trickproof.checks.invariants import invariants
from trickproof.checks.restatements import restatements
from trickproof.proofs.hands.check import Check
from trickproof_dsl.library import Ruleset


def stated_checks(ruleset: Ruleset) -> tuple[Check, ...]:
    """One check for each, under its own name."""
    return (*invariants(ruleset.program), *restatements(ruleset))
