"""Trivia that a formatter must preserve besides the tree: comments and blank lines.

What it is: a `Trivia` is created from the source and the places of its comments, and consumed from top to
bottom while the tree is printed.  All places are offsets into the source.

Promises: every comment is returned exactly once, in order, if `rest` is called at the end.  Consecutive blank
lines become one empty line before what follows them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from trickproof_dsl.diagnostics.source import Source, Span

_CODE = re.compile(r"\S")
_OPENERS = " \t-?"


@dataclass(frozen=True, slots=True)
class Comment:
    """From `#` to the end of the line; `alone` if nothing else is on its line."""

    start: int
    text: str
    alone: bool
    column: int


class Trivia:
    """The comments of a region that have not been printed yet."""

    def __init__(self, region: Span, comments: Iterable[Span]) -> None:
        self._source: Source = region.source
        self._start, self._end = region.start, region.end
        self._waiting: deque[Comment] = deque()
        pieces: list[str] = []
        done = region.start
        for span in comments:
            self._waiting.append(self._comment(span))
            pieces += [self._source.text[done : span.start], " " * (span.end - span.start)]
            done = span.end
        self._starts = [comment.start for comment in self._waiting]
        self._code = "".join(pieces) + self._source.text[done : region.end]

    def _comment(self, span: Span) -> Comment:
        line, column = self._source.position(span.start)
        before = self._source.text[max(self._source.line_bounds(line)[0], self._start) : span.start]
        return Comment(span.start, span.text.rstrip(" \t"), not before.strip(), column)

    def around(self, start: int, end: int, limit: int | None = None) -> tuple[list[str], str]:
        """The lines to print above the item from `start` to `end`, and the comment to print beside its end.

        The comment beside it is one on the line of `end` (before `limit`), or else the last one within that
        shared its line with text; all other pending comments go above.
        """
        taken = self._take(end)
        beside = ""
        if self._waiting and self._is_beside(end, limit):
            beside = self._waiting.popleft().text
        elif taken and taken[-1].start > start and not taken[-1].alone:
            beside = taken.pop().text
        leading = [comment for comment in taken if comment.start < start]
        moved = [comment.text for comment in taken if comment.start >= start]
        return [*self._lines(leading), *self._blank(start), *moved], beside

    def above(self, start: int) -> list[str]:
        """The lines to print above the item that starts at `start`."""
        return [*self._lines(self._take(start)), *self._blank(start)]

    def below(self, end: int, column: int) -> list[str]:
        """The lines after the last part of a block, which ends at `end` and whose parts start at `column`."""
        limit = self.next_code(end)
        taken: list[Comment] = []
        while self._waiting and self._waiting[0].start < limit and self._waiting[0].column >= column:
            taken.append(self._waiting.popleft())
        return self._lines(taken)

    def rest(self, limit: int | None = None) -> list[str]:
        """The lines for all remaining comments (before `limit`)."""
        return self._lines(self._take(self._end if limit is None else limit))

    def any_within(self, start: int, end: int) -> bool:
        """Whether there is a comment from `start` to `end`, printed or not."""
        return bisect_left(self._starts, start) < bisect_left(self._starts, end)

    def next_code(self, start: int) -> int:
        """The start of the first text from `start` on that is not a comment, or the end if there is none."""
        match = _CODE.search(self._code, start - self._start)
        return self._start + match.start() if match else self._end

    def last_code(self, text: str, end: int) -> int:
        """The last position of `text` before `end`, outside comments.

        Raises ValueError if there is none, which is a bug in the caller.
        """
        return self._start + self._code.rindex(text, 0, end - self._start)

    def _take(self, end: int) -> list[Comment]:
        taken: list[Comment] = []
        while self._waiting and self._waiting[0].start < end:
            taken.append(self._waiting.popleft())
        return taken

    def _is_beside(self, end: int, limit: int | None) -> bool:
        start = self._waiting[0].start
        if limit is not None and start >= limit:
            return False
        return self._source.position(start)[0] == self._source.position(end)[0]

    def _lines(self, comments: list[Comment]) -> list[str]:
        return [line for comment in comments for line in (*self._blank(comment.start), comment.text)]

    def _blank(self, start: int) -> list[str]:
        line = self._source.position(start)[0]
        begin = max(self._source.line_bounds(line)[0], self._start)
        if line == 1 or begin == self._start or self._source.text[begin:start].strip(_OPENERS):
            return []
        return [] if self._source.line_text(line - 1).strip() else [""]
