"""Lines, columns and regions of a text."""

import pytest

from trickproof_dsl.diagnostics.source import Source, Span


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ("", 0, (1, 1)),
        ("ab", 0, (1, 1)),
        ("ab", 2, (1, 3)),
        ("ab", 99, (1, 3)),
        ("ab", -5, (1, 1)),
        ("a\nb", 1, (1, 2)),
        ("a\nb", 2, (2, 1)),
        ("a\r\nb", 2, (1, 3)),
        ("a\r\nb", 3, (2, 1)),
        ("a\rb", 2, (2, 1)),
        ("a\n\rb", 3, (3, 1)),
        ("a\n", 2, (2, 1)),
        ("a\u2028b\u2029c\u0085d\x0be\x0cf", 10, (1, 11)),
        ("\U0001f0a1x", 1, (1, 2)),
    ],
)
def test_position(text: str, offset: int, place: tuple[int, int]) -> None:
    assert Source("f", text).position(offset) == place


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\nb\n", ["a", "b", ""]),
        ("a\r\nb\rc\n\nd", ["a", "b", "c", "", "d"]),
        ("a\u2028b\nc\u0085", ["a\u2028b", "c\u0085"]),
    ],
)
def test_line_text(text: str, lines: list[str]) -> None:
    source = Source("f", text)
    assert [source.line_text(number) for number in range(1, len(lines) + 1)] == lines


def test_line_outside_the_text_is_the_nearest() -> None:
    source = Source("f", "a\nb")
    assert source.line_text(0) == "a"
    assert source.line_text(9) == "b"


def test_span() -> None:
    source = Source("f", "one\ntwo three")
    two, three = Span(source, 4, 7), Span(source, 8, 13)
    assert (two.line, two.column, two.text) == (2, 1, "two")
    assert (three.line, three.column, three.text) == (2, 5, "three")
    assert two.to(three) == three.to(two) == Span(source, 4, 13)
    assert len({two, three, Span(Source("f", "one\ntwo three"), 4, 7)}) == 2
