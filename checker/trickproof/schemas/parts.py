"""Schemas of parts that documents have in common: findings, differences, estimates."""

from __future__ import annotations

from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.diff.results import Status
from trickproof.diff.witnesses.parting import Direction
from trickproof.english.aspects import Reading
from trickproof.schemas.json_lines import NEXT
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
from trickproof.validate.dead_rules import Useless
from trickproof.validate.edits import Repair
from trickproof.validate.sense import Warning
from trickproof.validate.validation import Guarantee

DIAGNOSTIC = record(
    {
        "code": maybe(TEXT),
        "message": TEXT,
        "file": maybe(TEXT),
        "line": maybe(WHOLE),
        "column": maybe(WHOLE),
        "help": maybe(TEXT),
    }
)

DISAGREEMENTS = many(record({"ruleset": TEXT, "check": TEXT, "message": TEXT}))

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
    score_per_deal=ESTIMATE,
    payout=ESTIMATE,
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
    "examples": many(record({"name": TEXT, "differences": many(TEXT)})),
    "disagreements": DISAGREEMENTS,
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
        "replaced": many(USE),
        "damaged": YES_OR_NO,
        "meant": maybe(TEXT),
    }
)

CELL_CLASS = record(
    {
        "letters": many(TEXT),
        "rulesets": many(TEXT),
        "mark": maybe(TEXT),
        "text": TEXT,
        "readings": many(of(Reading)),
        "terms": many(TEXT),
        "restated": many(of(Reading)),
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

CHECKED = {
    "rulesets": many(record({"id": TEXT, "findings": many(reference("finding"))}, stale_known=many(TEXT)))
}
