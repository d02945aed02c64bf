"""From a file to a tree of text: the content of the YAML, with exact places and without type guessing.

How it is made: `read_source` turns a file into a `Source`; `load_tree` reads the event stream of PyYAML with
limits on depth and size and builds nodes from it.  Every scalar remains text; the decoder, which knows the
type of each field, calls `as_integer`, `as_boolean`, `is_null` or `rule_text`, which follow YAML 1.2: `no`,
`12:30` and `010` are text.

Promises: every node has its exact region, without the blank lines and comments that follow it; keys are
unique scalars; nothing here crashes or takes long, whatever the bytes.  Anchors, aliases, tags, merge keys,
duplicate keys and non-scalar keys are reported and left out of the tree (an alias remains as its text; of two
equal keys the first remains).  After a syntax error or an exceeded limit there is no tree.

Out of scope: which fields exist and what they mean.
"""

import itertools
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import yaml

from trickproof_dsl.diagnostics.catalogue import error, yaml_words
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.files.regular_file import TooLargeError, read_regular
from trickproof_dsl.plain_mode import plain_mode

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 40
MAX_EVENTS = 30_000
MAX_ERRORS = 100

_READ_OTHERWISE = re.compile(r"\t|[|>][-+0-9]*#")
"""Constructs that the C loader accepts and the Python one rejects: tabs between words, a comment directly
after a block indicator.
"""

MORE = "E019"
"""The error that stands for all further ones."""

LIMITS = ("E006", "E007")
"""Errors for files that are too large; all loaders count events alike."""

_LOADER = yaml.SafeLoader
_FAST_LOADER = None if plain_mode() else getattr(yaml, "CSafeLoader", None)
_LONG_ESCAPE = re.compile(r"\\U([0-9A-Fa-f]{8})")
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_WORD = re.compile(r"[^\s,\[\]{}]*")

# Characters that YAML does not allow, a byte order mark inside the text, and the stand-ins below.
_NOT_TEXT = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
# Control characters and surrogates, which an escape in double quotes can produce.
_NEVER_TEXT = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
# PyYAML breaks lines at these, YAML 1.2 does not: PyYAML is given noncharacters of the same length.
_STAND_INS = {0x85: 0xFDD0, 0x2028: 0xFDD1, 0x2029: 0xFDD2}
_ORIGINALS = {stand_in: original for original, stand_in in _STAND_INS.items()}


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text; `style` is `|`, `>`, `'`, `"` or empty for plain.

    `body` is the region of the source that can be parsed in place as rule text: whole lines, indentation
    included, for a `|` block; the inside of a scalar on one line. None when YAML changed the text.
    """

    value: str
    style: str
    span: Span = field(compare=False, repr=False)
    body: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list; `flow` when written in brackets."""

    items: "tuple[Node, ...]"
    flow: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Fields in file order; `flow` when written in braces."""

    entries: "tuple[Entry, ...]"
    flow: bool
    span: Span = field(compare=False, repr=False)

    def get(self, name: str) -> "Node | None":
        """The value of a field, or None if it is absent."""
        return next((entry.value for entry in self.entries if entry.key.value == name), None)


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value."""

    key: Scalar
    value: "Node"
    span: Span = field(compare=False, repr=False)


Node = Scalar | Sequence | Mapping


def read_source(path: str | os.PathLike[str], name: str | None = None) -> Source | Diagnostic:
    """The text of a file, named `name` or else by the path as given."""
    name = os.fspath(path) if name is None else name
    try:
        data = read_regular(path, MAX_BYTES)
    except (FileNotFoundError, ValueError):
        return error("E001", None, file=name)
    except TooLargeError:
        return error("E005", None, file=name, limit=MAX_BYTES)
    except OSError as problem:
        return error("E002", None, file=name, reason=(problem.strerror or "no access").lower())
    return _decode(data, name)


def source_of(stream: BinaryIO, name: str) -> Source | Diagnostic:
    """The text of a stream, under a name."""
    data = stream.read(MAX_BYTES + 1)
    return error("E005", None, file=name, limit=MAX_BYTES) if len(data) > MAX_BYTES else _decode(data, name)


