"""Strict reading of untrusted JSON: anything ambiguous or invalid is refused with the reason.

Refused are `NaN` and `Infinity`, numbers with too many digits, duplicate names, unpaired surrogates, and
excessive nesting.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, NoReturn

from trickproof_dsl.diagnostics.diagnostic import escaped

Json = Any

MOST_DIGITS = 100
"""Maximum number of digits; no rule and no count needs more."""

MOST_DEPTH = 60
"""Maximum nesting of lists and mappings; game states have less than ten levels."""

LONGEST_NAME = 40
"""Maximum length of a name that a message repeats."""


class BadJsonError(ValueError):
    """Invalid JSON: `reason` says why, and where if known."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_json(text: str | bytes) -> Json:
    """The value of a text.  Raises BadJsonError."""
    try:
        text = text.decode("utf-8") if isinstance(text, bytes) else text
        _refuse_depth(text)
        value = _DECODER.decode(text)
        if "\\ud" in text.lower():  # only an escape can produce a surrogate
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as wrong:
        raise BadJsonError(_place(wrong.doc, wrong.pos)) from None
    except UnicodeDecodeError as wrong:
        raise BadJsonError(f"byte {wrong.start + 1} is not UTF-8 text") from None
    except UnicodeEncodeError as wrong:
        half = f"\\u{ord(wrong.object[wrong.start]):04x}"
        assert isinstance(text, str)
        raise BadJsonError(f"`{half}` is half a character, {_place(text, text.lower().find(half))}") from None
    except _NumberError as wrong:
        assert isinstance(text, str)
        raise BadJsonError(f"{wrong.what}, {_place(text, text.find(wrong.written))}") from None
    return value


def _refuse_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= MOST_DEPTH:
        return
    depth = 0
    for match in _BRACKET_OR_TEXT.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if depth > MOST_DEPTH:
            raise BadJsonError(f"nested too deep, {_place(text, match.start())}")


def _place(text: str, at: int) -> str:
    """A position in the text, not after its last line; the line is given only if there are several."""
    at = min(at, len(text.rstrip("\n")))
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return f"line {line}, column {column}" if line > 1 else f"column {column}"


class _NumberError(Exception):
    """An invalid number, as written."""

    def __init__(self, what: str, written: str) -> None:
        super().__init__(what)
        self.what, self.written = what, written


def _number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _NumberError(f"a number of more than {MOST_DIGITS} digits", digits)
    return int(digits)


def _fraction(digits: str) -> float:
    value = float(digits)
    if abs(value) == float("inf"):
        raise _NumberError("a number beyond all bounds", digits)
    return value


def _constant(name: str) -> NoReturn:
    raise _NumberError(f"`{name}` is not a JSON value", name)


def _mapping(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise BadJsonError(f"`{escaped(twice)[:LONGEST_NAME]}` is given twice")
    return mapping


_BRACKET_OR_TEXT = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*+"')

_DECODER = json.JSONDecoder(
    object_pairs_hook=_mapping, parse_constant=_constant, parse_int=_number, parse_float=_fraction
)
