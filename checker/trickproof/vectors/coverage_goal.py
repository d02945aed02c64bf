"""Coverage goals: one case of one part of a rule, or of what happens at the table."""

from __future__ import annotations

from dataclasses import dataclass, field

from trickproof.support.locations import at, at_line
from trickproof_dsl.diagnostics.source import Span

LONGEST = 60
"""Maximum number of characters of rule text in a goal's description."""

RULE = "rule"
"""The part for a whole rule, at its call."""


@dataclass(frozen=True, slots=True)
class Goal:
    """`case` is in words; `part` distinguishes goals with the same span; no span means the table.

    Copies of the same text, which inlined rule calls produce, are one goal.
    """

    part: str
    case: str
    span: Span | None
    rule: str = field(default="", compare=False)

    @property
    def described(self) -> str:
        """The goal on one line: the rule, its text, the case, and the line in the file."""
        if self.span is None:
            return f"{self.part}: {self.case}"
        return f"{self._what(self.span)} ({at_line(self.span)})"

    @property
    def placed(self) -> str:
        """The goal as a message, with its location first."""
        if self.span is None:
            return f"{self.part}: {self.case}"
        return f"{at(self.span)}: {self._what(self.span)}"

    def _what(self, span: Span) -> str:
        if self.part == RULE:
            return f"rule `{self.rule}` {self.case}"
        rule = f"{self.rule}: " if self.rule else ""
        return f"{rule}`{_brief(span.text)}` {self.case}"


def _brief(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"