def load_tree(source: Source) -> tuple[Mapping | None, list[Diagnostic]]:
    """The mapping at the top of a source, and the errors in its YAML."""
    if unfit := _not_text(source):
        return None, [unfit]
    events, fatal = _read_events(source)
    if fatal:
        return None, [fatal]
    builder = _Builder(source, events)
    return builder.document(), builder.diagnostics


def first_errors(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The first 100 errors by place, and a note of how many more there are."""
    ordered = sorted(diagnostics, key=lambda one: one.span.start if one.span else -1)
    rest = ordered[MAX_ERRORS:]
    if not rest:
        return ordered
    count = sum(int(str(one.data["count"])) if one.code == MORE else 1 for one in rest)
    return [*ordered[:MAX_ERRORS], error(MORE, rest[0].span, count=count)]


def is_null(node: Node) -> bool:
    """Whether the value is empty or `null`."""
    return isinstance(node, Scalar) and not node.style and node.value in {"", "~", "null", "Null", "NULL"}


def as_integer(node: Node) -> int | None:
    """A plain decimal integer of at most 18 digits without leading zeros, or None."""
    if isinstance(node, Scalar) and not node.style and _INTEGER.fullmatch(node.value):
        return int(node.value)
    return None


def as_boolean(node: Node) -> bool | None:
    """A plain `true` or `false`, or None."""
    if isinstance(node, Scalar) and not node.style and node.value in {"true", "false"}:
        return node.value == "true"
    return None


def rule_text(scalar: Scalar) -> Span | Diagnostic:
    """The region in which the rule text of a scalar is parsed, or the error in its style."""
    if scalar.body is not None:
        return scalar.body
    if scalar.style in {"|", ">"}:
        return error("E106", scalar.span, found=f"a `{scalar.style}` block")
    several = "\n" in scalar.span.text or "\r" in scalar.span.text
    style = "text over several lines" if several else "quoted text with escapes"
    return error("E106", scalar.span, found=style)


def describe(node: Node) -> str:
    """A node as described in a message: "expected an integer, found text `x`"."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    if is_null(node):
        return "nothing"
    if as_integer(node) is not None:
        return f"integer `{node.value}`"
    if as_boolean(node) is not None:
        return f"truth value `{node.value}`"
    clipped = node.value if len(node.value) <= 60 else node.value[:57] + "..."
    return f"text `{clipped}`" if clipped else "empty text"


def _decode(data: bytes, name: str) -> Source | Diagnostic:
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        source = Source(name, data.decode("utf-8"))
    except UnicodeDecodeError as problem:
        offset = len(data[: problem.start].decode("utf-8"))
        text = data.decode("utf-8", "replace")
        return error(
            "E003", Span(Source(name, text), offset, offset + 1), byte=f"0x{data[problem.start]:02X}"
        )
    nul = source.text.find("\0")
    return source if nul < 0 else _not_text(source, nul) or source


def _not_text(source: Source, start: int = 0) -> Diagnostic | None:
    match = _NOT_TEXT.search(source.text, start)
    return match and error("E004", Span(source, *match.span()), character=f"U+{ord(match[0]):04X}")


def _read_events(source: Source) -> tuple[list[yaml.Event], Diagnostic | None]:
    """The events of the first document and, if there is one, the start of the second.

    Faults are those of the Python loader, since the C one words some differently and treats tabs differently.
    """
    if _FAST_LOADER is not None and not _READ_OTHERWISE.search(source.text):
        events, fatal = _events_of(source, _FAST_LOADER)
        if fatal is None or fatal.code in LIMITS:
            return events, fatal
    return _events_of(source, _LOADER)


def _events_of(source: Source, loader: Any) -> tuple[list[yaml.Event], Diagnostic | None]:
    events: list[yaml.Event] = []
    documents = depth = 0
    try:
        for event in yaml.parse(source.text.translate(_STAND_INS), Loader=loader):
            events.append(event)
            documents += isinstance(event, yaml.DocumentStartEvent)
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            here = _span(source, event)
            if depth > MAX_DEPTH:
                return events, error("E006", here, limit=MAX_DEPTH)
            if len(events) > MAX_EVENTS:
                return events, error("E007", here, limit=MAX_EVENTS)
            if documents > 1:
                break
    except yaml.MarkedYAMLError as problem:
        return events, _syntax_error(source, problem)
    except (OverflowError, ValueError):  # an escape that is not a code point
        found = next(x for x in _LONG_ESCAPE.finditer(source.text) if int(x[1], 16) > sys.maxunicode)
        return events, error("E004", Span(source, *found.span()), character=f"U+{found[1].upper()}")
    return events, None


class _Builder:
    """Builds the tree from events and collects errors in its structure."""

    def __init__(self, source: Source, events: list[yaml.Event]) -> None:
        self.source = source
        self.events: Iterator[yaml.Event] = iter(events)
        self.diagnostics: list[Diagnostic] = []

    def document(self) -> Mapping | None:
        next(self.events)
        if not isinstance(next(self.events), yaml.DocumentStartEvent):
            self.diagnostics.append(error("E016", Span(self.source, 0, 0)))
            return None
        top = self.node(next(self.events))
        next(self.events)
        after = next(self.events)
        if isinstance(after, yaml.DocumentStartEvent):
            self.diagnostics.append(error("E010", _span(self.source, after)))
        if isinstance(top, Mapping):
            return top
        if is_null(top):
            self.diagnostics.append(error("E016", top.span))
        else:
            self.diagnostics.append(error("E017", top.span, found=describe(top)))
        return None

    def node(self, event: yaml.Event) -> Node:
        if isinstance(event, yaml.AliasEvent):
            span = _span(self.source, event)
            self.diagnostics.append(error("E011", span, name=span.text))
            return Scalar(span.text, "", span)
        assert isinstance(event, yaml.NodeEvent)
        unfit = self.properties(event)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event, unfit)
        return self.mapping(event) if isinstance(event, yaml.MappingStartEvent) else self.sequence(event)

    def properties(self, event: yaml.NodeEvent) -> bool:
        """Report the anchor and the tag of a node; return whether there was one."""
        unfit = False
        for code, sign, value in (("E012", "&", event.anchor), ("E013", "!", getattr(event, "tag", None))):
            if value is not None:
                start = self.source.text.index(sign, _span(self.source, event).start)
                match = _WORD.match(self.source.text, start)
                assert match is not None
                self.diagnostics.append(error(code, Span(self.source, *match.span()), name=match[0]))
                unfit = True
        return unfit

    def scalar(self, event: yaml.ScalarEvent, unfit: bool) -> Scalar:
        value, style = event.value.translate(_ORIGINALS), event.style or ""
        span = _span(self.source, event)
        if style == '"' and (unfit_text := _NEVER_TEXT.search(value)):
            self.diagnostics.append(error("E004", span, character=f"U+{ord(unfit_text[0]):04X}"))
            value = _NEVER_TEXT.sub("\ufffd", value)
        if style in {"|", ">"}:
            span = Span(self.source, span.start, span.start + len(span.text.rstrip(" \t\r\n")))
        body = None if unfit else _body(span, value, style)
        return Scalar(value, style, span, body)

    def sequence(self, start: yaml.Event) -> Sequence:
        items: list[Node] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.node(event))
        flow = bool(getattr(start, "flow_style", False))
        return Sequence(
            tuple(items), flow, self.region(start, event, flow, items[-1].span if items else None)
        )

    def mapping(self, start: yaml.Event) -> Mapping:
        entries: dict[str, Entry] = {}
        last: Span | None = None
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key, value = self.node(event), self.node(next(self.events))
            last = key.span.to(value.span)
            if self.fit_key(key, entries) and isinstance(key, Scalar):
                entries[key.value] = Entry(key, value, last)
        flow = bool(getattr(start, "flow_style", False))
        return Mapping(tuple(entries.values()), flow, self.region(start, event, flow, last))

    def fit_key(self, key: Node, entries: dict[str, Entry]) -> bool:
        if not isinstance(key, Scalar):
            self.diagnostics.append(error("E018", key.span, found=describe(key)))
        elif key.value == "<<" and not key.style:
            self.diagnostics.append(error("E014", key.span))
        elif key.value in entries:
            first = entries[key.value].key.span
            self.diagnostics.append(
                error("E015", key.span, name=key.value, notes=[("first given here", first)])
            )
        else:
            return True
        return False

    def region(self, start: yaml.Event, end: yaml.Event, flow: bool, last: Span | None) -> Span:
        """The region of a collection; that of a block ends with its last child, before blanks and comments."""
        first, final = _span(self.source, start), _span(self.source, end)
        return first.to(final if flow or last is None else last)


