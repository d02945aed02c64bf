"""Sequential halving: the budget is kept, all are tried in the same worlds, and the best stays."""

from __future__ import annotations

import pytest

from trickproof.search.halving import Tried, halved


def constant(worth: int, worlds: int) -> tuple[int, int, int]:
    """What is said of a candidate that is always worth as much."""
    return worlds, worth * worlds, worth * worth * worlds


@pytest.mark.parametrize("choices", [2, 3, 8, 25])
@pytest.mark.parametrize("rollouts", [50, 200, 1000])
def test_no_more_rollouts_than_allowed(choices: int, rollouts: int) -> None:
    played: list[int] = []

    def trial(alive: list[int], worlds: int) -> list[tuple[int, int, int]]:
        played.append(len(alive) * worlds)
        return [constant(choice, worlds) for choice in alive]

    best = halved(range(choices), rollouts, trial)
    assert [one.choice for one in best[:1]] == [choices - 1]
    assert sum(played) <= rollouts
    assert sum(played) >= rollouts // 2
    assert sorted(one.choice for one in best) == list(range(choices))


def test_every_candidate_is_tried_even_with_one_rollout() -> None:
    best = halved([4, 7, 9], 1, lambda alive, worlds: [constant(choice, worlds) for choice in alive])
    assert [one.number >= 1 for one in best] == [True] * 3


def test_of_equals_the_first_is_chosen() -> None:
    assert halved([3, 1, 2], 30, lambda alive, worlds: [constant(5, worlds) for _ in alive])[0].choice == 3


def test_intervals() -> None:
    one = Tried(0)
    one.add(5, 1 + 2 + 3 + 4 + 5, 1 + 4 + 9 + 16 + 25)
    assert one.mean == 3
    assert one.error == pytest.approx(1.96 * (2.5 / 5) ** 0.5)
    assert Tried(0).error == float("inf")
