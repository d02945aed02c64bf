"""A ruleset or document file in canonical form: `trickproof fmt`.

Input: the YAML tree of a source, the syntax trees of its rules (every scalar under a key `rule`) and its
comments.  Rules are formatted by `rules.py`, in `|` blocks or, if they fit, on the line of their key;
everything else keeps its meaning, order and style: 2 blanks per level, scalars as in `scalars.py`, lists and
mappings in brackets while they fit in `WIDTH`.  A bracketed list of short scalars that does not fit continues
under its first item, as many items on each line as fit; other lists and mappings that do not fit become
blocks.

Promises: the new text has the same tree (for rules: the same syntax trees) and the same comments; canonical
text is unchanged.  Comments alone on a line stay before what they preceded, others beside it; one or more
blank lines become one.  A text that could not be read back the same is unchanged as well (a key longer than
YAML allows on one line, a rule that would exceed the limit).  A file with errors in its YAML or rules is not
formatted: there are only diagnostics.

Out of scope: whether the fields of the file are valid, which `files/decode_ruleset.py` checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trickproof_dsl.diagnostics.catalogue import error
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.files.yaml_tree import (
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    as_boolean,
    as_integer,
    is_null,
    load_tree,
    rule_text,
)
from trickproof_dsl.formatting.rules import format_rule, rule_comments
from trickproof_dsl.formatting.scalars import block_lines, inline_text, key_text, may_be_plain
from trickproof_dsl.formatting.trivia import Trivia
from trickproof_dsl.syntax.ast import RuleText
from trickproof_dsl.syntax.parse_errors import in_the_rule
from trickproof_dsl.syntax.parser import parse_rule

WIDTH = 100
RULE_KEY = "rule"
WITHOUT_RULES = ("known", "examples", "parameters")
"""Sections with arbitrary names, where a key `rule` has no special meaning."""
_STEP = 2
_NARROWEST_RULE = 40
_FEWEST_IN_LINE = 3
# In a gap between scalars every `#` starts a comment, except in a directive.
_GAP = re.compile(r"(?m)(?:^%[^\n\r]*?(?=\s#|[\n\r]|\Z))|(?P<comment>#[^\n\r]*)")
_BLOCK_HEADER = re.compile(r"[|>][-+0-9]*[ \t]+(?P<comment>#[^\n\r]*)")

_Rules = dict[int, tuple[RuleText, Span]]


def format_source(source: Source) -> tuple[str | None, list[Diagnostic]]:
    """The canonical text of a file, or None and its errors."""
    tree, diagnostics = load_tree(source)
    if tree is None or diagnostics:
        return None, diagnostics
    rules: _Rules = {}
    for section in tree.entries:
        if section.key.value not in WITHOUT_RULES:
            for entry in section.value.entries if isinstance(section.value, Mapping) else (section,):
                for scalar in _rule_scalars(entry):
                    diagnostics += _parse(scalar, rules, entry.key.value)
    if diagnostics:
        return None, diagnostics
    try:
        text = _Writer(source, tree, rules).text()
        return (text if same_meaning(source, Source(source.name, text)) else source.text), []
    except RecursionError:
        regions = (region for _, region in rules.values())
        return None, [error("E205", max(regions, key=lambda region: region.end - region.start))]


def same_meaning(left: Source, right: Source) -> bool:
    """Whether two files have equal trees, ignoring the layout of rules and the style of scalars."""
    trees = load_tree(left), load_tree(right)
    if any(tree is None or diagnostics for tree, diagnostics in trees):
        return False
    return _meaning(trees[0][0]) == _meaning(trees[1][0])


def _meaning(node: Node | None) -> object:
    """The content of a node, for comparison."""
    match node:
        case Mapping():
            return [(entry.key.value, _entry_meaning(entry)) for entry in node.entries]
        case Sequence():
            return [_meaning(item) for item in node.items]
        case Scalar():
            kinds = is_null(node), as_boolean(node), as_integer(node)
            return node.value, kinds
        case None:
            return None


def _entry_meaning(entry: Entry) -> object:
    rules: _Rules = {}
    if _is_rule(entry) and isinstance(entry.value, Scalar) and not _parse(entry.value, rules):
        ((tree, region),) = rules.values()
        return tree, [comment.text.rstrip(" \t") for comment in rule_comments(region)]
    return _meaning(entry.value)


def _is_rule(entry: Entry) -> bool:
    return entry.key.value == RULE_KEY and isinstance(entry.value, Scalar) and not is_null(entry.value)


def _rule_scalars(node: Node | Entry) -> Iterator[Scalar]:
    match node:
        case Sequence():
            for item in node.items:
                yield from _rule_scalars(item)
        case Mapping():
            for entry in node.entries:
                yield from _rule_scalars(entry)
        case Entry(value=Scalar() as value) if _is_rule(node):
            yield value
        case Entry():
            yield from _rule_scalars(node.value)


def _parse(scalar: Scalar, rules: _Rules, name: str = "") -> list[Diagnostic]:
    """The syntax errors of a rule's text, with the hint for that rule; if there are none, its tree is noted."""
    region = rule_text(scalar)
    if isinstance(region, Diagnostic):
        return [region]
    tree, diagnostics = parse_rule(region.source, region)
    if tree is not None:
        rules[scalar.span.start] = tree, region
    return [in_the_rule(diagnostic, name, region) for diagnostic in diagnostics]


