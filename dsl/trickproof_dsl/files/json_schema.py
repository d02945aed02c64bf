"""JSON Schemas of the two file forms, for completion and validation in editors (draft-07).

How it is made: from the tables of fields that the decoder uses, so that the two cannot disagree.  The schema
files in rulesets/schema/ are committed; a test fails if they are stale; `pytest -k current --update`
regenerates them.
"""

from __future__ import annotations

import json

from trickproof_dsl.files.decode_document import DOCUMENT_FORM
from trickproof_dsl.files.field_spec import Record, Schema
from trickproof_dsl.files.ruleset_spec import RULESET_FORM
from trickproof_dsl.files.scalar_spec import ID
from trickproof_dsl.syntax.reserved_words import reserved_words


def ruleset_schema() -> Schema:
    """The schema of ruleset files."""
    return _schema(
        "trickproof ruleset", "The rules of a trick-taking card game, with their sources.", RULESET_FORM
    )


def document_schema() -> Schema:
    """The schema of document files."""
    about = "A registered source: its numbered statements in our own words."
    return _schema("trickproof document", about, DOCUMENT_FORM)


def schema_files() -> dict[str, str]:
    """The content of the schema files by name."""
    schemas = {"ruleset": ruleset_schema(), "document": document_schema()}
    return {
        f"{name}.schema.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in schemas.items()
    }


def _schema(title: str, about: str, form: Record) -> Schema:
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": title,
        "description": about,
        **form.schema(),
        "definitions": _definitions() if form is RULESET_FORM else {"id": _ID},
    }


_ID: Schema = {"type": "string", "pattern": f"^{ID}$"}


def _definitions() -> Schema:
    reserved = {"enum": sorted(reserved_words())}
    return {"id": _ID, "name": {**_ID, "not": reserved}}
