"""A text given by the user, and places in it.

What it is: `Source` is one whole text (a file, without its byte order mark) and `Span` a half-open region of
it.  Offsets count code points of `Source.text`, from 0.

Promises: lines break at LF, CRLF and CR only.  U+0085, U+2028 and U+2029 are ordinary characters, as they are
for an editor and for YAML 1.2.  Lines and columns count from 1, columns in code points.  A place outside the
text is clamped to its nearest end; nothing here raises on user input.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

_LINE_BREAK = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Source:
    """A named text; `name` is the path as the user wrote it."""

    name: str
    text: str = field(repr=False)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a code-point offset."""
        offset = min(max(offset, 0), len(self.text))
        starts = _line_starts(self.text)
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line_bounds(self, line: int) -> tuple[int, int]:
        """Offsets of the start and end of a line (from 1), without its line break."""
        starts = _line_starts(self.text)
        line = min(max(line, 1), len(starts))
        start = starts[line - 1]
        end = starts[line] if line < len(starts) else len(self.text)
        if line < len(starts):
            end -= 2 if self.text.endswith("\r\n", start, end) else 1
        return start, end

    def line_text(self, line: int) -> str:
        """The text of a line (from 1) without its line break."""
        start, end = self.line_bounds(line)
        return self.text[start:end]


@dataclass(frozen=True, slots=True)
class Span:
    """The region `start <= offset < end` of a source; empty when both are equal."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        """The characters of the region."""
        return self.source.text[self.start : self.end]

    def to(self, other: "Span") -> "Span":
        """The smallest region that contains both."""
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))


def span_field() -> Span:
    """The last field of a node: its place in the source, which is not part of its meaning."""
    default: Span = field(compare=False, repr=False)
    return default


@lru_cache(maxsize=64)
def _line_starts(text: str) -> tuple[int, ...]:
    return (0, *(match.end() for match in _LINE_BREAK.finditer(text)))
