"""The codes with which a hand is left."""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl.source import Span

ENDED = 1
"""The match is over."""

TOO_WIDE = 2
"""A set of numbers that does not fit a word: nothing the rules can be blamed for."""

FIRST = 3
"""Codes from here on are breakdowns of the rules."""


@dataclass(frozen=True)
class Breakdown:
    """A way in which the rules break down: one of the kinds of `trickproof_dsl.faults`, and where."""

    kind: str
    span: Span
    label: str = ""


class Breakdowns:
    """Breakdowns by code."""

    def __init__(self) -> None:
        self.known: list[Breakdown] = []
        self.codes: dict[tuple[str, Span, str], int] = {}

    def code(self, kind: str, span: Span, label: str = "") -> int:
        key = (kind, span, label)
        if key not in self.codes:
            self.codes[key] = FIRST + len(self.known)
            self.known.append(Breakdown(kind, span, label))
        return self.codes[key]

    def of(self, code: int) -> Breakdown:
        return self.known[code - FIRST]
