"""Choices are the same in every run, failures are made smaller, and what was drawn can be played again."""

from __future__ import annotations

from trickproof.testing.choice_source import (
    SHRINKS,
    Draw,
    StopSampling,
    recorded,
    sample,
    seeded,
    smallest_failure,
)


def drawn(cases: int, stop: int = 1_000) -> list[tuple[int, int]]:
    """Two numbers a case."""
    pairs: list[tuple[int, int]] = []

    def case(draw: Draw) -> None:
        pairs.append((draw(4), draw(12)))
        if len(pairs) >= stop:
            raise StopSampling

    sample(case, cases)
    return pairs


def test_a_sample_is_the_same_every_time() -> None:
    pairs = drawn(50)
    assert pairs == drawn(50)
    assert len(pairs) == 50
    assert all(0 <= a < 16 and 0 <= b < 4096 for a, b in pairs)
    assert len(set(pairs)) > 30


def test_a_case_can_end_the_sample() -> None:
    assert drawn(50, stop=7) == drawn(50)[:7]


def test_failures_are_made_smaller_and_can_be_played_again() -> None:
    tried = 0

    def case(draw: Draw) -> tuple[int, ...] | None:
        nonlocal tried
        tried += 1
        values = [draw(6) for _ in range(1 + draw(3))]
        return (len(values),) if sum(values) > 40 else None

    choices = smallest_failure(case, 200)
    assert choices is not None
    again = recorded(choices)
    values = [again(6) for _ in range(1 + again(3))]
    assert len(values) == 1, "one number is enough"
    assert 40 < sum(values) < 48
    assert tried <= 200 + SHRINKS


def test_nothing_fails() -> None:
    assert smallest_failure(lambda draw: None if draw(3) < 8 else (1,), 40) is None


def test_seeded_choices() -> None:
    one, other = seeded(0), seeded(0)
    assert [one(8) for _ in range(5)] == [other(8) for _ in range(5)]
