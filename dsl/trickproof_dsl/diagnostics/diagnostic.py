"""Errors in the user's text as data, and their rendering.

What it is: a `Diagnostic` is a kind of error (an entry of the catalogue), the place, the data for the
message, and notes with places of their own.  Make one with `catalogue.error`.

How it prints: `message` and `suggestion` fill the templates of the kind; `render` formats many with their
source lines, in a fixed order, without colour and with the same bytes on every machine; `as_json` gives the
fields.

Promises: a template whose data is missing never raises.  A help text whose data is missing or None is
omitted, so that callers can pass an absent "did you mean" unconditionally.  Characters that would break a
line or a terminal are escaped.  Out of scope: deciding what is an error.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from string import Formatter

from trickproof_dsl.diagnostics.source import Span

LONGEST_LINE = 100
"""Maximum number of characters shown of a source line; longer lines are clipped around the span."""

MARGIN = 14
"""Columns beside a source line: its number, `|`, and the ellipses where it is clipped."""

LONGEST_VALUE = 120
"""Maximum length of a piece of the user's text that a message repeats."""

LONGEST_HELP = 300
"""Maximum length of a help text, which may repeat a line of the user's."""

_TAB = 4
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """An entry of the catalogue: what every error with this code has in common.

    `template` and `help` name the data in braces; `explanation`, `example` (a text with the mistake) and `right` (the
    same without it) are for `explain`.  Errors with the same message in one file have `one_cause` if one declaration can
    mend all of them.
    """

    code: str
    name: str
    template: str
    explanation: str
    _: KW_ONLY
    help: str | None = None
    example: str = ""
    right: str = ""
    one_cause: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error in the user's text; `span` is None only when there is no text to point into."""

    kind: ErrorKind
    span: Span | None
    data: Mapping[str, object]
    notes: tuple[tuple[str, Span], ...] = ()

    @property
    def code(self) -> str:
        """The code of the kind, as `E101`."""
        return self.kind.code

    @property
    def message(self) -> str:
        """One line: lower case, no final period, the user's text in backticks."""
        return _Fill(self.data).vformat(self.kind.template, (), {})

    @property
    def suggestion(self) -> str | None:
        """The help text, if the kind has one and all its data is known."""
        if self.kind.help is None:
            return None
        fill = _Fill(self.data)
        text = fill.vformat(self.kind.help, (), {})
        return None if fill.missing else text

    @property
    def lines(self) -> str | None:
        """The lines of a file that the help speaks of, if it ends with "as in"."""
        lines = self.data.get("lines")
        return None if lines is None else str(lines)

    @property
    def advice(self) -> str | None:
        """The help text with its lines."""
        return self.suggestion if self.lines is None else f"{self.suggestion}\n{self.lines}"

    @property
    def file(self) -> str | None:
        """Name of the file that it concerns."""
        name = self.span.source.name if self.span else self.data.get("file")
        return None if name is None else escaped(str(name))


def render(diagnostics: Iterable[Diagnostic], width: int | None = None) -> str:
    """Format the diagnostics, sorted by file, offset and code, each once; no final line break.

    Source lines are clipped to fit into `width` columns; messages are one line each.
    """
    longest = LONGEST_LINE if width is None else min(LONGEST_LINE, width - MARGIN)
    distinct: dict[tuple[object, ...], list[Diagnostic]] = {}
    for diagnostic in sorted(diagnostics, key=_order):
        file, *place = _order(diagnostic)
        end = diagnostic.span.end if diagnostic.span else -1
        cause = (file, diagnostic.message) if diagnostic.kind.one_cause else (file, *place, end)
        distinct.setdefault(cause, []).append(diagnostic)
    return "\n\n".join("\n".join(_draw(same, longest)) for same in distinct.values())


def as_json(diagnostic: Diagnostic) -> dict[str, object]:
    """The fields of a diagnostic for `--json`; line and column are None if it has no place."""
    span = diagnostic.span
    return {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": diagnostic.file,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "help": diagnostic.advice,
    }


