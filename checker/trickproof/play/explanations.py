"""Explains a rule to the person who broke it: in plain English, with its citations and assumptions."""

from __future__ import annotations

from collections.abc import Iterator

from trickproof.english.aspects import describe
from trickproof.english.rules import Words, compact, sentence
from trickproof.reports.citations import statement_of
from trickproof.reports.text import Page
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset


class RuleExplanations:
    """The rules of one ruleset in words, under the readings of one match."""

    def __init__(self, ruleset: Ruleset, page: Page) -> None:
        self.ruleset, self.page, self._words = ruleset, page, Words(ruleset.whole)

    def names(self) -> list[str]:
        """Rules that can be explained, in the order of a deal."""
        return [name for name in self._words.course.rules if self._words.happens(name)]

    def find(self, text: str) -> str | None:
        """The rule of that name, or with that heading in the rule sheet, in lower case."""
        titles = {self._words.title(name).lower(): name for name in self.names()}
        name = text.replace(" ", "-")
        return name if name in titles.values() else titles.get(text)

    def explain(self, name: str, state: State) -> Iterator[str]:
        """A rule by name: its wording, citations and assumptions."""
        cell = describe(self.ruleset, name, self._words)
        texts = self._words.rule(name, opened=True)
        reading = state.readings.get(name, 0)
        cites, assumes = list(cell.cites), list(cell.assumes)
        if texts:
            text = compact(texts[min(reading, len(texts) - 1)].steps)
            if cell.readings:
                read = cell.readings[min(reading, len(cell.readings) - 1)]
                cites, assumes = [*cites, *read.cites], [*assumes, *read.assumes]
                text = f"{text} (reading {read.name})"
            yield from self.page.wrapped(f"rule {name}: {sentence(text)}", "  ", 6)
        else:
            yield from self.page.wrapped(f"rule {name}: {cell.gap or 'nothing is said'}", "  ", 6)
        for cite in dict.fromkeys(cites):
            yield from self.page.wrapped(f"{cite}: {statement_of(self.ruleset, cite)}", "    ", 8)
        for assumed in dict.fromkeys(assumes):
            yield from self.page.wrapped(f"assumed: {assumed}", "    ", 8)
        if not cites and not assumes:
            yield "    (of the standard vocabulary)"
