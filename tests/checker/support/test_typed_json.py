"""Values of declared types from JSON: what does not fit is refused, however deep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

import pytest

from trickproof.support.typed_json import dataclass_of, typed


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    number: int


@dataclass(frozen=True)
class Outer:
    name: str
    inner: tuple[Inner, ...]
    colour: Colour | None
    free: Mapping[str, object]


WHOLE: dict[str, Any] = {"name": "x", "inner": [{"number": 1}], "colour": "red", "free": {"a": [1, {}]}}


def test_dataclasses_all_the_way_down() -> None:
    made = Outer("x", (Inner(1),), Colour.RED, {"a": [1, {}]})
    assert typed(Outer, WHOLE) == made
    assert (
        dataclass_of(Outer, {name: WHOLE[name] for name in ("name", "colour", "free")}, inner=(Inner(1),))
        == made
    )


@pytest.mark.parametrize(
    ("declared", "value", "answer"),
    [
        (int, 3, 3),
        (float, 3, 3.0),
        (bool, True, True),
        (int | None, None, None),
        (tuple[int, str], [1, "a"], (1, "a")),
        (dict[str, int], {"a": 1}, {"a": 1}),
        (Literal["yes", "no"], "no", "no"),
        (object, [None], [None]),
    ],
)
def test_plain_values(declared: Any, value: object, answer: object) -> None:
    again = typed(declared, value)
    assert again == answer
    assert type(again) is type(answer)


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        (int, True),
        (int, 1.0),
        (str, None),
        (float, float("nan")),
        (float, float("inf")),
        (float, "1"),
        (tuple[int, ...], [1, "2"]),
        (tuple[int, ...], {"0": 1}),
        (tuple[int, str], [1]),
        (dict[str, int], {"a": "b"}),
        (dict[str, int], [["a", 1]]),
        (Literal["yes", "no"], "perhaps"),
        (Literal["yes", "no"], ["yes"]),
        (int | None, "x"),
        (Colour, "green"),
        (Colour, 1),
        (Outer, []),
        (Outer, {**WHOLE, "more": 1}),
        (Outer, {name: WHOLE[name] for name in ("name", "inner", "free")}),
        (Outer, {**WHOLE, "inner": [{"number": "1"}]}),
        (Outer, {**WHOLE, "free": 1}),
    ],
)
def test_what_does_not_fit(declared: Any, value: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        typed(declared, value)
