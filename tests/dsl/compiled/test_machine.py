"""Limits of the compiled form, which it reports like faults."""

from __future__ import annotations

from dsl.machines import COMPILED, fault
from trickproof_dsl.compiled.runtime import LARGEST, MOST_ROUNDS
from trickproof_dsl.compiled.runtime_actions import MOST_ROUNDS_AT_ONCE


def test_loops_in_loops_are_stopped_at_the_innermost() -> None:
    hand = "repeat 1000 times:\n    repeat 1000 times:\n        n becomes n + 1"
    state = COMPILED.begun(hand)
    assert fault(state) == ("loop-bound", 1, 5)
    assert state.fault is not None
    assert str(MOST_ROUNDS_AT_ONCE) in state.fault.message


def test_ranges_and_numbers_have_bounds() -> None:
    assert fault(COMPILED.begun(f"for q in 1 to {MOST_ROUNDS + 1}:\n    n becomes q"))[0] == "loop-bound"
    assert COMPILED.n_after(f"for q in 1 to {MOST_ROUNDS}:\n    n becomes q") == MOST_ROUNDS
    assert fault(COMPILED.begun("n becomes 3\nrepeat 90 times:\n    n becomes n * n")) == (
        "bad-number",
        2,
        15,
    )
    assert COMPILED.n_after(f"n becomes {LARGEST - 1} + 1") == LARGEST
    assert fault(COMPILED.begun(f"n becomes {LARGEST - 1} + 2"))[0] == "bad-number"
