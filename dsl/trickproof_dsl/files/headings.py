"""The headings of files – id, title, language, base, documents – without decoding the rest.

Promises: the whole file must be valid YAML, and errors in the fields of the heading are reported as by
`decode_ruleset` and `decode_document`; other fields are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files import decode_document as d, ruleset_spec as r
from trickproof_dsl.files.field_spec import Field, FreeMapping, Record, Values
from trickproof_dsl.files.model import Word
from trickproof_dsl.files.yaml_tree import Mapping, load_tree

_STATEMENTS = Field("statements", FreeMapping("a mapping of statements"), "", required=True)
_RULESET = Record("a ruleset", (r.RULESET, r.TITLE, r.EXTENDS, r.DOCUMENTS), some_of=("title", "extends"))
_DOCUMENT = Record("a document", (d.DOCUMENT, d.TITLE, d.LANGUAGE, _STATEMENTS))


@dataclass(frozen=True, slots=True)
class RulesetHeading:
    """The heading of a ruleset file; `extends` names its base."""

    id: str
    title: str | None
    extends: Word | None
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentHeading:
    """The heading of a document file; `language` is a BCP 47 tag, `statements` their number."""

    id: str
    title: str
    language: str
    statements: int


def ruleset_heading(source: Source) -> tuple[RulesetHeading | None, list[Diagnostic]]:
    """The heading of a ruleset file, or None and what is wrong with it (E0xx, E1xx)."""
    values, wrong = _read(source, _RULESET)
    if values is None:
        return None, wrong
    title, documents = values.get(r.TITLE), values.get(r.DOCUMENTS) or ()
    names = tuple(word.value for word in documents)
    own_id = values.need(r.RULESET).value
    return RulesetHeading(own_id, title.value if title else None, values.get(r.EXTENDS), names), []


def document_heading(source: Source) -> tuple[DocumentHeading | None, list[Diagnostic]]:
    """The heading of a document file, or None and what is wrong with it (E0xx, E1xx)."""
    values, wrong = _read(source, _DOCUMENT)
    if values is None:
        return None, wrong
    title, language = values.need(d.TITLE).value, values.need(d.LANGUAGE).value
    return DocumentHeading(values.need(d.DOCUMENT).value, title, language, len(values.need(_STATEMENTS))), []


def _read(source: Source, form: Record) -> tuple[Values | None, list[Diagnostic]]:
    """The fields of a form, ignoring all others; None if anything is wrong."""
    tree, wrong = load_tree(source)
    if tree is None:
        return None, wrong
    names = {field.name for field in form.fields}
    entries = tuple(entry for entry in tree.entries if entry.key.value in names)
    values = form.read(Mapping(entries, tree.flow, tree.span), wrong)
    return (None if wrong else values), wrong
