"""Conditions in words: exact, short, of several cases where one does not do, and said in complete sentences."""

from __future__ import annotations

import pytest

from trickproof.diff.witnesses.condition_learning import of_tricks, shortest_condition
from trickproof.english.differences import difference_sentence
from trickproof.testing.match_search import divided

EVERY = list(divided(16, 3))


def learned(holds: list[bool]) -> str | None:
    return shortest_condition(
        [(of, dict(of_tricks(tricks, (), 0))) for of, tricks in zip(holds, EVERY, strict=True)]
    )


def test_a_seat_is_named() -> None:
    assert learned([tricks[0] >= 8 for tricks in EVERY]) == "the dealer takes at least 8 tricks"


def test_two_cases_are_two_conditions() -> None:
    either = learned([tricks[0] >= 10 or tricks[1] >= 12 for tricks in EVERY])
    assert either is not None
    assert set(either.split(", or when ")) == {
        "the dealer takes at least 10 tricks",
        "the player on the dealer's left takes at least 12 tricks",
    }


def test_what_no_short_condition_says_is_none() -> None:
    assert learned([sum(n * n for n in tricks) % 3 == 1 for tricks in EVERY]) is None


@pytest.mark.parametrize(
    ("how", "when", "sentence"),
    [
        ("who is asked", "two players were up", "The player to act differs when two players were up."),
        ("the match ends in a only", "in every deal", "The match ends under one only in every deal."),
        ("score differs; payout differs", None, "The score differs and the payout differs."),
        (
            "what comes next (discard against take kitty)",
            "in every deal",
            "The next action differs (one: discard; two: take kitty) in every deal.",
        ),
    ],
)
def test_sentences(how: str, when: str | None, sentence: str) -> None:
    assert difference_sentence(how, when, "one", "two") == sentence
