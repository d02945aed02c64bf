"""A core program as JSON and back, and its fingerprint.

A node is a mapping: its name under `node`, then its fields.  Types are words (`player`, `option direction`),
tuples are lists, mappings are mappings from names.  A span is `[file, line, column, end line, end column]`
counted from 1, and omitted with `spans=False`.  Decoding gives an equal program (spans do not affect
equality); its spans point to the beginning of an empty `Source` with the file's name, or of one without a
name.

Input is checked against the fields' declared types; anything else raises ValueError.  Whether the program
makes sense is checked by `well_formed.violations`.
"""

from __future__ import annotations

import hashlib
import json
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from trickproof_dsl.core import expressions, program, statements
from trickproof_dsl.core.program import Program
from trickproof_dsl.core.traversal import field_names
from trickproof_dsl.core.types import SCALARS, SETS, Type
from trickproof_dsl.diagnostics.source import Source, Span

Json = Any
T = TypeVar("T")

FORMAT = 1
"""Version of the format; part of the fingerprint, so that caches of other versions are not used."""


def program_json(program: Program, spans: bool = True) -> dict[str, Json]:
    """The whole program as JSON."""
    written: dict[str, Json] = _write(program, spans, {})
    return written


def program_from_json(data: Json) -> Program:
    """The program that `program_json` wrote.  Raises ValueError if the data is not a program."""
    return _read_node(Program, data)


def canonical(program: Program) -> bytes:
    """Canonical JSON: no spans, sorted keys, generated names renumbered; equal for programs that otherwise are."""
    names = _new_numbers(program)
    plain = _write(program, False, names)
    plain["variables"] = {names.get(name, name): info for name, info in plain["variables"].items()}
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def fingerprint(program: Program) -> str:
    """SHA-256 of the canonical form: changes with the meaning of rules, but not with their layout or order."""
    return hashlib.sha256(b"trickproof core %d\n" % FORMAT + canonical(program)).hexdigest()


# --------------------------------------------------------------------------------------------- writing


def _write(value: Any, spans: bool, names: Mapping[str, str]) -> Json:
    """Encode a value, replacing every string that has a new name, except keys of mappings."""
    if isinstance(value, str):
        return names.get(value, value)
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, Type):
        return f"option {value.option}" if value.option else value.kind
    if isinstance(value, tuple):
        return [_write(part, spans, names) for part in value]
    if isinstance(value, dict):
        return {key: _write(part, spans, names) for key, part in value.items()}
    if not is_dataclass(value):
        return value
    node: dict[str, Json] = {"node": type(value).__name__}
    for name in field_names(value):
        node[name] = _write(getattr(value, name), spans, names)
    if spans and isinstance(span := getattr(value, "span", None), Span):
        node["span"] = _write_span(span)
    return node


def _write_span(span: Span) -> Json:
    return [span.source.name, *span.source.position(span.start), *span.source.position(span.end)]


# --------------------------------------------------------------------------------------------- reading


@cache
def _taken_apart(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint), get_args(hint)


def _read(hint: Any, data: Json) -> Any:
    origin, arguments = _taken_apart(hint)
    if origin in (Union, types.UnionType):
        return _read_union(arguments, data)
    if origin is Literal:
        return _must(data in arguments and isinstance(data, str), data, "one of a few words", data)
    if origin is tuple:
        return _read_tuple(arguments, data)
    if origin is dict:
        _must(isinstance(data, dict), data, "a mapping")
        return {key: _read(arguments[1], part) for key, part in data.items()}
    if hint is Type:
        return _read_type(data)
    if hint is Span:
        return _read_span(data)
    if is_dataclass(hint):
        return _read_node(cast(type, hint), data)
    return _must(type(data) is hint, data, hint.__name__, data)


def _read_union(options: tuple[Any, ...], data: Json) -> Any:
    """Decode a union: nodes are recognised by their name, lists by being lists, other values by their type."""
    if isinstance(data, dict):
        name = data.get("node")
        option = _nodes_by_name(options).get(name) if isinstance(name, str) else None
        if option is not None:
            return _read_node(option, data)
    kind = tuple if isinstance(data, list) else type(data)
    for option in options:
        if (_taken_apart(option)[0] or option) is kind:
            return _read(option, data)
    raise ValueError(f"not a core program: unexpected {_shown(data)}")


@cache
def _nodes_by_name(options: tuple[Any, ...]) -> dict[str, type]:
    return {
        option.__name__: option for option in options if isinstance(option, type) and is_dataclass(option)
    }


def _read_tuple(hints: tuple[Any, ...], data: Json) -> tuple[Any, ...]:
    _must(isinstance(data, list), data, "a list")
    if len(hints) == 2 and hints[1] is Ellipsis:
        return tuple(_read(hints[0], part) for part in data)
    _must(len(data) == len(hints), data, f"a list of {len(hints)}")
    return tuple(_read(hint, part) for hint, part in zip(hints, data, strict=True))


def _read_node(kind: type[T], data: Json) -> T:
    hints = _hints(kind.__name__)
    _must(isinstance(data, dict) and data.get("node") == kind.__name__, data, f"a node {kind.__name__}")
    wrong = set(data) ^ {"node", *hints}
    _must(wrong <= {"span"} and wrong <= set(hints), data, f"the fields of {kind.__name__}")
    return kind(**{name: _read(hint, data.get(name)) for name, hint in hints.items()})


def _read_type(data: Json) -> Type:
    _must(isinstance(data, str), data, "a type")
    kind, _, option = data.partition(" ")
    _must((kind in SCALARS or kind in SETS) and (kind == "option") == bool(option), data, "a type")
    return Type(kind, option)


def _read_span(data: Json) -> Span:
    if data is None:
        return Span(Source("", ""), 0, 0)
    name, *places = _must(isinstance(data, list) and len(data) == 5, data, "a span", data)
    _must(isinstance(name, str) and all(type(place) is int for place in places), data, "a span")
    return Span(Source(name, ""), 0, 0)


def _must(holds: bool, data: Json, expected: str, value: Any = None) -> Any:
    if not holds:
        raise ValueError(f"not a core program: expected {expected}, found {_shown(data)}")
    return value


def _shown(data: Json) -> str:
    text = str(data)
    return text if len(text) <= 60 else text[:57] + "..."


@cache
def _hints(node: str) -> dict[str, Any]:
    """The declared types of a node's fields."""
    names = {**vars(expressions), **vars(statements), **vars(program)}
    hints = get_type_hints(names[node], names)
    return {field.name: hints[field.name] for field in fields(names[node])}


# ----------------------------------------------------------------------------------------- fingerprint


def _new_numbers(program: Program) -> dict[str, str]:
    """New names for generated names (those with a dot), numbered in order of occurrence."""
    phases = program.phases
    rules = [program.rules[name] for name in sorted(program.rules)]
    invariants = [program.invariants[name] for name in sorted(program.invariants)]
    names: dict[str, str] = {}
    for word in _words((*phases, *rules, *invariants)):
        if "." in word and word not in names:
            names[word] = f".{len(names)}"
    return names


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _words(part)
    elif is_dataclass(value) and not isinstance(value, Type):
        for name in field_names(value):
            yield from _words(getattr(value, name))
