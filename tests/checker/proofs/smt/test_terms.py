"""Contexts of z3, whatever thread Python collects garbage in."""

from __future__ import annotations

import pytest
import z3

from trickproof.proofs.smt import terms


def memory() -> int:
    return int(z3.Z3_get_estimated_alloc_size())


@pytest.mark.parametrize("context", [z3.main_ctx(), terms.isolated()], ids=["main", "isolated"])
def test_terms_that_another_thread_lets_go_are_freed_by_the_next_call(context: z3.Context) -> None:
    """Freed at once, they are freed in the middle of whatever z3 does in its own thread."""
    x = z3.Int("x", context)
    built = [x + number for number in range(5_000)]
    before = memory()
    del built
    assert memory() >= before
    z3.Int("y", context)
    assert memory() < before


def test_without_it_they_are_freed_at_once() -> None:
    """What the test above rests on."""
    x = z3.Int("x", z3.Context())
    built = [x + number for number in range(5_000)]
    before = memory()
    del built
    assert memory() < before
