"""The checks, one a file, in the contract's order.  Each file's docstring is the user's manual of its check."""

from __future__ import annotations

from trickproof.checks import (
    cards_conserved,
    examples_agree,
    exchange_feasible,
    hand_size,
    legal_play_exists,
    one_trick_winner,
    rules_complete,
    target_total,
    trick_total,
)
from trickproof.claim import Check

CHECKS: tuple[Check, ...] = (
    cards_conserved.CHECK,
    hand_size.CHECK,
    target_total.CHECK,
    legal_play_exists.CHECK,
    one_trick_winner.CHECK,
    trick_total.CHECK,
    exchange_feasible.CHECK,
    examples_agree.CHECK,
    rules_complete.CHECK,
)
