"""Tables of fields: what a mapping of the YAML tree may contain, for both the decoder and the JSON Schema.

What it is: a `Kind` is a kind of value, which decodes a node of the tree and knows its own JSON Schema.  Here
are the composite kinds: `Record` (a table of fields), `Named` (names chosen by the user), `Listing`,
`OneOrMany` and free data; the kinds of single scalars are in `scalar_spec.py`, the tables in
`ruleset_spec.py` and `decode_document.py`.

Promises: `read` appends all errors in a node to `diagnostics`, and returns None if the node cannot be used.
If nothing was reported, each value of a `Values` is of the kind of its field and every required one is
present.  Schema and reader accept the same files, except for what a schema cannot express (repeated names,
the style of rule text, values that are parsed word by word).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar, cast

from trickproof_dsl.diagnostics.catalogue import did_you_mean, error
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import Json, Word
from trickproof_dsl.files.yaml_tree import (
    MAX_ERRORS,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    as_boolean,
    as_integer,
    describe,
    is_null,
)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Diagnostics = list[Diagnostic]
Schema = dict[str, Any]


class Kind(Protocol[T_co]):
    """A kind of value; `expected` describes it in messages, such as "a list of citations"."""

    @property
    def expected(self) -> str: ...

    def read(self, node: Node, diagnostics: Diagnostics) -> T_co | None: ...

    def schema(self) -> Schema: ...


@dataclass(frozen=True, slots=True)
class Field(Generic[T_co]):
    """A row of a table; `about` is the description shown by editors."""

    name: str
    kind: Kind[T_co]
    about: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Values:
    """The fields of one mapping that could be read, and the places of their names."""

    given: dict[str, object]
    keys: dict[str, Span]
    span: Span

    def get(self, field: Field[T]) -> T | None:
        """The value of a field, or None if it is absent."""
        return cast("T | None", self.given.get(field.name))

    def need(self, field: Field[T]) -> T:
        """The value of a required field."""
        value = self.get(field)
        assert value is not None, field.name
        return value


_RULES = ("deal", "end", "follow", "kitty", "lead", "scoring", "targets", "trump", "winner")
"""Rules that players change, and may write as fields."""

_OF_RULES = ("assumes", "cites", "contradicts", "rule")
"""Fields of rules that players write beside them."""

_OTHER_WORDS = {
    "assumes": "agreed because comment note rationale reason why",
    "carried": "carry keep keeps persistent",
    "cites": "quote ref reference source sources",
    "deck": "cards pack",
    "document": "id name",
    "documents": "source sources",
    "extends": "base based based-on based_on from game of parent variant-of",
    "initial": "default init start starts value",
    "invariants": "claims",
    "number": "count",
    "of": "args arguments each for owner owners parameters params per takes",
    "parameters": "constants params settings",
    "players": "partners partnership partnerships sides teams",
    "rule": "body code definition do text then",
    "rules": "changes house-rules overrides",
    "ruleset": "id name",
    "seen-by": "seen visible visible-to",
    "state": "counters variable variables vars",
    "then": "expect expected result",
    "teams": "partners partnership partnerships sides",
    "title": "description",
    "type": "kind",
}
"""What users call fields."""

COMMA = (
    "in `{…}` a comma ends the text: put a text with commas in quotes, and a rule with commas in a `|` block"
)
"""For what YAML takes for a field because of the comma before it."""


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping with a table of fields.

    Exactly one of `one_of` must be present, at least one of `any_of` and of `some_of` (whose first is the
    usual one), and never both of a pair in `apart`.

    `advice` helps a user who wrote something other than a mapping.
    """

    expected: str
    fields: tuple[Field[Any], ...]
    one_of: tuple[str, ...] = ()
    some_of: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    advice: str | None = None

    def read(self, node: Node, diagnostics: Diagnostics) -> Values | None:
        if not isinstance(node, Mapping):
            diagnostics.append(unexpected(self.expected, node, self.advice))
            return None
        values = Values({}, {}, node.span)
        names = {
            entry.key.span: self._read_field(entry, values, diagnostics, node.flow) for entry in node.entries
        }
        place = next((span for span, name in names.items() if name is None), None)
        self._check(values, {*names.values(), *values.keys}, diagnostics, place)
        return values

    def _read_field(self, entry: Entry, values: Values, diagnostics: Diagnostics, flow: bool) -> str | None:
        """Read one field, within braces if `flow`; return the name of the field that was meant."""
        name = entry.key.value
        names = tuple(field.name for field in self.fields)
        if name not in names:
            called = (x for x in names if x not in values.keys and name in _OTHER_WORDS.get(x, "").split())
            meant = next(called, None) or (
                did_you_mean(name, names) if len(diagnostics) < MAX_ERRORS else None
            )
            outer = self._belongs_to(entry.value) if meant is None else None
            if "rules" in names and name in _RULES:
                outer = "rules"
            if outer is not None:
                diagnostics.append(error("E114", entry.key.span, name=name, field=outer))
                return outer
            meant = meant or next((x for x in names if len(name) > 4 and x.startswith(name[:-1])), None)
            help_ = f"did you mean `{meant}`?" if meant else COMMA if flow and " " in name else None
            if help_ is None and "rules" in names and name in _OF_RULES:
                help_ = f"`{name}` belongs to a rule: put it under the rule's name in `rules`"
            word, _, text = name.partition(" ")
            if flow and word in names:
                meant, help_ = word, f"write `{word}: {text}`"
            diagnostics.append(
                error("E101", entry.key.span, name=name, allowed=(meant,) if meant else names, help=help_)
            )
            return meant
        values.keys[name] = entry.key.span
        value = read_entry(entry, self.fields[names.index(name)].kind, diagnostics)
        if value is not None:
            values.given[name] = value
        return name

    def _belongs_to(self, node: Node) -> str | None:
        """The field with named entries whose entries match the names in this value."""
        names = {entry.key.value for entry in node.entries} if isinstance(node, Mapping) else set[str]()
        for row in self.fields if names else ():
            item = row.kind.item if isinstance(row.kind, Named) else None
            if isinstance(item, Record) and names <= {inner.name for inner in item.fields}:
                return row.name
        return None

    def _check(
        self, values: Values, names: set[str | None], diagnostics: Diagnostics, unknown: Span | None
    ) -> None:
        """Report missing and conflicting fields, at one that is `unknown` if there is any; misspelt ones count as present."""
        place = unknown or next(iter(values.keys.values()), values.span)
        for row in self.fields:
            excused = row.name in names or (row.name in self.some_of and names & {*self.some_of})
            if (row.required or row.name in self.some_of[:1]) and not excused:
                expected = [row.kind.expected]
                if row.name in self.some_of:
                    others = (other for other in self.fields if other.name in self.some_of[1:])
                    expected += [f"`{other.name}:` with {other.kind.expected}" for other in others]
                diagnostics.append(error("E102", place, name=row.name, expected=", or ".join(expected)))
        for group in (self.one_of, self.any_of):
            if group and not names & {*group}:
                diagnostics.append(error("E110", place, allowed=group))
        for one, other in (*_pairs(self.one_of), *self.apart):
            if one in values.keys and other in values.keys:
                first, second = sorted((one, other), key=lambda name: values.keys[name].start)
                notes = [(f"`{first}` is here", values.keys[first])]
                diagnostics.append(error("E109", values.keys[second], notes=notes, name=second, other=first))

    def schema(self) -> Schema:
        schema: Schema = {
            "type": "object",
            "additionalProperties": False,
            "required": [field.name for field in self.fields if field.required],
            "properties": {row.name: described(row.kind.schema(), row.about) for row in self.fields},
        }
        if self.one_of:
            schema["oneOf"] = [{"required": [name]} for name in self.one_of]
        if self.some_of or self.any_of:
            schema["anyOf"] = [{"required": [name]} for name in self.some_of or self.any_of]
        if self.apart:
            schema["allOf"] = [{"not": {"required": list(pair)}} for pair in self.apart]
        return schema