def _span(source: Source, event: yaml.Event) -> Span:
    """The region of an event; only the index of a mark is reliable, not its line."""
    assert event.start_mark is not None
    assert event.end_mark is not None
    return Span(source, event.start_mark.index, event.end_mark.index)


def _body(span: Span, value: str, style: str) -> Span | None:
    inner = Span(span.source, span.start + len(style), span.end - len(style))
    if style == "|":
        return _block_body(span, value)
    return inner if style != ">" and inner.text == value else None


def _block_body(span: Span, value: str) -> Span:
    """The lines of a `|` block, from the first to the last that is not blank; empty for an empty block.

    Each line of the value is a line of the source, so the indentation need not be computed again.
    """
    lines = [number for number, line in enumerate(value.split("\n"), span.line + 1) if line.strip(" \t")]
    if not lines:
        return Span(span.source, span.end, span.end)
    return Span(span.source, span.source.line_bounds(lines[0])[0], span.source.line_bounds(lines[-1])[1])


_CONTEXTS = {"sequence": "list", "collection": "list", "mapping": "mapping", "scalar": "text"}


def _syntax_error(source: Source, problem: yaml.MarkedYAMLError) -> Diagnostic:
    mark = problem.problem_mark or problem.context_mark
    if "expected ':'" in (problem.problem or ""):
        mark = problem.context_mark or mark  # the start of the field rather than of the next line
    offset = min(mark.index if mark else 0, len(source.text.rstrip()))
    start = source.line_bounds(source.position(offset)[0])[0]
    indentation = source.text[start : offset + 1]
    if not indentation.strip() and "\t" in indentation:
        tab = start + indentation.index("\t")
        return error("E008", Span(source, tab, tab + 1))
    if source.text[offset : offset + 1] == "\t":
        return error("E008", Span(source, offset, offset + 1))
    said = problem.problem or ""
    if problem.context == "while parsing a block collection":
        said = said.replace("<block end>", "'-' indicator")
    words, advice = yaml_words(said, source.text[offset : offset + 1])
    if words.startswith("no mapping") and ":" not in source.text[start:offset]:
        before = source.text[:start].rstrip().rpartition("\n")[2].strip()
        bare = re.fullmatch(r"[\w-]+", before)
        advice = (
            f"write `{before}:` in the line above" if bare else "indent the field like the fields before it"
        )
    if words.startswith("expected `:`") and (field := _block_above(source.text[:start], indentation)):
        advice = f"indent the line further, like the text of `{field}` above it"
    if words == "expected `,` or `}`" and source.text[offset : offset + 1] == ":":
        advice = "close the `{` with `}`; quote any text that contains a colon"
    if os.path.splitext(source.name)[1].lower() not in ("", ".yaml", ".yml"):
        advice = "rulesets and documents are YAML files, whose names end in `.yaml`"
    notes = _context(source, problem, offset)
    span = Span(source, offset, min(offset + 1, len(source.text)))
    return error("E009", span, notes=notes, problem=words, advice=advice)


def _block_above(text: str, indentation: str) -> str | None:
    """The field, such as `rule: |`, whose block of text ends just before a line that is indented no further."""
    lines = [line for line in text.split("\n") if line.strip()]
    column = len(indentation) - len(indentation.lstrip(" ")) if indentation.strip() else len(indentation)
    inside = [*itertools.takewhile(lambda line: len(line) - len(line.lstrip()) > column, reversed(lines))]
    head = lines[-len(inside) - 1].strip() if 0 < len(inside) < len(lines) else ""
    return head if re.fullmatch(r"[\w-]+: \|", head) else None


def _context(source: Source, problem: yaml.MarkedYAMLError, offset: int) -> list[tuple[str, Span]]:
    """The note that gives the start of the list, mapping or text that contains the error."""
    mark, what = problem.context_mark, _CONTEXTS.get((problem.context or "").rpartition(" ")[2])
    if mark is None or what is None or mark.index >= offset:
        return []
    return [(f"in the {what} that starts here", Span(source, mark.index, mark.index + 1))]
