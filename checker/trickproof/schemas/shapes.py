"""Building blocks of JSON Schemas: closed records, lists, and the schema of a serialised dataclass."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from trickproof_dsl.diagnostics.source import Span

Schema = Mapping[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
YES_OR_NO: Schema = {"type": "boolean"}
ANYTHING: Schema = {}
FREE: Schema = {"type": "object"}

FLOAT: Schema = {"type": ["number", "null"]}
"""Infinities are null."""


def record(required: Mapping[str, Schema], **optional: Schema) -> Schema:
    """An object with exactly these keys, some of them optional."""
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": sorted(required),
        "additionalProperties": False,
    }


def many(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def by_name(values: Schema) -> Schema:
    """An object whose keys are names."""
    return {"type": "object", "additionalProperties": values}


def maybe(schema: Schema) -> Schema:
    """The schema, or null."""
    return any_of([schema, {"type": "null"}])


def one_of(words: Iterable[object]) -> Schema:
    return {"enum": list(words)}


def any_of(schemas: Sequence[Schema]) -> Schema:
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def reference(name: str) -> Schema:
    """A reference to one of the document's definitions."""
    return {"$ref": f"#/$defs/{name}"}


PLACE: Schema = record({"file": TEXT, "line": WHOLE, "column": WHOLE})


def of(kind: Any, **other: Schema) -> Schema:
    """The schema of a dataclass as `serialised` writes it; `other` overrides fields of vague types."""
    hints = get_type_hints(kind)
    required: dict[str, Schema] = {}
    optional: dict[str, Schema] = {}
    for field in fields(kind):
        if field.metadata.get("place") != "hidden":
            keys = optional if field.metadata.get("place") == "optional" else required
            keys[field.name] = _field(field, other, hints)
    return record(required, **optional)


def _field(field: Field[Any], other: Mapping[str, Schema], hints: Mapping[str, Any]) -> Schema:
    return other[field.name] if field.name in other else of_type(hints[field.name])


SIMPLE: Mapping[Any, Schema] = {
    str: TEXT,
    bool: YES_OR_NO,
    int: WHOLE,
    float: FLOAT,
    type(None): {"type": "null"},
    Any: ANYTHING,
    object: ANYTHING,
}


def of_type(kind: Any) -> Schema:
    """The schema of a type as `serialised` writes it. Raises TypeError for a type that is too vague."""
    if kind in SIMPLE:
        return SIMPLE[kind]
    if kind is Span:
        return PLACE
    if isinstance(kind, type) and issubclass(kind, Enum):
        return one_of(member.value for member in kind)
    if is_dataclass(kind):
        return of(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return one_of(inner)
    if origin in (Union, types.UnionType):
        return any_of([of_type(one) for one in inner])
    if origin is tuple and not (len(inner) == 2 and inner[1] is Ellipsis):
        items = [of_type(one) for one in inner]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if origin is not None and issubclass(origin, Mapping):
        return by_name(of_type(inner[1]))
    if origin is not None and issubclass(origin, Iterable):
        return many(of_type(inner[0]))
    raise TypeError(f"{kind} has no schema")
