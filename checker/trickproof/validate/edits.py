"""A small change to a file that might fix it, and how such changes are made of spans."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from trickproof.support.serialise import HIDDEN
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import RuleDecl

NEAR = 3
"""Numbers are changed by at most this much, unless something says by how much."""

_ADDED = re.compile(r"[^ ] [+-] \Z")
NUMBER = re.compile(r"(?<![\w-])\d+(?![\w-])")
_COMMENT = re.compile(r"#[^\r\n]*")


@dataclass(frozen=True, slots=True)
class Repair:
    """A change in words, its location, and its edits: spans of the file with their replacements."""

    what: str
    where: Span
    old: str
    new: str
    edits: tuple[tuple[Span, str], ...] = field(metadata=HIDDEN)
    restores: tuple[str, ...] = field(default=(), metadata=HIDDEN)
    """The checks that fail without it."""
    tested: tuple[str, ...] = field(default=(), metadata=HIDDEN)
    """Those of them that are then only tested: no violation is found in random deals."""
    step: int = field(default=0, metadata=HIDDEN)
    """By how much it raises a number or a rank."""
    undoes: bool = field(default=False, metadata=HIDDEN)
    """Whether nothing of the house rule is left then."""
    guessed: bool = field(default=False, metadata=HIDDEN)
    """Whether another word or number is merely tried: that no deal at random shows the flaw any more says nothing then."""

    def goes_beyond(self, other: Repair) -> bool:
        """Whether it changes the same numbers in the same direction, but further."""
        places = [[span for span, _ in repair.edits] for repair in (self, other)]
        return places[0] == places[1] and self.step * other.step > 0 and abs(self.step) > abs(other.step)

    @property
    def repaired(self) -> str:
        """The whole file with the change applied."""
        text = self.where.source.text
        for span, new in sorted(self.in_file, key=lambda edit: -edit[0].start):
            text = text[: span.start] + new + text[span.end :]
        return text

    @property
    def in_file(self) -> list[tuple[Span, str]]:
        """The edits, with lines broken as in the file."""
        line_break = "\r\n" if "\r\n" in self.where.source.text else "\n"
        return [(span, new.replace("\n", line_break)) for span, new in self.edits]


def replaced(where: Span, new: str, what: str = "", step: int = 0) -> Repair:
    """A text in the place of another; `what` says so in other words than "replace … with …"."""
    old = where.text
    return Repair(what or f"replace `{old}` with `{new}`", where, old, new, ((where, new),), step=step)


def uncommented(text: Span) -> str:
    """A text with blanks in the place of its comments."""
    return _COMMENT.sub(lambda comment: " " * len(comment[0]), text.text)


def stripped(text: Span) -> Span:
    """A text without its indentation and its last line break."""
    bare = text.text.strip()
    start = text.start + text.text.index(bare)
    return Span(text.source, start, start + len(bare))


def appended(rule: RuleDecl, new: str, what: str) -> Repair:
    """Further rules inserted after one of the file's, indented as it is at both levels of YAML."""
    lines = whole_lines(rule.span)
    margin = " " * (rule.name.span.source.position(rule.name.span.start)[1] - 1)
    new = re.sub("(?m)^(?:  ){1,2}", lambda x: margin * (len(x[0]) // 2), textwrap.dedent(new))
    new = textwrap.indent(new, margin)
    end = Span(lines.source, lines.end, lines.end)
    return Repair(what, rule.span, "", new, ((end, new if lines.text.endswith("\n") else f"\n{new}"),))


def whole_lines(span: Span) -> Span:
    """The lines that a span is in, with their line breaks."""
    source = span.source
    start = source.line_bounds(span.line)[0]
    last = source.position(max(span.end - 1, span.start))[0]
    end = source.line_bounds(last)[1]
    line_break = 2 if source.text.startswith("\r\n", end) else 1
    return Span(source, start, min(end + line_break, len(source.text)))


def nearby(found: re.Match[str], steps: Iterable[int] = range(1, NEAR + 1)) -> Iterator[int]:
    """Numbers some steps from one in a text; a number of cards, or one that is added to another, stays positive."""
    text, number = found.string, int(found[0])
    least = int(text.startswith(" card", found.end()) or bool(_ADDED.search(text[: found.start()])))
    for step in steps:
        yield from (new for new in (number - step, number + step) if new >= least)


def margin_of(line: str) -> int:
    """The number of characters by which a line is indented."""
    return len(line) - len(line.lstrip())
