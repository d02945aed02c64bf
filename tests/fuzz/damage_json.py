"""Mutations of JSON: scenarios, vectors, saved matches, states and lines of certificates.

Most change the value, so that the result is still JSON and is processed further; some change the text. The
same generator and text give the same damage.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from .damage import ODD_CHARACTERS

Json = Any
Place = tuple[Any, Any]
"""A list or mapping, and an index or key in it."""

JUNK: tuple[Json, ...] = (
    *(None, True, False, 0, 1, -1, 7, 10**9, -(10**18), 10**18 + 1, 2**63, 10**99, 1.5, -0.0, 1e300, 5e-324),
    *("", " ", "AS", "as", "1", "none", "pagat", "x" * 3000, "\u202e", "\0", "牌", "../../etc/passwd", "/dev/zero"),
    *([], {}, [[]], [None], {"": 0}, ["AS", "AS"], [0, 1, 2], {"player": 0}, [[[[[[[[]]]]]]]], list(range(2000))),
)  # fmt: skip


def junk(random: Random, value: Json) -> Json:
    return _put(random, value, lambda _: _copy(random.choice(JUNK)))


def delete(random: Random, value: Json) -> Json:
    holder, at = _place(random, value)
    del holder[at]
    return value


def double(random: Random, value: Json) -> Json:
    holder, at = _place(random, value)
    if isinstance(holder, list):
        holder.insert(at, _copy(holder[at]))
    else:
        holder[f"{at}{random.choice(('', '2', ' ', 's'))}"] = _copy(holder[at])
    return value


def swap(random: Random, value: Json) -> Json:
    """Swap (copies of) the values at two places."""
    (one, i), (other, j) = _place(random, value), _place(random, value)
    first, second = _copy(one[i]), _copy(other[j])
    one[i], other[j] = second, first
    return value


def rename(random: Random, value: Json) -> Json:
    holder, at = _place(random, value)
    if isinstance(holder, dict):
        names = (*holder, at[:-1], at.upper(), "ruleset", "moves", "hands", "", "\ufeff", "x" * 500)
        holder[random.choice(names)] = holder.pop(at)
    return value


def nudge(random: Random, value: Json) -> Json:
    """Change a number slightly, drop a letter of a text, negate a Boolean."""

    def changed(x: Json) -> Json:
        if isinstance(x, bool):
            return not x
        if isinstance(x, int):
            return x + random.choice((-1, 1, 1000))
        return x[:-1] if isinstance(x, str | list) else x

    return _put(random, value, changed)


def wrap(random: Random, value: Json) -> Json:
    return _put(random, value, lambda x: random.choice(([x], {"a": x}, [x, x])))


def shuffle(random: Random, value: Json) -> Json:
    holder, at = _place(random, value)
    if isinstance(holder[at], list):
        random.shuffle(holder[at])
    return value


VALUE_WAYS: tuple[Callable[[Random, Json], Json], ...] = (
    *(junk, junk, delete, double, swap, rename, nudge, nudge, wrap, shuffle),
)

TEXTS = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "9" * 400,
    "9" * 5000,
    '"\\ud800"',
    '{"a":1,"a":2}',
    "[" * 50_000,
)
"""Texts that are not valid serialised values."""


def odd_text(random: Random, text: str) -> str:
    """Replace a number or text by something that is not JSON, or is ambiguous."""
    at = _index(random, text)
    return text[:at] + random.choice(TEXTS) + text[at + random.randrange(3) :]


def odd_value(random: Random, text: str) -> str:
    values = list(re.finditer(r"(?<=[:,\[] )[^\s,\]}]+|(?<=\[)[^\s,\]}]+", text))
    if not values:
        return text
    start, end = random.choice(values).span()
    return text[:start] + random.choice(TEXTS) + text[end:]


def odd_character(random: Random, text: str) -> str:
    at = _index(random, text)
    return text[:at] + random.choice(ODD_CHARACTERS) + text[at + random.randrange(2) :]


def truncate(random: Random, text: str) -> str:
    return text[: _index(random, text)]


def repeat(random: Random, text: str) -> str:
    at = _index(random, text)
    return text[:at] + text[at : at + 50] * random.choice((2, 200)) + text[at:]


TEXT_WAYS = (odd_text, odd_value, odd_character, truncate, repeat)


def damaged_json(random: Random, text: str) -> str:
    """A JSON text damaged in one to three ways, usually as a value."""
    if random.random() < 0.75:
        value = [json.loads(text)]
        for _ in range(random.randint(1, 3)):
            if value and _places(value):
                value = random.choice(VALUE_WAYS)(random, value)
        text = json.dumps(value[0] if value else None, ensure_ascii=random.random() < 0.5)
    if random.random() < 0.3:
        text = random.choice(TEXT_WAYS)(random, text)
    return text


def _places(value: Json) -> list[Place]:
    """Every place in a value, at any depth."""
    found: list[Place] = []
    holders = [value]
    while holders:
        holder = holders.pop()
        for at in list(holder) if isinstance(holder, dict) else range(len(holder)):
            found.append((holder, at))
            if isinstance(holder[at], dict | list):
                holders.append(holder[at])
    return found


def _place(random: Random, value: Json) -> Place:
    """A random place, not dominated by large lists: first choose the depth, then the position."""
    if random.random() < 0.4 and isinstance(value[0], dict | list) and value[0]:
        value = value[0]
        return value, random.choice(list(value) if isinstance(value, dict) else range(len(value)))
    return random.choice(_places(value))


def _put(random: Random, value: Json, change: Callable[[Json], Json]) -> Json:
    holder, at = _place(random, value)
    holder[at] = change(holder[at])
    return value


def _copy(value: Json) -> Json:
    return json.loads(json.dumps(value))


def _index(random: Random, text: str) -> int:
    return random.randrange(len(text) + 1)
