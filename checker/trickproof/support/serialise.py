"""JSON documents from mappings and dataclasses: the only way in which an answer becomes JSON.

Each field is a key; `OPTIONAL`, `HIDDEN` and `rounded` modify that as field metadata. Guarantees that
infinities are null, that there is no negative zero, that locations are `{"file", "line", "column"}`, and that
keys are sorted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from math import isfinite
from types import MappingProxyType
from typing import Any

from trickproof_dsl.diagnostics.source import Span

Content = dict[str, object]
"""The content of a document by key: anything that `serialised` accepts."""

SCHEMA_VERSION = 1
"""Shared by all documents; incremented when a key is removed or changes its meaning."""

SOLVER = "z3"
"""The solver whose version is included in every document; it is not imported for that."""

OPTIONAL: Mapping[str, Any] = MappingProxyType({"place": "optional"})
"""Omitted if None or empty."""

HIDDEN: Mapping[str, Any] = MappingProxyType({"place": "hidden"})
"""Always omitted."""


def rounded(digits: int) -> Mapping[str, Any]:
    """Round numbers in the field, at any depth, to this many decimals."""
    return MappingProxyType({"digits": digits})


def serialised(value: Any, digits: int | None = None) -> Any:
    """A value in a form that `json` can write. Raises TypeError for unsupported types."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return _number(value, digits)
    if isinstance(value, Span):
        from trickproof.support.locations import place

        return place(value)
    if is_dataclass(value) and not isinstance(value, type):
        return dict(_items(value, digits))
    if isinstance(value, Mapping):
        return {str(key): serialised(inner, digits) for key, inner in value.items()}
    if isinstance(value, Iterable):
        return [serialised(inner, digits) for inner in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _items(value: Any, digits: int | None) -> Iterator[tuple[str, Any]]:
    for field in fields(value):
        yield from _field(field, getattr(value, field.name), digits)


def _field(field: Field[Any], inner: Any, digits: int | None) -> Iterator[tuple[str, Any]]:
    digits = field.metadata.get("digits", digits)
    match field.metadata.get("place"):
        case "hidden":
            return
        case "optional" if inner is None or inner == () or inner == [] or inner == {}:
            return
        case _:
            yield field.name, serialised(inner, digits)


def _number(x: float, digits: int | None) -> float | None:
    if not isfinite(x):
        return None
    return (x if digits is None else round(x, digits)) + 0.0


def document(content: Any) -> dict[str, Any]:
    """A complete document: the content, and the versions that produced it."""
    solver = f"{SOLVER} {package_version(f'{SOLVER}-solver')}"
    versions = {"trickproof": package_version("trickproof"), "solver": solver}
    return {"schema_version": SCHEMA_VERSION, **versions, **serialised(content)}


def package_version(name: str) -> str:
    """The version of an installed package, or "not installed"."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def json_text(value: Any, ensure_ascii: bool = False) -> str:
    """A value as printed: sorted keys, indented by two spaces."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=ensure_ascii)
