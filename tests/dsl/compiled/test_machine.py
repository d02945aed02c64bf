"""Limits of the compiled form: it gives up with a place, and never says that the rules fail at run time."""

from __future__ import annotations

import pytest

from dsl.machines import COMPILED
from trickproof_dsl.compiled.runtime import LARGEST, MOST_ROUNDS
from trickproof_dsl.compiled.runtime_actions import MOST_ROUNDS_AT_ONCE
from trickproof_dsl.semantics.faults import EngineLimitError

LIMITS = {
    "loops in loops": (
        "repeat 1000 times:\n    repeat 1000 times:\n        n becomes n + 1",
        MOST_ROUNDS_AT_ONCE,
    ),
    "a range": (f"for q in 1 to {MOST_ROUNDS + 1}:\n    n becomes q", MOST_ROUNDS),
    "a product": ("n becomes 3\nrepeat 90 times:\n    n becomes n * n", LARGEST),
    "a sum": (f"n becomes {LARGEST - 1} + 2", LARGEST),
}


@pytest.mark.parametrize(("hand", "limit"), LIMITS.values(), ids=LIMITS)
def test_limits_are_no_faults(hand: str, limit: int) -> None:
    with pytest.raises(EngineLimitError, match=str(limit)) as given_up:
        COMPILED.begun(hand)
    assert given_up.value.span.source.text[given_up.value.span.start :]


def test_up_to_its_limits_it_plays() -> None:
    assert COMPILED.n_after(f"for q in 1 to {MOST_ROUNDS}:\n    n becomes q") == MOST_ROUNDS
    assert COMPILED.n_after(f"n becomes {LARGEST - 1} + 1") == LARGEST
