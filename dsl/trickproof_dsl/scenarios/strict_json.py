"""JSON from outside, read strictly: what has more than one meaning, or none, is refused with the reason.

Refused are `NaN` and `Infinity`, numbers too great for any reader, names given twice, halves of characters, and
nesting deeper than can be followed.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

from trickproof_dsl.diagnostics.diagnostic import escaped

Json = Any

MOST_DIGITS = 100
"""Digits of a number; no rule and no count needs more."""

LONGEST_NAME = 40
"""Characters of a name that a message repeats."""


class BadJsonError(ValueError):
    """A text that is no JSON: `reason` says why, and where if that is known."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_json(text: str | bytes) -> Json:
    """The value of a text.  Raises BadJsonError."""
    try:
        text = text.decode("utf-8") if isinstance(text, bytes) else text
        value = _DECODER.decode(text)
        if "\\ud" in text.lower():  # only an escape can bring half a character
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as wrong:
        line = f"line {wrong.lineno}, " if wrong.lineno > 1 else ""
        raise BadJsonError(f"{line}column {wrong.colno}") from None
    except UnicodeError:
        raise BadJsonError("not all of it is UTF-8 text") from None
    except RecursionError:
        raise BadJsonError("nested too deep") from None
    return value


def _number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise BadJsonError(f"a number of more than {MOST_DIGITS} digits")
    return int(digits)


def _fraction(digits: str) -> float:
    value = float(digits)
    if abs(value) == float("inf"):
        raise BadJsonError("a number beyond all bounds")
    return value


def _constant(name: str) -> NoReturn:
    raise BadJsonError(f"`{name}` is no value of JSON")


def _mapping(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise BadJsonError(f"`{escaped(twice)[:LONGEST_NAME]}` is given twice")
    return mapping


_DECODER = json.JSONDecoder(
    object_pairs_hook=_mapping, parse_constant=_constant, parse_int=_number, parse_float=_fraction
)