@dataclass(frozen=True, slots=True)
class NamedItem(Generic[T]):
    """An entry of a `Named` mapping."""

    name: Word
    value: T
    span: Span


@dataclass(frozen=True, slots=True)
class Named(Generic[T]):
    """A mapping whose names are chosen by the user, each with a value of the same kind."""

    expected: str
    key: Kind[Word]
    item: Kind[T]
    example: str | None = None

    def read(self, node: Node, diagnostics: Diagnostics) -> tuple[NamedItem[T], ...] | None:
        if not isinstance(node, Mapping):
            advice = (
                f"write names, each on a line of its own with its fields under it, such as `{self.example}:`"
                if self.example
                else f"write `{{{node.span.text.strip('[]')}: …}}`, with {self.item.expected} for each"
                if not isinstance(self.item, Record) and not is_null(node)
                else None
            )
            diagnostics.append(unexpected(self.expected, node, advice))
            return None
        items: list[NamedItem[T]] = []
        fields = {field.name for field in self.item.fields} if isinstance(self.item, Record) else set[str]()
        for entry in node.entries:
            if entry.key.value in fields and not isinstance(entry.value, Mapping):
                example = f", such as `{self.example}:`" if self.example else ""
                advice = f"indent `{entry.key.value}:` under the name that it belongs to{example}"
                diagnostics.append(unexpected(self.item.expected, entry.value, advice))
                continue
            if advice := self._in_braces(entry):
                diagnostics.append(unexpected(self.item.expected, entry.value, advice))
                continue
            if node.flow and " " in entry.key.value and is_null(entry.value):
                diagnostics.append(error("E104", entry.key.span, name=entry.key.value, advice=COMMA))
                continue
            name = self.key.read(entry.key, diagnostics)
            value = read_entry(entry, self.item, diagnostics)
            if name is not None and value is not None:
                items.append(NamedItem(name, value, entry.span))
        return tuple(items)

    def _in_braces(self, entry: Entry) -> str | None:
        """How to write a text in place of fields, if the entries have no advice and need just one field."""
        if not isinstance(self.item, Record) or self.item.advice or not isinstance(entry.value, Scalar):
            return None
        needed = [field for field in self.item.fields if field.required]
        if len(needed) != 1 or is_null(entry.value):
            return None
        text, number = entry.value.span.text, as_integer(entry.value) is not None
        if needed[0].name == "type" and (number or text.casefold() in ("yes", "no", "true", "false")):
            text = "integer" if number else "boolean"
        elif needed[0].kind.read(entry.value, []) is None:
            return None
        return f"write `{entry.key.value}: {{{needed[0].name}: {text}}}`"

    def schema(self) -> Schema:
        return {
            "type": "object",
            "propertyNames": self.key.schema(),
            "additionalProperties": self.item.schema(),
        }


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """A list; items with equal `name_of` must not be repeated."""

    expected: str
    item: Kind[T]
    at_least: int = 0
    name_of: Callable[[T], Word | None] | None = field(default=None, compare=False)

    def read(self, node: Node, diagnostics: Diagnostics) -> tuple[T, ...] | None:
        if not isinstance(node, Sequence):
            alone: Diagnostics = []
            brackets = isinstance(node, Scalar) and not node.style and not is_null(node)
            if brackets:
                self.item.read(node, alone)
            advice = f"write it in brackets: `[{node.span.text}]`" if brackets and not alone else None
            diagnostics.append(unexpected(self.expected, node, advice))
            return None
        if len(node.items) < self.at_least:
            expected = f"at least {self.at_least} in the list"
            diagnostics.append(error("E107", node.span, value=len(node.items), expected=expected))
        items = _read_items(node, self.item, diagnostics)
        if self.name_of:
            report_repeats(map(self.name_of, items), diagnostics)
        return items

    def schema(self) -> Schema:
        schema: Schema = {"type": "array", "items": self.item.schema(), "minItems": self.at_least}
        return schema | ({"uniqueItems": True} if self.name_of else {})


