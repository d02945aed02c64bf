"""Places in rulesets and what stands there."""

from __future__ import annotations

from trickproof.support.locations import on_one_line
from trickproof_dsl.diagnostics.source import Source, Span


def test_brackets_around_the_last_part_are_quoted_with_it() -> None:
    source = Source("a.yaml", "x or (some player\n    has (y))")
    assert on_one_line(Span(source, 0, len(source.text) - 2)) == "x or (some player has (y))"
    assert on_one_line(Span(source, 0, 1)) == "x"
