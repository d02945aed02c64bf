"""The output of `explain`: the manual of a check, or the meaning of a result's word or of a ruleset error."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Literal

from trickproof.checks import manuals
from trickproof.reports.result_words import WORDS
from trickproof.reports.text import Label, Page
from trickproof_dsl.diagnostics.catalogue import CATALOGUE
from trickproof_dsl.diagnostics.diagnostic import ErrorKind


@dataclass(frozen=True, slots=True)
class Explanation:
    """`says` is a single line, `text` paragraphs of prose; indented paragraphs and `example` are source."""

    name: str
    kind: Literal["check", "word", "error"]
    says: str
    text: str
    example: str | None = None

    def lines(self, page: Page) -> Iterator[str]:
        """The explanation as lines of a page."""
        yield from page.wrapped(f"{self.name}: {self.says}", hang=2)
        for paragraph in filter(None, re.split(r"\n[ ]*\n", self.text)):
            yield ""
            if paragraph.startswith("    "):
                for line in paragraph.splitlines():
                    yield from page.verbatim(line)
            else:
                yield from page.wrapped(" ".join(paragraph.split()))
        if self.example is not None:
            yield from ("", "for example", "")
            for line in self.example.splitlines():
                yield from page.verbatim(f"    {line}")


def check_explained(name: str) -> Explanation:
    """The manual of a check."""
    first, _, rest = inspect.cleandoc(manuals()[name]).partition("\n\n")
    return Explanation(name, "check", " ".join(first.split()).split(": ", 1)[1], rest)


def word_explained(name: str) -> Explanation:
    """A word of results, such as a verdict."""
    return Explanation(name, "word", f"{WORDS[name]}.", "")


def everything_explained(page: Page) -> Iterator[str]:
    """What can be explained: each check with its claim, the words of results, the range of error codes."""
    yield "Checks:"
    width = max(map(len, manuals()))
    for name in manuals():
        yield from page.labelled([Label(name, width)], check_explained(name).says.rstrip("."))
    yield from ("", *page.wrapped(f"Words: {', '.join(WORDS)}", hang=2))
    yield from ("", *page.wrapped(f"Codes of errors: {min(CATALOGUE)} to {max(CATALOGUE)}", hang=2))
    yield from page.command("Next, read one of them:", ["trickproof", "explain", next(iter(manuals()))])


def error_explained(kind: ErrorKind) -> Explanation:
    """An entry of the error catalogue."""
    message = re.sub(r"\{[a-z_]+\}", "…", kind.template)
    return Explanation(
        kind.code, "error", message, kind.explanation, dedent(kind.example).strip("\n") or None
    )
