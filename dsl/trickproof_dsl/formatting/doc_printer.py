"""A pretty printer: lays out a document of text and possible line breaks (after Oppen and Wadler).

A `Doc` is text, a `LINE` (a blank, or a line break), a `Group` or a `Fill`.  A group or fill is printed on
one line if it fits, together with what follows it up to the next possible break.  Otherwise every `LINE`
directly in a group breaks; the parts of a fill continue the line while they fit, but a part that follows a
multi-line one starts a new line.  New lines are indented by `step` more than the group's own line, or than
the group's start if it is aligned.

Promises: time linear in the document times the width; no recursion; lines break only at a `LINE` or between
the parts of a fill, so a word longer than the width makes an overlong line.
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
    step: int = STEP
    aligned: bool = False


@dataclass(frozen=True, slots=True)
class Fill:
    """Parts separated by spaces, as many on each line as fit."""

    parts: tuple[Doc, ...]


Doc = str | _Line | Group | Fill


def group(*parts: Doc) -> Group:
    """A group of the parts."""
    return Group(parts)


def fill(*docs: Doc) -> Fill:
    """A fill of the parts between the `LINE`s."""
    parts: list[list[Doc]] = [[]]
    for doc in docs:
        if doc is LINE:
            parts.append([])
        else:
            parts[-1].append(doc)
    return Fill(tuple(Group(tuple(part)) for part in parts))


def listed(docs: Iterable[Doc]) -> Fill:
    """A fill of the docs, separated by commas."""
    parts = list(docs)
    return Fill((*(group(part, ",") for part in parts[:-1]), *parts[-1:]))


@dataclass(frozen=True, slots=True)
class _Rest:
    """The parts of a fill from `number` on, preceded by a possible break.

    `begun` is the number of lines when the part before began.
    """

    parts: tuple[Doc, ...]
    number: int
    begun: int


_Task = tuple[int, bool, Doc | _Rest]


def layout(doc: Doc, indent: int, width: int, deeper: int = 0) -> list[str]:
    """The lines of a doc whose first line starts at column `indent` (from 0).

    Lines have at most `width` characters where possible; `deeper` is added to the indentation of every line
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
            if not flat:
                margin = len(line) if part.aligned else margin
                margin += part.step if LINE in part.parts else 0
            tasks += [(margin, flat, inner) for inner in reversed(part.parts)]
        elif isinstance(part, Fill):
            if flat or _fits(width - len(line), part, tasks):
                tasks += [(margin, True, inner) for inner in reversed(_flat(part.parts))]
            else:
                tasks.append((margin + STEP, False, _Rest(part.parts, 1, len(lines))))
                tasks.append((margin + STEP, False, part.parts[0]))
        elif isinstance(part, _Rest):
            if part.number == len(part.parts):
                continue
            begun, first = len(lines), part.parts[part.number]
            rest: _Task = margin, False, _Rest(part.parts, part.number + 1, begun)
            # The last part must fit together with what follows; after any other part the line may break.
            following = tasks if part.number + 1 == len(part.parts) else [rest]
            if begun == part.begun and _fits(width - len(line) - 1, first, following):
                line += " "
            else:
                lines.append(line.rstrip())
                line = " " * margin
                rest = margin, False, _Rest(part.parts, part.number + 1, len(lines))
            tasks += [rest, (margin, False, first)]
        elif flat:
            line += " "
        else:
            lines.append(line.rstrip())
            line = " " * margin
    return [*lines, line.rstrip()]


def _flat(parts: tuple[Doc, ...]) -> list[Doc]:
    """The parts of a fill, separated by spaces."""
    return [doc for part in parts for doc in (" ", part)][1:]


def _fits(room: int, first: Doc, rest: list[_Task]) -> bool:
    """Whether the doc on one line, and what follows up to the end of that line, fit into `room`."""
    tasks: list[tuple[bool, Doc | _Rest]] = [(True, first)]
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
        elif isinstance(part, Fill) and flat:
            tasks += [(True, inner) for inner in reversed(_flat(part.parts))]
        elif isinstance(part, Fill):
            tasks += [(False, _Rest(part.parts, 1, 0)), (False, part.parts[0])]
        elif isinstance(part, _Rest):
            if part.number < len(part.parts):
                return True
        elif isinstance(part, str):
            room -= len(part)
        elif flat:
            room -= 1
        else:
            return True
    return False
