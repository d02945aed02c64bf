"""Values of declared types from JSON: dataclasses, enumerations, tuples, mappings and plain values.

Guarantees that the result has exactly the declared type at every depth; lists become tuples.
"""

from __future__ import annotations

import collections.abc
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

PLAIN = (str, int, bool, NoneType)


class ShapeError(ValueError):
    """A value does not have the declared type."""


def typed(declared: Any, value: Any) -> Any:
    """Convert a JSON value to a type. Raises ShapeError if it does not match."""
    origin, inner = get_origin(declared), get_args(declared)
    if declared in (object, Any):
        return value
    if declared in PLAIN and type(value) is declared:
        return value
    if declared is float and type(value) in (int, float) and isfinite(value):
        return float(value)
    if origin is Literal and value in inner and type(value) is str:
        return value
    if origin in (Union, UnionType):
        return _one_of(inner, value)
    if origin is tuple and isinstance(value, list):
        return _items(inner, value)
    if origin in (dict, collections.abc.Mapping) and isinstance(value, dict):
        return {typed(inner[0], key): typed(inner[1], item) for key, item in value.items()}
    if isinstance(declared, type) and issubclass(declared, Enum):
        return declared(typed(str, value))
    if is_dataclass(declared) and isinstance(value, dict):
        return dataclass_of(declared, value)
    raise ShapeError(f"{declared}: {type(value).__name__}")


def _one_of(alternatives: tuple[Any, ...], value: Any) -> Any:
    for alternative in alternatives:
        try:
            return typed(alternative, value)
        except ShapeError:
            continue
    raise ShapeError(f"{alternatives}: {type(value).__name__}")


def _items(declared: tuple[Any, ...], values: list[Any]) -> tuple[Any, ...]:
    """`tuple[X, ...]`, or one type per item."""
    if len(declared) == 2 and declared[1] is ...:
        return tuple(typed(declared[0], value) for value in values)
    if len(declared) != len(values):
        raise ShapeError(f"{declared}: {len(values)} items")
    return tuple(typed(one, value) for one, value in zip(declared, values, strict=True))


def dataclass_of(declared: Any, values: Mapping[str, Any], **ready: Any) -> Any:
    """A dataclass from a mapping of all its fields, except those that are `ready`. Raises ShapeError."""
    types = get_type_hints(declared)
    names = {field.name for field in fields(declared)} - ready.keys()
    if names != values.keys():
        raise ShapeError(f"{declared.__name__}: {sorted(names ^ values.keys())}")
    return declared(**{name: typed(types[name], values[name]) for name in names}, **ready)


def newer_form(form: object, known: int) -> str | None:
    """The message for a file in a newer format than the known one; None for any other."""
    if type(form) is not int or form <= known:
        return None
    return f"was written by a newer trickproof (its form is {form}, this one reads {known}): use that one, or name another file"