@dataclass(frozen=True, slots=True)
class OneOrMany(Generic[T]):
    """One value, or a list of them."""

    expected: str
    item: Kind[T]

    def read(self, node: Node, diagnostics: Diagnostics) -> tuple[T, ...] | None:
        if isinstance(node, Sequence) and node.items:
            return _read_items(node, self.item, diagnostics)
        if isinstance(node, Mapping if isinstance(self.item, Record) else Scalar):
            value = self.item.read(node, diagnostics)
            return None if value is None else (value,)
        diagnostics.append(unexpected(self.expected, node))
        return None

    def schema(self) -> Schema:
        item = self.item.schema()
        return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}


@dataclass(frozen=True, slots=True)
class ShortRecord:
    """A record that may be written as just the value of one of its fields."""

    record: Record
    field: Field[Any]

    @property
    def expected(self) -> str:
        return f"{self.field.kind.expected} or {self.record.expected}"

    def read(self, node: Node, diagnostics: Diagnostics) -> Values | None:
        if isinstance(node, Mapping):
            return self.record.read(node, diagnostics)
        value = self.field.kind.read(node, diagnostics)
        name = self.field.name
        return None if value is None else Values({name: value}, {name: node.span}, node.span)

    def schema(self) -> Schema:
        return {"anyOf": [self.field.kind.schema(), self.record.schema()]}


