"""The checks, one a file, in the contract's order.  Each file's docstring is the user's manual of its check."""

from __future__ import annotations

from trickproof.checking.check import Check
from trickproof.checks import (
    allocation_determined,
    cards_conserved,
    end_always_reachable,
    end_reachable,
    examples_agree,
    exchange_balanced,
    exchange_feasible,
    exchange_order_determined,
    exchange_returns_highest,
    hand_size,
    legal_play_exists,
    one_trick_winner,
    rules_complete,
    target_total,
    terminates_surely,
    trick_total,
    unique_winner,
    zero_sum,
)

_FILES = (
    cards_conserved,
    hand_size,
    target_total,
    legal_play_exists,
    one_trick_winner,
    trick_total,
    zero_sum,
    exchange_feasible,
    exchange_balanced,
    exchange_returns_highest,
    exchange_order_determined,
    allocation_determined,
    end_reachable,
    end_always_reachable,
    terminates_surely,
    unique_winner,
    examples_agree,
    rules_complete,
)

CHECKS: tuple[Check, ...] = tuple(file.CHECK for file in _FILES)

MANUALS: dict[str, str] = {file.CHECK.name: file.__doc__ or "" for file in _FILES}
"""The manual of each check, by name."""
