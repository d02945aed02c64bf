"""Sets of cards to be tried: distinct, of the sizes allowed, and the same with both back ends."""

from __future__ import annotations

import pytest

from trickproof.information.stream import Stream
from trickproof.simulate.ir.calling_convention import LLVM, PYTHON
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.script.sets import drawer

DOMAIN, LOW, HIGH = 0b1011_0110_1101_0111 << 20, 2, 4


def drawn(varied: int | None, seed: int, backend: str = "") -> tuple[int, ...]:
    """Some sets, with where the stream is behind them."""
    stream = Stream(seed)
    sets = drawer(backend or best_backend())(DOMAIN, LOW, HIGH, varied, 20, 60, stream)
    return (*sets, stream.word())


@pytest.mark.parametrize("varied", [None, 0b11 << 20])
@pytest.mark.parametrize("seed", [0, 7, (1 << 64) - 1])
def test_sets_are_distinct_and_allowed(varied: int | None, seed: int) -> None:
    *sets, _ = drawn(varied, seed)
    assert len(set(sets)) == len(sets) == 20
    assert all(x & ~DOMAIN == 0 and LOW <= x.bit_count() <= HIGH for x in sets)
    if varied is not None:
        assert sets[0] == varied
        assert all((x ^ varied).bit_count() <= 4 for x in sets)


@pytest.mark.parametrize("varied", [None, 0b11 << 20])
def test_both_back_ends_draw_alike(varied: int | None) -> None:
    if best_backend() == LLVM:
        assert drawn(varied, 3, PYTHON) == drawn(varied, 3, LLVM)


def test_every_size_and_card_is_drawn() -> None:
    sets = [x for seed in range(100) for x in drawn(None, seed)[:-1]]
    assert {x.bit_count() for x in sets} == {2, 3, 4}
    often = [sum(x >> i & 1 for x in sets) for i in range(64) if DOMAIN >> i & 1]
    assert min(often) > 0.9 * sum(often) / len(often)
