"""The JSON Schema of every document that a command prints with `--json`, and of the JSON Lines.

Keys that a game makes (variables, seats, parameters) are open; all others are closed, so that a key that is not described here
fails the tests that hold outputs against these schemas.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.diff.results import Status
from trickproof.diff.ruleset_diff import Grouped
from trickproof.diff.witnesses.parting import Direction
from trickproof.english.aspects import Cell, Reading
from trickproof.reports.explanation import Explanation
from trickproof.reports.rulesets.listing import ListedDocument, ListedRuleset
from trickproof.reports.rulesets.shared_cells import Custom
from trickproof.reports.rulesets.source_coverage import Assumption
from trickproof.reports.vectors import Verification
from trickproof.schemas.shapes import (
    ANYTHING,
    FLOAT,
    FREE,
    NUMBER,
    PLACE,
    TEXT,
    WHOLE,
    YES_OR_NO,
    Schema,
    any_of,
    by_name,
    many,
    maybe,
    of,
    of_type,
    one_of,
    record,
    reference,
)
from trickproof.support.confidence_intervals import Estimate
from trickproof.support.serialise import SCHEMA_VERSION
from trickproof.validate.dead_rules import Useless
from trickproof.validate.fix_candidates import Repair
from trickproof.validate.sense import Warning
from trickproof.validate.validation import Guarantee

CARDS = many(TEXT)

MOVE: Schema = {
    "type": "object",
    "properties": {"player": WHOLE, "move": TEXT, "to": WHOLE, "from": WHOLE, "cards": CARDS, "card": TEXT},
    "required": ["move", "player"],
}
"""A decision; its value has the name of what is chosen."""

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

ERROR = record({"kind": TEXT, "message": TEXT}, move_index=maybe(WHOLE), legal=maybe({"type": "array"}))

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
        ),
        record({"ok": one_of([False]), "error": ERROR}, deal=WHOLE),
    ]
)
"""What `replay` answers to a scenario."""

DIAGNOSTIC = record(
    {
        "code": TEXT,
        "message": TEXT,
        "file": maybe(TEXT),
        "line": maybe(WHOLE),
        "column": maybe(WHOLE),
        "help": maybe(TEXT),
    }
)

FINDING = of(Finding, witness=maybe(reference("scenario")), match=maybe(many(reference("scenario"))))

WITNESS = record(
    {
        "scenario": reference("scenario"),
        "match": maybe(many(reference("scenario"))),
        "a": FREE,
        "b": FREE,
        "event": maybe(WHOLE),
        "next": record({"a": NEXT, "b": NEXT}),
        "parts_before": YES_OR_NO,
        "next_hand": maybe(record({"a": ANYTHING, "b": ANYTHING})),
    },
    breaks_down=FREE,
)

SIDE = record({"text": TEXT, "where": maybe(PLACE), "cites": many(TEXT)})

WAY = record(
    {
        "how": maybe(TEXT),
        "when": maybe(TEXT),
        "sentence": TEXT,
        "cases": maybe(WHOLE),
        "witness": maybe(reference("witness")),
    }
)

READINGS = record({"a": by_name(TEXT), "b": by_name(TEXT), "status": of_type(Status)})

ASPECT = record(
    {
        "aspect": TEXT,
        "status": of_type(Status),
        "method": of_type(Method),
        "why": TEXT,
        "a": SIDE,
        "b": SIDE,
        "witness": maybe(reference("witness")),
    },
    jointly=many(TEXT),
    complete=YES_OR_NO,
    game=maybe(TEXT),
    direction=maybe(of_type(Direction)),
    classes=many(WAY),
    readings=many(READINGS),
    differs_under=TEXT,
    text=many(TEXT),
)

ESTIMATE = of(Estimate)
WITH_DEVIATION = record({"mean": FLOAT, "low": FLOAT, "high": FLOAT, "sd": FLOAT})

SEAT = record(
    {"seat": TEXT, "win_share": ESTIMATE, "win_share_by_start": ESTIMATE},
    tricks=WITH_DEVIATION,
    deviation=WITH_DEVIATION,
    target_met=ESTIMATE,
    score=WITH_DEVIATION,
)

OUTCOME: dict[str, Schema] = {
    "ruleset": TEXT,
    "title": TEXT,
    "parameters": FREE,
    "readings": FREE,
    "policy": any_of([TEXT, by_name(TEXT)]),
    "seed": WHOLE,
    "backend": TEXT,
    "hands": WHOLE,
    "hands_per_second": maybe(WHOLE),
    "matches": WHOLE,
    "unfinished": WHOLE,
    "broken": WHOLE,
    "breakdowns": ANYTHING,
    "left_out": ANYTHING,
    "tricks_by_seat": many(FLOAT),
    "match_length": record(
        {"mean": FLOAT, "low": FLOAT, "high": FLOAT, "median": maybe(NUMBER), "p90": maybe(NUMBER)}
    ),
    "win_share": many(FLOAT),
    "win_share_by_start": many(FLOAT),
    "winners": ANYTHING,
    "exchange": maybe(record({"cards_given": ESTIMATE, "distribution": many(NUMBER)})),
    "seats": many(SEAT),
    "tricks_distribution": many(many(NUMBER)),
}

MEASURE = record(
    {
        "name": TEXT,
        "seat": maybe(WHOLE),
        "base": FLOAT,
        "house": FLOAT,
        "base_interval": record({"low": FLOAT, "high": FLOAT}),
        "house_interval": record({"low": FLOAT, "high": FLOAT}),
        "difference": record({"value": FLOAT, "low": FLOAT, "high": FLOAT}),
    }
)

EFFECTS = record(
    {"hands": WHOLE, "matches": WHOLE, "seed": WHOLE, "measures": many(MEASURE), "note": maybe(TEXT)}
)

POSITION = record({"line": WHOLE, "column": WHOLE})

FIX = record(
    {
        "title": TEXT,
        "edits": many(record({"file": TEXT, "start": POSITION, "end": POSITION, "text": TEXT})),
        "restores": many(TEXT),
    }
)

VALIDATION: dict[str, Schema] = {
    "id": TEXT,
    "base": maybe(TEXT),
    "verdict": one_of(["accepted", "rejected"]),
    "answer": TEXT,
    "reasons": many(TEXT),
    "findings": many(reference("finding")),
    "new_findings": many(reference("finding")),
    "guarantees": many(of(Guarantee)),
    "changes": many(reference("aspect")),
    "useless": many(of(Useless)),
    "equal_to": many(TEXT),
    "effects": by_name(EFFECTS),
    "effects_that_depend_on_policy": many(record({"name": TEXT, "seat": maybe(WHOLE)})),
    "repairs": many(of(Repair)),
    "open": many(record({"check": TEXT, "verdict": of_type(Verdict), "why": TEXT})),
    "fixes": many(FIX),
    "warnings": many(of(Warning)),
}

USE = {"type": "object", "properties": {"ruleset": TEXT}, "additionalProperties": TEXT}

STATEMENT = record(
    {
        "id": TEXT,
        "kind": TEXT,
        "says": TEXT,
        "status": TEXT,
        "by": many(USE),
        "against": many(USE),
        "damaged": YES_OR_NO,
        "meant": maybe(TEXT),
    }
)

CELL_CLASS = record(
    {
        "letter": maybe(TEXT),
        "rulesets": many(TEXT),
        "text": TEXT,
        "readings": many(of(Reading)),
        "terms": many(TEXT),
        "gap": maybe(TEXT),
        "cites": many(TEXT),
        "assumes": many(TEXT),
    }
)

QUESTIONS: Schema = any_of(
    [
        record({"rulesets": many(TEXT)}),
        record(
            {
                "aspect": TEXT,
                "question": TEXT,
                "situation": many(TEXT),
                "scenario": maybe(reference("scenario")),
                "answers": many(record({"answer": TEXT, "then": reference("questions")})),
            }
        ),
    ]
)

DEFINITIONS: Mapping[str, Schema] = {
    "scenario": SCENARIO,
    "state": STATE,
    "finding": FINDING,
    "witness": WITNESS,
    "aspect": ASPECT,
    "questions": QUESTIONS,
}

CHECKED = {
    "rulesets": many(record({"id": TEXT, "findings": many(reference("finding"))}, stale_known=many(TEXT)))
}

VECTOR = record(
    {"id": ANYTHING, "scenario": reference("scenario"), "expected": FREE, "covers": many(TEXT)},
    following=ANYTHING,
)

DOCUMENTS: Mapping[str, tuple[str, Schema]] = {
    "errors": ("any command, where its input cannot be read", record({"errors": many(DIAGNOSTIC)})),
    "list": (
        "trickproof list --json",
        record(
            {
                "rulesets": many(of(ListedRuleset)),
                "others": many(of(ListedRuleset)),
                "documents": many(of(ListedDocument)),
            }
        ),
    ),
    "check": (
        "trickproof check --json",
        record(
            CHECKED,
            disagreements=many(record({"ruleset": TEXT, "check": TEXT, "message": TEXT})),
        ),
    ),
    "diff": (
        "trickproof diff A B --json",
        record(
            {"a": TEXT, "b": TEXT, "aspects": many(reference("aspect")), "others": many(reference("aspect"))}
        ),
    ),
    "groups": (
        "trickproof diff A B C --json",
        record({"rulesets": many(TEXT), "aspects": many(of(Grouped))}),
    ),
    "nearest": (
        "trickproof nearest RULESET --json",
        record(
            {
                "id": TEXT,
                "equal_to": many(TEXT),
                "nearest": many(
                    record(
                        {
                            "ruleset": TEXT,
                            "equal": YES_OR_NO,
                            "different": many(TEXT),
                            "undecided": many(TEXT),
                        }
                    )
                ),
            }
        ),
    ),
    "quiz": ("trickproof quiz --json", record({"questions": WHOLE, "tree": reference("questions")})),
    "validate": ("trickproof validate FILE --json", record(VALIDATION)),
    "validate-several": (
        "trickproof validate FILE FILE --json",
        record({"rulesets": many(record(VALIDATION))}),
    ),
    "sources": (
        "trickproof sources --json",
        record(
            {
                "documents": many(record({"id": TEXT, "statements": many(STATEMENT)})),
                "assumptions": many(of(Assumption)),
            }
        ),
    ),
    "table": (
        "trickproof table --json",
        record(
            {
                "rulesets": many(record({"id": TEXT, "title": TEXT})),
                "aspects": many(
                    record(
                        {
                            "aspect": TEXT,
                            "cells": by_name(of(Cell)),
                            "classes": many(CELL_CLASS),
                            "differs": YES_OR_NO,
                            "mark": maybe(TEXT),
                            "deal": maybe(record({"a": TEXT, "b": TEXT})),
                        }
                    )
                ),
                "customs": many(of(Custom)),
            }
        ),
    ),
    "explain": ("trickproof explain NAME --json", of(Explanation)),
    "simulate": ("trickproof simulate RULESET --json", record(OUTCOME, interrupted=YES_OR_NO)),
    "simulate-compare": (
        "trickproof simulate RULESET --compare OTHER --json",
        record(
            {
                "a": record(OUTCOME),
                "b": record(OUTCOME),
                "difference": record(
                    {
                        "tricks_by_seat": many(ESTIMATE),
                        "deviation_by_seat": many(ESTIMATE),
                        "target_met_by_seat": many(ESTIMATE),
                        "cards_given": maybe(ESTIMATE),
                        "match_length": maybe(ESTIMATE),
                    }
                ),
            }
        ),
    ),
    "sweep": (
        "trickproof sweep RULESET --vary NAME=VALUES --json",
        record(
            {
                "ruleset": TEXT,
                "vary": many(TEXT),
                "members": many(
                    record(
                        {
                            "values": by_name(TEXT),
                            "sound": maybe(YES_OR_NO),
                            "rejected_by": many(TEXT),
                            "outcome": record(OUTCOME),
                        }
                    )
                ),
            },
            interrupted=YES_OR_NO,
        ),
    ),
    "vectors-verify": ("trickproof vectors --verify FILE --json", of(Verification)),
    "verify-certificate": (
        "trickproof verify-certificate FILE --json",
        record(
            {
                "rulesets": many(
                    record(
                        {
                            "id": TEXT,
                            "certified": many(TEXT),
                            "claimed": many(TEXT),
                            "not_certified": many(record({"check": TEXT, "reason": TEXT})),
                            "leaves": WHOLE,
                            "questions": WHOLE,
                            "failed": many(ANYTHING),
                            "unknown": many(ANYTHING),
                        }
                    )
                )
            }
        ),
    ),
    "cache-path": (
        "trickproof cache path --json",
        record({"path": TEXT, "entries": WHOLE, "bytes": WHOLE}),
    ),
    "cache-clear": (
        "trickproof cache clear --json",
        record({"path": TEXT, "removed": record({"entries": WHOLE, "bytes": WHOLE})}),
    ),
}
"""What prints each document, and what is in it beside the versions."""

LINES: Mapping[str, tuple[str, Schema]] = {
    "scenario": (
        "a line of what `trickproof replay` reads",
        any_of([SCENARIO, record({"match": many(SCENARIO)})]),
    ),
    "answer": ("a line of what `trickproof replay` prints", ANSWER),
    "vector": ("a line of what `trickproof vectors` prints", VECTOR),
}
"""JSON Lines, which have no versions of their own."""


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by its name."""
    made = {}
    for name, (printed_by, shape) in {**DOCUMENTS, **LINES}.items():
        properties = dict(shape["properties"]) if name in DOCUMENTS else {}
        body = dict(shape)
        if name in DOCUMENTS:
            properties |= {"schema_version": {"const": SCHEMA_VERSION}, "trickproof": TEXT, "solver": TEXT}
            body["properties"] = properties
            body["required"] = sorted({*shape["required"], "schema_version", "trickproof"})
        made[name] = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": name,
            "description": f"Printed by: {printed_by}" if name in DOCUMENTS else f"This is {printed_by}.",
            **body,
            "$defs": _used(body),
        }
    return made


def _used(body: Schema) -> dict[str, Schema]:
    """The definitions that a schema refers to, and those that these refer to."""
    used: dict[str, Schema] = {}
    waiting = [json.dumps(body)]
    while waiting:
        text = waiting.pop()
        for name, schema in DEFINITIONS.items():
            if f'"#/$defs/{name}"' in text and name not in used:
                used[name] = schema
                waiting.append(json.dumps(schema))
    return dict(sorted(used.items()))


def schema_files() -> dict[str, str]:
    """Every schema as the file that docs/schemas has."""
    return {
        f"{name}.schema.json": f"{json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False)}\n"
        for name, schema in schemas().items()
    }