@dataclass(frozen=True, slots=True)
class FreeMapping:
    """A mapping whose fields are validated by a later stage."""

    expected: str

    def read(self, node: Node, diagnostics: Diagnostics) -> dict[str, Json] | None:
        if isinstance(node, Mapping):
            return {entry.key.value: as_json_value(entry.value) for entry in node.entries}
        diagnostics.append(unexpected(self.expected, node))
        return None

    def schema(self) -> Schema:
        return {"type": "object"}


def as_json_value(node: Node) -> Json:
    """A node as data: plain integers, `true`, `false` and `null` as in YAML 1.2; all other scalars are text."""
    match node:
        case Mapping():
            return {entry.key.value: as_json_value(entry.value) for entry in node.entries}
        case Sequence():
            return [as_json_value(item) for item in node.items]
        case Scalar():
            number, truth = as_integer(node), as_boolean(node)
            if is_null(node):
                return None
            return number if number is not None else truth if truth is not None else node.value


def read_entry(entry: Entry, kind: Kind[T], diagnostics: Diagnostics) -> T | None:
    """The value of a field, which must not be empty."""
    value = entry.value
    if isinstance(value, Scalar) and (is_null(value) or not value.value.strip()):
        block = isinstance(value, Scalar) and value.style in {"|", ">"}
        deeper, other = (
            "indent the text of the block deeper than the field",
            "give it a value or remove the field",
        )
        advice = deeper if block else other
        diagnostics.append(
            error("E108", entry.key.span, name=entry.key.value, expected=kind.expected, advice=advice)
        )
        return None
    return kind.read(value, diagnostics)


def report_repeats(words: Iterable[Word | None], diagnostics: Diagnostics) -> None:
    """Report every repeated word in a list."""
    first: dict[str, Word] = {}
    for word in words:
        if word is not None and first.setdefault(word.value, word) is not word:
            notes = [("first listed here", first[word.value].span)]
            diagnostics.append(error("E112", word.span, notes=notes, name=word.value))


def described(schema: Schema, about: str) -> Schema:
    """A schema with a description; wrapped, because a reference ignores its siblings."""
    return {"description": about, **({"allOf": [schema]} if "$ref" in schema else schema)}


def _read_items(node: Sequence, kind: Kind[T], diagnostics: Diagnostics) -> tuple[T, ...]:
    items: list[T] = []
    for item in node.items:
        if isinstance(item, Scalar) and (is_null(item) or not item.value.strip()):
            diagnostics.append(unexpected(kind.expected, item))
        elif (value := kind.read(item, diagnostics)) is not None:
            items.append(value)
    return tuple(items)


def unexpected(expected: str, node: Node, advice: str | None = None) -> Diagnostic:
    """The error at a node of the wrong kind."""
    return error("E103", node.span, expected=expected, found=describe(node), advice=advice)


def _pairs(names: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(one, other) for index, one in enumerate(names) for other in names[index + 1 :]]
