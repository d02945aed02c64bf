"""The JSON Schema of each kind of line that `replay` reads and prints and `vectors` prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from trickproof.schemas.shapes import (
    ANYTHING,
    FREE,
    PLACE,
    TEXT,
    WHOLE,
    YES_OR_NO,
    Schema,
    any_of,
    by_name,
    many,
    maybe,
    one_of,
    record,
    reference,
)

CARDS = many(TEXT)

MOVE: Schema = {
    "type": "object",
    "properties": {"player": WHOLE, "move": TEXT, "to": WHOLE, "from": WHOLE, "cards": CARDS, "card": TEXT},
    "required": ["move", "player"],
}
"""A move; the key of its value is the name of what is chosen."""

EVENT: Schema = {"type": "object", "properties": {"event": TEXT}, "required": ["event"]}

SCENARIO: Schema = {
    "type": "object",
    "properties": {
        "ruleset": TEXT,
        "params": by_name(WHOLE),
        "readings": FREE,
        "dealer": WHOLE,
        "first_hand": YES_OR_NO,
        "over": many(WHOLE),
        "scores": many(WHOLE),
        "hands": many(CARDS),
        "kitty": CARDS,
        "moves": many(MOVE),
        "seed": WHOLE,
        "variables": FREE,
    },
    "required": ["ruleset"],
}

STATE: Schema = {
    "type": "object",
    "properties": {
        "dealer": maybe(WHOLE),
        "trump": maybe(TEXT),
        "hands": many(CARDS),
        "kitty": CARDS,
        "discards": CARDS,
        "tricks": many(WHOLE),
        "over": many(WHOLE),
        "scores": maybe(many(WHOLE)),
        "leader": maybe(WHOLE),
        "match_over": YES_OR_NO,
        "winners": maybe(many(WHOLE)),
    },
}

NEXT: Schema = maybe(
    {"type": "object", "properties": {"player": WHOLE, "move": TEXT}, "required": ["move", "player"]}
)

FAULT = record({"kind": TEXT, "message": TEXT, "legal": {"type": "array"}, "where": PLACE})

ERROR = record(
    {"kind": TEXT, "message": TEXT, "legal": {"type": "array"}, "move_index": maybe(WHOLE)},
    where=PLACE,
    next=NEXT,
    rule=TEXT,
    cites=many(TEXT),
)
"""A move that is not legal comes with the decision, and with its rule; what the rules fail in, with its place."""

ANSWER: Schema = any_of(
    [
        record(
            {
                "ok": one_of([True]),
                "ruleset": TEXT,
                "events": many(EVENT),
                "state": STATE,
                "next": NEXT,
                "variables": FREE,
            },
            deal=WHOLE,
            unused=many(WHOLE),
            between_deals=FAULT,
        ),
        record({"ok": one_of([False]), "error": ERROR}, deal=WHOLE),
    ]
)
"""The answer of `replay` to a scenario."""

VECTOR = record(
    {"id": ANYTHING, "scenario": reference("scenario"), "expected": FREE, "covers": many(TEXT)},
    following=ANYTHING,
)

LINES: Mapping[str, tuple[str, Schema]] = {
    "scenario": (
        "a line of what `trickproof replay` reads",
        any_of([SCENARIO, record({"match": many(SCENARIO)})]),
    ),
    "answer": ("a line of what `trickproof replay` prints", ANSWER),
    "vector": ("a line of what `trickproof vectors` prints", VECTOR),
}
"""For each kind of line, what it is, and its content; lines carry no versions."""


def line_schemas() -> dict[str, dict[str, Any]]:
    """The schema of each kind of line by name."""
    return {
        name: described(name, f"This is {what}.", shape, {"scenario": SCENARIO})
        for name, (what, shape) in LINES.items()
    }


def described(name: str, what: str, body: Schema, definitions: Mapping[str, Schema]) -> dict[str, Any]:
    """A whole schema, with those of the definitions that it refers to."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "description": what,
        **body,
        "$defs": _used(body, definitions),
    }


def _used(body: Schema, definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    """The definitions that a schema refers to, transitively."""
    used: dict[str, Schema] = {}
    waiting = [json.dumps(body)]
    while waiting:
        text = waiting.pop()
        for name, schema in definitions.items():
            if f'"#/$defs/{name}"' in text and name not in used:
                used[name] = schema
                waiting.append(json.dumps(schema))
    return dict(sorted(used.items()))


def schema_files(schemas: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Schemas as files by their names."""
    return {
        f"{name}.schema.json": f"{json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False)}\n"
        for name, schema in schemas.items()
    }
