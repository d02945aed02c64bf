"""Coverage goals: one case of one part of a rule, or of what happens at the table."""

from __future__ import annotations

from dataclasses import dataclass, field

from trickproof.support.locations import at, at_line
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import in_prelude

LONGEST = 60
"""Maximum number of characters of rule text in a goal's description."""

STANDARD = "standard rule"
"""In place of a location, for rules that the user has no file of."""

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
        where = STANDARD if in_prelude(self.span) else at_line(self.span)
        return f"{self._subject(self.span)} {self.case} ({where})"

    @property
    def subject(self) -> str:
        """What the goal is about as a message, with its location first."""
        if self.span is None:
            return self.part
        if in_prelude(self.span) and self.part == RULE:
            return f"{STANDARD} `{self.rule}`"
        return f"{STANDARD if in_prelude(self.span) else at(self.span)}: {self._subject(self.span)}"

    def _subject(self, span: Span) -> str:
        if self.part == RULE:
            return f"rule `{self.rule}`"
        rule = f"{self.rule}: " if self.rule else ""
        return f"{rule}`{_brief(span.text)}`"


def _brief(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"
