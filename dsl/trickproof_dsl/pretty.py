"""Lines from a document of words and places where a line may end (after Oppen and Wadler).

A `Doc` is text, a `LINE` (a blank, or the end of a line) or a `Group`.  A group is printed on one line when it
fits, together with what follows it up to the next possible end of a line; otherwise every `LINE` that stands
directly in it ends a line, and the new one is indented by `STEP` more than the group's own line.

Promises: time linear in the document times the width; no recursion; lines end only at a `LINE`, so a word
longer than the width makes a long line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

STEP = 4


class _Line(Enum):
    LINE = " "


LINE = _Line.LINE


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that stay on one line, or break at every `LINE` among them."""

    parts: tuple[Doc, ...]


Doc = str | _Line | Group


def group(*parts: Doc) -> Group:
    """A group of the parts."""
    return Group(parts)


def joined(docs: Iterable[Doc]) -> tuple[Doc, ...]:
    """The docs with `,` and a `LINE` between them."""
    parts: list[Doc] = []
    for doc in docs:
        if parts:
            parts += [",", LINE]
        parts.append(doc)
    return tuple(parts)


_Task = tuple[int, bool, Doc]


def layout(doc: Doc, indent: int, width: int, deeper: int = 0) -> list[str]:
    """The lines of a doc whose first line starts at column `indent` (from 0).

    Lines hold at most `width` characters where they can; `deeper` is added to the indentation of every line
    but the first.
    """
    lines: list[str] = []
    line = " " * indent
    tasks: list[_Task] = [(indent + deeper, False, doc)]
    while tasks:
        margin, flat, part = tasks.pop()
        if isinstance(part, str):
            line += part
        elif isinstance(part, Group):
            flat = flat or _fits(width - len(line), part, tasks)
            step = STEP if not flat and LINE in part.parts else 0
            tasks += [(margin + step, flat, inner) for inner in reversed(part.parts)]
        elif flat:
            line += " "
        else:
            lines.append(line.rstrip())
            line = " " * margin
    return [*lines, line.rstrip()]


def _fits(room: int, first: Group, rest: list[_Task]) -> bool:
    """Whether the group on one line, and what follows up to the end of that line, need no more than `room`."""
    tasks: list[tuple[bool, Doc]] = [(True, first)]
    following = len(rest)
    while room >= 0:
        if not tasks:
            if following == 0:
                return True
            following -= 1
            tasks.append(rest[following][1:])
        flat, part = tasks.pop()
        if isinstance(part, Group):
            tasks += [(flat, inner) for inner in reversed(part.parts)]
        elif isinstance(part, str):
            room -= len(part)
        elif flat:
            room -= 1
        else:
            return True
    return False
