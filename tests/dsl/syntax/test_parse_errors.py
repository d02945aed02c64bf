"""What a message about syntax says was expected; that hints fit is asked in test_error_examples.py."""

from __future__ import annotations

import pytest

from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.syntax.parser import parse_rule


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (")", "a statement"),
        ("if a:\n    )", "a statement"),
        ("a becomes )", "a value"),
        ("a + )", "a value"),
        ("a gives )", "cards, as in `3 cards of hand`"),
    ],
)
def test_words_that_begin_something_go_by_its_name(text: str, expected: str) -> None:
    source = Source("rule", text)
    _, (wrong,) = parse_rule(source, Span(source, 0, len(text)))
    said = wrong.message.removeprefix("unexpected `)`: expected ")
    assert said == expected


@pytest.mark.parametrize("who", ["player", "the player"])
def test_one_player_with_the_least_is_not_several(who: str) -> None:
    source = Source("rule", f"{who} with the lowest over")
    _, (wrong,) = parse_rule(source, Span(source, 0, len(source.text)))
    assert str(wrong.data["help"]).endswith(
        "; for one player, `only player in (players with the lowest over)`, which fails if two of them tie"
    )
