"""JSON from outside: what means nothing, or two things, is refused with the reason."""

from __future__ import annotations

import pytest

from trickproof_dsl.scenarios.strict_json import BadJsonError, read_json


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "column 2"),
        ("{\n", "column 2"),
        ('{\n"a": }', "line 2, column 6"),
        ('{"a": NaN}', "`NaN` is not a JSON value, column 7"),
        ("-Infinity", "`-Infinity` is not a JSON value, column 1"),
        ("[1e999]", "a number beyond all bounds, column 2"),
        ("9" * 400, "a number of more than 100 digits, column 1"),
        ("\n" + "9" * 5000, "a number of more than 100 digits, line 2, column 1"),
        ('{"a": 1, "b": 2, "a": 3}', "`a` is given twice"),
        ('{"\\u202ea": 1, "\\u202ea": 3}', "`\\u202ea` is given twice"),
        ('["\\ud800"]', "`\\ud800` is half a character, column 3"),
        ('{"\\uDC00": 1}', "`\\udc00` is half a character, column 3"),
        (b'["\xff"]', "byte 3 is not UTF-8 text"),
        ("[" * 100_000, "nested too deep, column 61"),
        ('{"a":' * 100_000, "nested too deep, column 301"),
    ],
)
def test_refused(text: str | bytes, reason: str) -> None:
    with pytest.raises(BadJsonError) as wrong:
        read_json(text)
    assert wrong.value.reason == reason


def test_taken() -> None:
    assert read_json('{"a": [1, -2.5, "\\ud83c\\udca1", null, true]}') == {"a": [1, -2.5, "🂡", None, True]}
    assert read_json('["' + '[{\\"' * 100 + '"]') == ['[{"' * 100]
