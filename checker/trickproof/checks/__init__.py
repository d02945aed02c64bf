"""The checks, one a file, in the contract's order.  Each file's docstring is the user's manual of its check."""

from __future__ import annotations

from trickproof.checks import (
    cards_conserved,
    end_reachable,
    examples_agree,
    exchange_feasible,
    hand_size,
    legal_play_exists,
    one_trick_winner,
    rules_complete,
    target_total,
    trick_total,
    unique_winner,
    zero_sum,
)
from trickproof.claim import Check

_FILES = (
    cards_conserved,
    hand_size,
    target_total,
    legal_play_exists,
    one_trick_winner,
    trick_total,
    zero_sum,
    exchange_feasible,
    end_reachable,
    unique_winner,
    examples_agree,
    rules_complete,
)

CHECKS: tuple[Check, ...] = tuple(file.CHECK for file in _FILES)

MANUALS: dict[str, str] = {file.CHECK.name: file.__doc__ or "" for file in _FILES}
"""The manual of each check, by name."""
