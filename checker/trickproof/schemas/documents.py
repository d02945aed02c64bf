"""The JSON Schema of every document that a command prints with `--json`.

Objects whose keys depend on the game (variables, seats, parameters) are open; all others are closed, so that
an undescribed key fails the tests that validate outputs against these schemas.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trickproof.diff.ruleset_diff import Grouped
from trickproof.english.aspects import Cell
from trickproof.reports.explanation import Explanation
from trickproof.reports.rulesets.listing import ListedDocument, ListedRuleset
from trickproof.reports.rulesets.shared_cells import Custom
from trickproof.reports.rulesets.source_coverage import Assumption
from trickproof.reports.vectors import Verification
from trickproof.schemas.json_lines import SCENARIO, STATE, described, line_schemas
from trickproof.schemas.parts import (
    ASPECT,
    CELL_CLASS,
    CHECKED,
    DIAGNOSTIC,
    DISAGREEMENTS,
    ESTIMATE,
    FINDING,
    OUTCOME,
    QUESTIONS,
    STATEMENT,
    VALIDATION,
    WITNESS,
)
from trickproof.schemas.shapes import (
    ANYTHING,
    TEXT,
    WHOLE,
    YES_OR_NO,
    Schema,
    by_name,
    many,
    maybe,
    of,
    record,
    reference,
)
from trickproof.support.serialise import SCHEMA_VERSION

DEFINITIONS: Mapping[str, Schema] = {
    "scenario": SCENARIO,
    "state": STATE,
    "finding": FINDING,
    "witness": WITNESS,
    "aspect": ASPECT,
    "questions": QUESTIONS,
}

DOCUMENTS: Mapping[str, tuple[str, Schema]] = {
    "errors": ("any command that cannot read its input or its options", record({"errors": many(DIAGNOSTIC)})),
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
        record(CHECKED, disagreements=DISAGREEMENTS),
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
                            "deal": maybe(record({"a": TEXT, "b": TEXT})),
                        }
                    )
                ),
                "helpers": many(record({"rule": TEXT, "classes": many(CELL_CLASS)})),
                "customs": many(of(Custom)),
            }
        ),
    ),
    "explain": ("trickproof explain NAME --json", of(Explanation)),
    "explain-all": ("trickproof explain --json", record({"explanations": many(of(Explanation))})),
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
                        "score_by_seat": many(ESTIMATE),
                        "payout_by_seat": many(ESTIMATE),
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
                            "refuted": many(TEXT),
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
"""For each document, what prints it, and its content besides the versions."""


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by name, of lines too."""
    made = line_schemas()
    for name, (printed_by, shape) in DOCUMENTS.items():
        versions = {"schema_version": {"const": SCHEMA_VERSION}, "trickproof": TEXT, "solver": TEXT}
        body = {
            **shape,
            "properties": {**shape["properties"], **versions},
            "required": sorted({*shape["required"], *versions}),
        }
        made[name] = described(name, f"Printed by: {printed_by}", body, DEFINITIONS)
    return made