def escaped(text: str) -> str:
    """The text on one line, with invisible characters escaped, including blanks other than the plain space."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _order(diagnostic: Diagnostic) -> tuple[str, int, str, str]:
    start = diagnostic.span.start if diagnostic.span else -1
    return diagnostic.file or "", start, diagnostic.code, diagnostic.message


def _draw(same: list[Diagnostic], longest: int) -> Iterator[str]:
    """The first of those with one cause, the places of the others, and the help of the one that shows what to add."""
    diagnostic = same[0]
    helpful = next((one for one in same if one.lines is not None), diagnostic)
    yield f"error[{diagnostic.code}]: {diagnostic.message}"
    if diagnostic.span:
        yield from _snippet(diagnostic.span, longest)
    for text, span in diagnostic.notes:
        yield f"note: {escaped(text)}"
        yield from _snippet(span, longest)
    spans = [one.span for one in same if one.span]
    others = dict.fromkeys(f"{span.line}:{span.column}" for span in spans if span != diagnostic.span)
    if others:
        yield f"note: also at {', '.join(others)}"
    if helpful.suggestion:
        yield f"help: {helpful.suggestion}"
    if helpful.lines:
        yield from (f"    {line}" for line in helpful.lines.splitlines())


def _snippet(span: Span, longest: int) -> Iterator[str]:
    line, column = span.source.position(span.start)
    gutter = " " * len(str(line))
    text = span.source.line_text(line)
    rest = text[column - 1 :]
    length = min(
        span.end - span.start, len(rest.rstrip()) if span.end - span.start > len(rest) else len(rest)
    )
    shown, before, width = _window(text, column - 1, length, longest)
    yield f"{gutter}--> {escaped(span.source.name)}:{line}:{column}"
    yield f"{gutter} |"
    yield f"{line} | {shown}".rstrip()
    yield f"{gutter} | {' ' * before}{'^' * max(width, 1)}"


def _window(text: str, start: int, length: int, longest: int) -> tuple[str, int, int]:
    """The line as shown, the terminal columns before the underline, and those under it."""
    low, high = 0, len(text)
    if high > longest:
        low = max(0, min(start - longest // 3, high - longest))
        high = low + longest
    cells = ["..."] if low else []
    before = inside = 0
    for index in range(low, high):
        before += _width(cells) if index == start else 0
        cells.append(_cell(text[index], _width(cells) if text[index] == "\t" else 0))
        inside += _width(cells[-1:]) if start <= index < start + length else 0
    if start >= high:
        before = _width(cells)
    return "".join(cells) + ("..." if high < len(text) else ""), before, inside


def _cell(char: str, column: int) -> str:
    if char == "\t":
        return " " * (_TAB - column % _TAB)
    return char if _safe(char) else "\N{REPLACEMENT CHARACTER}"


def _width(cells: Iterable[str]) -> int:
    return sum(_columns(char) for cell in cells for char in cell)


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def _safe(char: str) -> bool:
    return unicodedata.category(char) not in _UNSAFE


def _shown(value: object, longest: int = LONGEST_VALUE) -> str:
    """A data value as a message shows it: several names become "`a`, `b` or `c`"."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | set | frozenset):
        names = [
            f"`{_shown(item)}`"
            for item in (sorted(value, key=str) if isinstance(value, set | frozenset) else value)
        ]
        return alternatives(names)
    text = escaped(str(value))
    return text if len(text) <= longest else text[: longest - 3] + "..."


def alternatives(names: Sequence[str]) -> str:
    """Several names as "a, b or c"."""
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


class _Fill(Formatter):
    """Fills a template with data, and records whether anything was missing."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self.data = data
        self.missing = False

    def get_field(self, field_name: str, args: object, kwargs: object) -> tuple[object, str]:
        value = self.data.get(field_name)
        self.missing = self.missing or value is None
        longest = LONGEST_HELP if field_name in ("help", "hint") else LONGEST_VALUE
        return "?" if value is None else _shown(value, longest), field_name