# -------------------------------------------------------------------------------------------- comments


def _comments(source: Source, tree: Mapping) -> Iterator[Span]:
    """The comments of the YAML, in order, except those in rule text."""
    done = 0
    for scalar in _scalars(tree):
        yield from _gap_comments(source, done, scalar.span.start)
        if scalar.style in {"|", ">"} and (header := _BLOCK_HEADER.match(source.text, scalar.span.start)):
            yield Span(source, *header.span("comment"))
        done = scalar.span.end
    yield from _gap_comments(source, done, len(source.text))


def _gap_comments(source: Source, start: int, end: int) -> Iterator[Span]:
    for match in _GAP.finditer(source.text, start, end):
        if match["comment"]:
            yield Span(source, *match.span("comment"))


def _scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Sequence():
            for item in node.items:
                yield from _scalars(item)
        case Mapping():
            for entry in node.entries:
                yield entry.key
                yield from _scalars(entry.value)


# --------------------------------------------------------------------------------------------- writing


class _Writer:
    """Collects the lines of a file.

    `opener` is the text before a node on its own line: the dashes of the lists that start with it.
    """

    def __init__(self, source: Source, tree: Mapping, rules: _Rules) -> None:
        self._tree, self._rules = tree, rules
        self._trivia = Trivia(Span(source, 0, len(source.text)), _comments(source, tree))
        self._lines: list[str] = []
        self._opened = True

    def text(self) -> str:
        if (flow := self._one_line(self._tree)) and len(flow) <= WIDTH:
            self._line(flow, 0, self._tree.span)
        else:
            self._block(self._tree, 0, "", 0, None)
        self._put(self._trivia.rest(), 0)
        return "\n".join(self._lines) + "\n"

    def _put(self, lines: list[str], indent: int) -> None:
        for line in lines:
            if line or not self._opened:
                self._lines.append(" " * indent + line if line else "")
                self._opened = not line

    def _line(
        self, content: str, indent: int, span: Span, opener: str = "", limit: int | None = None
    ) -> None:
        """Add the line for the item at `span`, with its comments; continuation lines bring their indentation."""
        above, beside = self._trivia.around(span.start, span.end, limit)
        outer = indent - len(opener)
        self._put(above, outer)
        self._lines += f"{' ' * outer}{opener}{content}".rstrip(" ").split("\n")
        if beside:
            self._lines[-1] += f"  {beside}"
        self._opened = False

    def _block(
        self, node: Mapping | Sequence, indent: int, opener: str, outside: int, limit: int | None
    ) -> None:
        """Add a collection that is not written on one line.

        `outside` is the source column of the enclosing collection, `limit` the start of the next item.
        """
        parts = node.entries if isinstance(node, Mapping) else node.items
        column = 0 if node.flow else node.span.column
        limits = [*(part.span.start for part in parts[1:]), limit]
        for part, before in zip(parts, limits, strict=True):
            if isinstance(part, Entry):
                self._entry(part, indent, opener, column, before)
            else:
                self._item(part, indent, opener, column, before)
            opener = ""
        if node.flow:
            self._put(self._trivia.rest(node.span.end), indent)
        else:
            self._put(self._trivia.below(parts[-1].span.end, max(column, outside + 1)), indent)

    def _entry(self, entry: Entry, indent: int, opener: str, column: int, limit: int | None) -> None:
        key, value = key_text(entry.key), entry.value
        if isinstance(value, Scalar):
            lines = self._scalar_lines(value, indent + _STEP)
            self._line(f"{key}: {lines[0]}", indent, entry.span, opener, limit)
            self._put_block(lines[1:], indent + _STEP)
        elif flow := self._flow(value, indent + len(key) + 2):
            self._line(f"{key}: {flow}", indent, entry.span, opener, limit)
        else:
            first = value.entries[0] if isinstance(value, Mapping) else value.items[0]
            self._line(f"{key}:", indent, entry.key.span, opener, first.span.start)
            self._opened = True
            self._block(value, indent + _STEP, "", column, limit)

    def _item(self, item: Node, indent: int, opener: str, column: int, limit: int | None) -> None:
        opener, indent = f"{opener}- ", indent + _STEP
        if isinstance(item, Scalar):
            lines = self._scalar_lines(item, indent)
            self._line(lines[0], indent, item.span, opener, limit)
            self._put_block(lines[1:], indent)
        elif flow := self._flow(item, indent):
            self._line(flow, indent, item.span, opener, limit)
        else:
            self._put(self._trivia.above(item.span.start), indent - len(opener))
            self._block(item, indent, opener, column, limit)

    def _put_block(self, lines: list[str], indent: int) -> None:
        self._lines += [" " * indent + line if line else "" for line in lines]

    def _scalar_lines(self, scalar: Scalar, indent: int) -> list[str]:
        """The text after the key or dash, and the lines of the block that it opens, if any."""
        if scalar.span.start in self._rules and scalar.value:
            tree, region = self._rules[scalar.span.start]
            width = max(WIDTH - indent, _NARROWEST_RULE)
            lines = format_rule(tree, width, region).split("\n")
            short = len(lines) == 1 and len(lines[0]) <= width and may_be_plain(lines[0])
            return lines if short else ["|", *lines]
        return block_lines(scalar) or [inline_text(scalar)]

    def _flow(self, node: Node, column: int) -> str | None:
        """A list or mapping in brackets starting at `column`, if it fits; a list of scalars may take several lines."""
        flow = self._one_line(node)
        if flow is None or column + len(flow) <= WIDTH:
            return flow
        if not isinstance(node, Sequence) or not all(isinstance(item, Scalar) for item in node.items):
            return None
        shown = [self._one_line(item) or "" for item in node.items]
        room = WIDTH - column - len("[,")
        if max(map(len, shown)) > room // _FEWEST_IN_LINE:
            return None
        lines = shown[:1]
        for item in shown[1:]:
            if len(lines[-1]) + len(", ") + len(item) <= room:
                lines[-1] += f", {item}"
            else:
                lines.append(item)
        between = ",\n" + " " * (column + len("["))
        return f"[{between.join(lines)}]"

    def _one_line(self, node: Node) -> str | None:
        """A list or mapping in brackets, if it was written so and fits."""
        if isinstance(node, Scalar):
            return self._flow_scalar(node)
        parts = node.entries if isinstance(node, Mapping) else node.items
        if not parts:
            return "{}" if isinstance(node, Mapping) else "[]"
        if not node.flow or self._trivia.any_within(node.span.start, node.span.end):
            return None
        shown: list[str] = []
        for part in parts:
            value = self._one_line(part.value if isinstance(part, Entry) else part)
            if value is None:
                return None
            shown.append(f"{key_text(part.key, flow=True)}: {value}" if isinstance(part, Entry) else value)
        inside = ", ".join(shown)
        return f"{{{inside}}}" if isinstance(node, Mapping) else f"[{inside}]"

    def _flow_scalar(self, scalar: Scalar) -> str | None:
        if scalar.span.start in self._rules:
            return None
        return inline_text(scalar, flow=True) or None
